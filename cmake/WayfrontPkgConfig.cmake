# Installs wayfront.pc, for builds that do not use CMake. The libraries are static, so that a program
# links all of them, and what they need.

# A layer comes before those that it uses.
get_property(layers GLOBAL PROPERTY WAYFRONT_INSTALLED_LAYERS)
list(REVERSE layers)
list(TRANSFORM layers PREPEND -l)
list(JOIN layers " " own_libraries)

set(other_libraries $<TARGET_FILE:Boost::iostreams> $<TARGET_FILE:wayfront::zstd>)
get_target_property(iostreams_libraries Boost::iostreams INTERFACE_LINK_LIBRARIES)
foreach(library IN LISTS iostreams_libraries)
  if(library MATCHES "^/")  # the compression libraries that a static Boost.Iostreams needs
    list(APPEND other_libraries ${library})
  endif()
endforeach()
list(APPEND other_libraries $<TARGET_FILE:fmt::fmt> ${MPI_CXX_LIBRARIES} ${OpenMP_CXX_FLAGS})
if(EXPAT_FOUND)
  list(APPEND other_libraries $<TARGET_FILE:EXPAT::EXPAT>)
endif()
foreach(library IN LISTS wayfront_parquet)
  list(APPEND other_libraries $<TARGET_FILE:${library}>)
endforeach()
if(WAYFRONT_HAVE_CUDA)
  list(APPEND other_libraries $<TARGET_FILE:CUDA::cudart>)
endif()
list(APPEND other_libraries -lpthread -ldl)
list(JOIN other_libraries " " other_libraries)

set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pc /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/wayfront.pc.in ${PROJECT_BINARY_DIR}/wayfront.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/wayfront.pc INPUT ${PROJECT_BINARY_DIR}/wayfront.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/wayfront.pc DESTINATION ${pkgconfig_dir})
