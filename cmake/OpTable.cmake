# Writes op_table.cc from the list of op files: core's ops first, then the others, each by name. A file of src/core/ops or
# src/ops defines `OpDef calx::ops::<file stem>()`; files in support/ and generated/ and files that start with `_` are
# helpers. (Registration at static initialisation would be dropped when linking static libraries.)
include_guard(GLOBAL)

# Adds the table to target, which is linked with everything that defines an op.
function(calx_op_table target)
  set(header calx/core/op_def.h)
  file(GLOB core_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/core/ops/*.cc")
  file(GLOB_RECURSE op_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/ops/*.cc")
  set(names)
  foreach(files IN ITEMS core_files op_files)
    set(group)
    foreach(path IN LISTS ${files})
      cmake_path(GET path STEM stem)
      if(path MATCHES "/src/ops/(.*/)?(support|generated)/" OR stem MATCHES "^_")
        continue()
      endif()
      if(stem IN_LIST names OR stem IN_LIST group)
        message(FATAL_ERROR "two op files are named ${stem}.cc; an op's name is its file's name")
      endif()
      list(APPEND group ${stem})
    endforeach()
    list(SORT group)
    list(APPEND names ${group})
  endforeach()
  if(NOT names OR NOT EXISTS "${PROJECT_SOURCE_DIR}/include/${header}")
    return()
  endif()

  set(declarations "")
  set(calls "")
  foreach(name IN LISTS names)
    string(APPEND declarations "OpDef ${name}();\n")
    string(APPEND calls "  table.push_back(ops::${name}());\n")
  endforeach()
  list(LENGTH names count)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/op_table.cc" @ONLY CONTENT
"// Written by cmake/OpTable.cmake from the list of op files. Do not edit.
#include <vector>

#include \"@header@\"

namespace calx {
namespace ops {
@declarations@}  // namespace ops

std::vector<OpDef> detail::make_op_table() {
  std::vector<OpDef> table;
  table.reserve(@count@);
@calls@  return table;
}

}  // namespace calx
")
  target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/generated/op_table.cc")
endfunction()
