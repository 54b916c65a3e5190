# The Debian package, made by `cpack -G DEB` in a build with the preset deb.

set(WAYFRONT_PACKAGE_CONTACT "The wayfront developers <maintainers@wayfront.example>" CACHE STRING "Name and address of the maintainer of packages")
mark_as_advanced(WAYFRONT_PACKAGE_CONTACT)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wayfront)
set(CPACK_PACKAGE_VENDOR "The wayfront developers")
set(CPACK_PACKAGE_CONTACT ${WAYFRONT_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "breadth-first search and shortest paths on CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION "wayfront searches graphs breadth-first and for shortest paths, from one source
or between all pairs of vertices, and runs the Graph500 benchmark. It uses all
cores, and the ranks of an MPI job. The package has the program, and the static
library with its header.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin")
# to compile programs that use the library
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, libboost-iostreams-dev, libbz2-dev, libexpat1-dev, libfmt-dev, liblzma-dev, libopenmpi-dev, libzstd-dev, zlib1g-dev")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake)
include(CPack)
