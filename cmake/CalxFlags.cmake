# Flags that every target of the project shares, and ccache where it is installed.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# Position independent everywhere: the library may end in a shared one, and one precompiled header serves programs too.
add_compile_options(-fPIC)

# Results must not depend on what the compiler may contract; fused multiply-adds are written explicitly.
add_compile_options(-ffp-contract=off)

# GCC 12 removes stores that are only read after an exception has passed (tests/errors fails at -O1 without this).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-fno-ipa-modref)
endif()

set(calx_warnings -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of GCC 12 at -O2: in std::string concatenation (GCC bug 105329), and on optional and variant.
  list(APPEND calx_warnings -Wno-restrict -Wno-maybe-uninitialized)
endif()
add_compile_options(${calx_warnings})
if(CALX_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

if(CALX_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CALX_CCACHE ccache)
mark_as_advanced(CALX_CCACHE)
if(CALX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  if(NOT DEFINED ENV{CCACHE_BASEDIR})
    list(APPEND launcher "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher} sh "${CMAKE_CURRENT_LIST_DIR}/ccache.sh" "${CALX_CCACHE}")
  if(CALX_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
