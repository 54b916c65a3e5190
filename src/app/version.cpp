#include "app/version.hpp"

namespace wayfront::app {

std::string_view program_version()
{
    return WAYFRONT_VERSION;
}

}  // namespace wayfront::app
