#include "comm/session.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "comm/mpi_calls.hpp"

namespace wayfront::comm {

std::optional<int> launcher_rank()
{
    for (const char* const name :
         {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    return std::nullopt;
}

Session::Session(int& argc, char**& argv)
{
    if (!launcher_rank()) return;
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    initialised_ = true;
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

void Session::finalise()
{
    if (std::exchange(initialised_, false)) check(MPI_Finalize());
}

Session::~Session()
{
    if (initialised_) MPI_Finalize();
}

void Session::abort(int exit_code)
{
    if (mpi_is_active()) MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

bool mpi_is_active()
{
    int initialized = 0;
    int finalized = 0;
    check(MPI_Initialized(&initialized));
    check(MPI_Finalized(&finalized));
    return initialized != 0 && finalized == 0;
}

bool cuda_aware()
{
#ifdef MPIX_CUDA_AWARE_SUPPORT
    return mpi_is_active() && MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

std::string library_version()
{
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    check(MPI_Get_library_version(text.data(), &length));
    std::string version(text.data());
    // cuts off the package, the configuration and dates
    version.resize(std::min(version.find_first_of(",\n"), version.size()));
    std::ranges::replace(version, '\t', ' ');
    return version;
}

}  // namespace wayfront::comm
