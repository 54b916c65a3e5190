// The methods of all pairs on the CPU's cores.
#pragma once

#include <span>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

[[nodiscard]] std::span<const ApspMethod> core_methods();

}  // namespace wayfront::plan
