# Compiles the files of one folder of a target together, some at a time: half of what a file costs is what its
# headers instantiate, and that is then paid once. So names of one folder's files must be distinct, those in anonymous
# namespaces as well, and `using namespace` stands in functions or in the file's own namespace. Switched off by CALX_UNITY=OFF,
# as in the preset dev, where a changed file is compiled alone.
include_guard(GLOBAL)

# calx_unity(TARGET [SIZE n] SOURCES ...)
function(calx_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SIZE" "SOURCES")
  if(NOT CALX_UNITY)
    return()
  endif()
  if(NOT arg_SIZE)
    set(arg_SIZE 13)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source PARENT_PATH folder)
    string(MD5 key "${folder}")
    math(EXPR chunk "${count_${key}} + 0")
    math(EXPR count_${key} "${chunk} + 1")
    math(EXPR chunk "${chunk} / ${arg_SIZE}")
    cmake_path(GET folder FILENAME name)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}_${chunk}")
  endforeach()
endfunction()
