// Chooses a method of all pairs from a list.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/apsp/method.hpp"

namespace wayfront::plan {

struct ApspChoice
{
    const ApspMethod* method = nullptr;
    ApspOffer offer;
    /// What the choice compared, in words; empty if an option names the method.
    std::string reason{};
};

/// The method that asked.options name. `processor` is what the message about an obstacle says after the
/// name: " --engine gpu", or nothing. Throws InputError if it cannot do the work, or ResourceError if
/// the memory of the GPU does not suffice.
[[nodiscard]] ApspChoice named_method(ApspCase& asked, std::span<const ApspMethod> methods, std::string_view processor);

/// The method that takes the least time, of those that can do the work in the memory that there is;
/// if the memory suffices for none, the one that needs least. A method that adds floats in another
/// order than along paths has to be four times as fast. The method is null if none can do the work;
/// then the reason has all obstacles.
[[nodiscard]] ApspChoice best_method(ApspCase& asked, std::span<const ApspMethod> methods);

}  // namespace wayfront::plan
