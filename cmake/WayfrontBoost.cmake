# Boost and zstd as targets. The build and the installed package use this file; the variables that
# it sets are local to its functions.

# wayfront_find_boost(COMPONENT STATIC) defines the target Boost::COMPONENT unless it exists. If
# STATIC is true and a static library exists, the target is that library. A static Boost.Iostreams
# does not say which compression libraries it needs; they are added to its target.
function(wayfront_find_boost component static)
  if(static AND NOT TARGET Boost::${component})
    set(Boost_USE_STATIC_LIBS ON)
    find_package(Boost 1.74 QUIET CONFIG COMPONENTS ${component})
    if(NOT TARGET Boost::${component})
      message(STATUS "No static Boost.${component}; linking the shared one")
    endif()
  endif()
  if(NOT TARGET Boost::${component})
    set(Boost_USE_STATIC_LIBS OFF)
    find_package(Boost 1.74 QUIET CONFIG COMPONENTS ${component})
  endif()
  if(NOT component STREQUAL "iostreams" OR NOT TARGET Boost::iostreams)
    return()
  endif()
  get_target_property(type Boost::iostreams TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    foreach(library z bz2 lzma zstd)
      find_library(WAYFRONT_LIBRARY_${library} ${library})
      mark_as_advanced(WAYFRONT_LIBRARY_${library})
      if(WAYFRONT_LIBRARY_${library})
        set_property(TARGET Boost::iostreams APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${WAYFRONT_LIBRARY_${library}})
      endif()
    endforeach()
  endif()
endfunction()

# Defines the target wayfront::zstd if the library and its header are found. Not every zstd comes
# with a package for CMake.
function(wayfront_find_zstd)
  find_library(WAYFRONT_LIBRARY_zstd zstd)
  find_path(WAYFRONT_ZSTD_INCLUDE_DIR zstd.h)
  mark_as_advanced(WAYFRONT_LIBRARY_zstd WAYFRONT_ZSTD_INCLUDE_DIR)
  if(WAYFRONT_LIBRARY_zstd AND WAYFRONT_ZSTD_INCLUDE_DIR AND NOT TARGET wayfront::zstd)
    add_library(wayfront::zstd UNKNOWN IMPORTED)
    set_target_properties(wayfront::zstd PROPERTIES
      IMPORTED_LOCATION ${WAYFRONT_LIBRARY_zstd} INTERFACE_INCLUDE_DIRECTORIES ${WAYFRONT_ZSTD_INCLUDE_DIR})
  endif()
endfunction()
