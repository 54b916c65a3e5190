#pragma once

#include <string_view>

namespace wayfront::app {

/// "0.1.0", from the build.
std::string_view program_version();

}  // namespace wayfront::app
