# wayfront_layer(NAME [OF_PROGRAM] SOURCES file... [DEPENDS target...] [PRIVATE_DEPENDS target...])
#
# Defines one layer: the static library wayfront_NAME, whose headers are included as
# "folder/file.hpp". A layer OF_PROGRAM is not installed, since the library does not use it.
function(wayfront_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 LAYER "OF_PROGRAM" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS")
  add_library(wayfront_${name} STATIC ${LAYER_SOURCES})
  add_library(wayfront::${name} ALIAS wayfront_${name})
  set_target_properties(wayfront_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(wayfront_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(wayfront_${name} PUBLIC cxx_std_20)
  target_link_libraries(wayfront_${name} PUBLIC ${LAYER_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:wayfront_flags> ${LAYER_PRIVATE_DEPENDS})
  if(WAYFRONT_PRECOMPILED_HEADERS)
    target_precompile_headers(wayfront_${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp>)
  endif()
  set_property(GLOBAL APPEND PROPERTY WAYFRONT_LAYERS wayfront_${name})
  if(NOT LAYER_OF_PROGRAM)
    set_property(GLOBAL APPEND PROPERTY WAYFRONT_INSTALLED_LAYERS wayfront_${name})
  endif()
endfunction()
