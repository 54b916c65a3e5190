#include "app/cli/version.hpp"

namespace wayfront::app {

std::string_view program_version()
{
    return WAYFRONT_VERSION;
}

std::string_view built_with()
{
    return WAYFRONT_CUDA "; " WAYFRONT_NCCL "; " WAYFRONT_OPENMP;
}

}  // namespace wayfront::app
