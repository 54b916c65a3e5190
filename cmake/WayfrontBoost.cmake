# Boost, static where WAYFRONT_STATIC_BOOST asks for it and the static libraries are there. A static Boost.Iostreams does not say which libraries of
# compression it needs; they are added to its target. Used by the build and by the installed package.

set(wayfront_boost_components program_options iostreams)

if(WAYFRONT_STATIC_BOOST)
  set(Boost_USE_STATIC_LIBS ON)
  find_package(Boost 1.74 QUIET CONFIG COMPONENTS ${wayfront_boost_components})
  if(NOT Boost_FOUND)
    message(STATUS "No static Boost libraries; linking the shared ones")
  endif()
endif()
if(NOT Boost_FOUND)
  set(Boost_USE_STATIC_LIBS OFF)
  find_package(Boost 1.74 REQUIRED CONFIG COMPONENTS ${wayfront_boost_components})
endif()

get_target_property(wayfront_boost_iostreams_type Boost::iostreams TYPE)
if(wayfront_boost_iostreams_type STREQUAL "STATIC_LIBRARY")
  foreach(library z bz2 lzma zstd)
    find_library(WAYFRONT_LIBRARY_${library} ${library})
    mark_as_advanced(WAYFRONT_LIBRARY_${library})
    if(WAYFRONT_LIBRARY_${library})
      set_property(TARGET Boost::iostreams APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${WAYFRONT_LIBRARY_${library}})
    endif()
  endforeach()
endif()
