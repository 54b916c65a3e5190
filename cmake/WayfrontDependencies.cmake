# The libraries that the program needs, except CUDA (WayfrontCuda.cmake).

set(MPI_CXX_SKIP_MPICXX ON)  # without the C++ bindings, which MPI-3 removed and whose headers cause warnings
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 8 REQUIRED)
include(WayfrontBoost)
wayfront_find_boost(iostreams ${WAYFRONT_STATIC_BOOST})
wayfront_find_boost(program_options ${WAYFRONT_STATIC_BOOST})
wayfront_find_zstd()
foreach(target Boost::iostreams Boost::program_options wayfront::zstd)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${target} was not found; needed are Boost 1.74 (iostreams, program_options) and zstd, with their headers")
  endif()
endforeach()
