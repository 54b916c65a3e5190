# Options of the build, and the compiler flags common to all targets.

set(WAYFRONT_CUDA AUTO CACHE STRING "GPU engines: AUTO (if nvcc is found), ON (required), OFF")
set_property(CACHE WAYFRONT_CUDA PROPERTY STRINGS AUTO ON OFF)
option(WAYFRONT_CUDA_LINES "Name lines of the source in GPU code, for profilers" ON)
set(WAYFRONT_ARCH native CACHE STRING "Value of -march for host code (native, x86-64-v3, ...); empty for the compiler's default")
set(WAYFRONT_SANITIZE "" CACHE STRING "Sanitizers to build with, comma-separated (address,undefined); empty for none")
option(WAYFRONT_PYTHON "Build the Python package's module (needs nanobind; see pyproject.toml)" OFF)
# Distributions build static Boost for programs only, not for the shared object that Python loads.
set(static_boost ON)
if(WAYFRONT_PYTHON)
  set(static_boost OFF)
endif()
option(WAYFRONT_STATIC_BOOST "Link Boost statically, so that the program also runs on machines without Boost" ${static_boost})
option(WAYFRONT_HEADER_ONLY_FMT "Compile fmt into the program, so that it also runs on machines without fmt; takes longer to compile" OFF)
option(WAYFRONT_PARQUET "Write results as .parquet if Apache Arrow's C++ library is found" ON)
option(WAYFRONT_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(WAYFRONT_BENCHMARKS "Build the micro-benchmarks" OFF)
option(WAYFRONT_WERROR "Treat warnings as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(WAYFRONT_CCACHE ccache)
mark_as_advanced(WAYFRONT_CCACHE)
if(WAYFRONT_CCACHE)
  # Paths are those from the checkout's root, so that checkouts share what was compiled. Debug
  # information may name the folder of another checkout.
  foreach(language CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${WAYFRONT_CCACHE})
    endif()
  endforeach()
endif()

# By default, ccache does not store a compilation that uses a precompiled header. ccache saves more
# time than precompiled headers.
set(precompile ON)
if(WAYFRONT_CCACHE)
  set(precompile OFF)
endif()
option(WAYFRONT_PRECOMPILED_HEADERS "Compile with precompiled headers; by default only if there is no ccache" ${precompile})

add_library(wayfront_flags INTERFACE)
target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # This warning of the optimiser is wrong about the standard library's own headers; clang-tidy
  # makes the same check with more care.
  target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
if(WAYFRONT_WERROR)
  target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These warnings of the optimiser differ from version to version. They are shown, but never
    # errors.
    target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-error=array-bounds
      -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=restrict -Wno-error=free-nonheap-object>)
  endif()
endif()
if(WAYFRONT_ARCH)
  target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${WAYFRONT_ARCH}>)
endif()
if(WAYFRONT_SANITIZE)
  target_compile_options(wayfront_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WAYFRONT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  if(WAYFRONT_SANITIZE MATCHES "address")
    # AddressSanitizer finds nearly all of these: loads and stores through null pointers, and behind
    # objects. The checks of UndefinedBehaviorSanitizer take an eighth of the time of a build.
    target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,object-size>)
  endif()
  # On a stack that checks for use after return, GCC before 14 aligns variables to 32 bytes at most,
  # but stores 64 bytes of them by instructions that want 64 (bug 110027).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(wayfront_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-mno-avx512f>)
  endif()
  target_link_options(wayfront_flags INTERFACE -fsanitize=${WAYFRONT_SANITIZE})
endif()
if(WAYFRONT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "WAYFRONT_FUZZ needs clang: set CMAKE_CXX_COMPILER to clang++, or use the preset 'fuzz'")
  endif()
  target_compile_options(wayfront_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
