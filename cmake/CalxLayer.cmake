# calx_layer(NAME DEPENDS ...): one library target per folder src/<NAME>, with that folder as its private include path.
# A layer without sources yet is an INTERFACE target, so the rest of the build does not care. All layers and their
# objects are collected in the global property CALX_LAYERS.
include_guard(GLOBAL)

# Reads cmake/layers.txt and calls calx_layer for every line, in order.
function(calx_layers_from file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^[a-z]+:")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z]+):(.*)$" _ "${line}")
    set(name ${CMAKE_MATCH_1})
    separate_arguments(depends UNIX_COMMAND "${CMAKE_MATCH_2}")
    calx_layer(${name} DEPENDS ${depends})
  endforeach()
endfunction()

function(calx_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  set(target calx_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cc")
  list(TRANSFORM arg_DEPENDS PREPEND calx_ OUTPUT_VARIABLE depends)
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/${name}")
    set(scope PUBLIC)
    calx_precompile(${target})
    if(NOT name STREQUAL "loopir")  # few files, each of them large
      calx_unity(${target} SOURCES ${sources})
    endif()
    if(name MATCHES "^(io|loopir|ops)$")
      # Rules that run once per trace, headers of files, and the oracle that lowered ops are tested against.
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(name STREQUAL "loopir")  # the interpreter's products
      set_source_files_properties("${PROJECT_SOURCE_DIR}/src/loopir/matmul.cc" PROPERTIES
                                  COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(calx::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} ${scope} fmt::fmt Threads::Threads ${depends})
  set_property(GLOBAL APPEND PROPERTY CALX_LAYERS ${target})
endfunction()

# Two precompiled headers: one of the standard library for the layers below core, one that adds core's headers for core
# and everything above it. The first target of either kind builds it, the others reuse it, which is sound because
# they all share the flags of the root directory.
function(calx_precompile target)
  if(NOT CALX_PCH)
    return()
  endif()
  if(target MATCHES "^(calx|unit)_(base|types|loopir|runtime)$")
    set(kind foundation)
  else()
    set(kind core)
  endif()
  get_property(owner GLOBAL PROPERTY CALX_PCH_OWNER_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled_${kind}.h")
    set_property(GLOBAL PROPERTY CALX_PCH_OWNER_${kind} ${target})
  endif()
endfunction()
