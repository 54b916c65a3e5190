# Install rules: the program, the library's headers and static libraries, and the CMake package, so
# that find_package(wayfront) defines wayfront::wayfront.

include(CMakePackageConfigHelpers)
get_property(layers GLOBAL PROPERTY WAYFRONT_INSTALLED_LAYERS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wayfront)

# An installation is refused before its first file is copied if a part of it has not been built.
set(built_files $<TARGET_FILE:wayfront>)
foreach(layer IN LISTS layers)
  get_target_property(layer_type ${layer} TYPE)
  if(layer_type STREQUAL "STATIC_LIBRARY")
    list(APPEND built_files $<TARGET_FILE:${layer}>)
  endif()
endforeach()
install(CODE "foreach(file IN ITEMS ${built_files})
  if(NOT EXISTS \"\${file}\")
    message(FATAL_ERROR \"\${file} has not been built; first run: cmake --build ${PROJECT_BINARY_DIR} --target wayfront wayfront_library\")
  endif()
endforeach()")

install(TARGETS wayfront RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${layers} EXPORT wayfrontTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The headers include "base/error.hpp" and "plan/engine.hpp", which compilers first look for in their
# folder.
# In this order they are in the reference of the site (docs/site/cpp_reference.py).
set(wayfront_headers wayfront graph device_arrays search bfs shortest_paths all_pairs graph500)
list(TRANSFORM wayfront_headers REPLACE "(.+)" "src/wayfront/\\1.hpp")
install(FILES ${wayfront_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wayfront)
install(FILES src/base/error.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wayfront/base)
install(FILES src/plan/engine.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wayfront/plan)
install(FILES README.md CHANGELOG.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs jobs DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS PATTERN docs/site EXCLUDE)
# Notebooks that ran there leave other files, and sockets.
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN "*.ipynb" PATTERN "*.py" PATTERN ".ipynb_checkpoints" EXCLUDE)

install(EXPORT wayfrontTargets NAMESPACE wayfront:: DESTINATION ${package_dir})
configure_package_config_file(cmake/wayfrontConfig.cmake.in ${PROJECT_BINARY_DIR}/wayfrontConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wayfrontConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wayfrontConfig.cmake ${PROJECT_BINARY_DIR}/wayfrontConfigVersion.cmake
  cmake/WayfrontBoost.cmake DESTINATION ${package_dir})
