# Install rules: the program, the layers as static libraries with their headers, and the CMake package, so that find_package(wayfront) gives
# wayfront::wayfront (all layers) and one target a layer (wayfront::graph, ...).

include(CMakePackageConfigHelpers)
get_property(layers GLOBAL PROPERTY WAYFRONT_LAYERS)
list(REMOVE_ITEM layers wayfront_app)  # the driver is a program, not an interface
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wayfront)

# All layers under one name. The program itself is called wayfront, so the target in this build is not.
add_library(wayfront_all INTERFACE)
set_target_properties(wayfront_all PROPERTIES EXPORT_NAME wayfront)
target_link_libraries(wayfront_all INTERFACE ${layers})

install(TARGETS wayfront RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS wayfront_all ${layers} EXPORT wayfrontTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(folders_left_out PATTERN app EXCLUDE)
if(NOT WAYFRONT_HAVE_CUDA)
  list(APPEND folders_left_out PATTERN gpu EXCLUDE)
endif()
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wayfront FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" ${folders_left_out})
install(DIRECTORY graph500 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wayfront FILES_MATCHING PATTERN "*.hpp")
install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT wayfrontTargets NAMESPACE wayfront:: DESTINATION ${package_dir})
configure_package_config_file(cmake/wayfrontConfig.cmake.in ${PROJECT_BINARY_DIR}/wayfrontConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wayfrontConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wayfrontConfig.cmake ${PROJECT_BINARY_DIR}/wayfrontConfigVersion.cmake
  cmake/WayfrontBoost.cmake DESTINATION ${package_dir})
