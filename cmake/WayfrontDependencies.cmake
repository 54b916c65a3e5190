# What the program is built on, CUDA apart (WayfrontCuda.cmake).

set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings that MPI-3 removed: mpi.h would bring in their warnings
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 8 REQUIRED)
include(WayfrontBoost)
