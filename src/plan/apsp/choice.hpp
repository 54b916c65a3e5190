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
    /// The times that the choice compared, in words; empty if an option names the method.
    std::string reason{};
};

/// A list of methods, and what messages say of it.
struct NamedMethods
{
    std::span<const ApspMethod> methods;
    std::string_view processor;  // after the name of a method that cannot do the work: " --engine gpu"
    std::string_view absent;     // why a name of another list is not in this one
};

/// The method that asked.options name. Throws InputError if it cannot do the work, or ResourceError
/// if the memory of the GPU does not suffice.
[[nodiscard]] ApspChoice named_method(ApspCase& asked, const NamedMethods& list);

/// Whether the memory of a rank suffices. A method that stores the matrix there, not on a GPU, leaves half of the
/// memory to other programs, and is not risked if the amount is unknown.
[[nodiscard]] bool fits(const ApspOffer& offer, const ApspMachine& machine);

/// The seconds by which methods are compared: one that adds floats in another order than along paths has to be four
/// times as fast.
[[nodiscard]] double compared_seconds(double seconds, bool other_roundings);

/// The offer of a method, with the time in which the cores trace the parents that its rows lack.
/// Pre: as for ApspMethod::offer.
[[nodiscard]] ApspOffer offer_of(const ApspMethod& method, const ApspCase& asked);

/// The method that takes the least time, of those that can do the work in the memory that there is;
/// if the memory suffices for none, the one that needs least. Methods that store the matrix may take
/// half of the memory. Times are compared_seconds(). The method is null if none can do the work; then
/// the reason has all obstacles.
[[nodiscard]] ApspChoice best_method(ApspCase& asked, std::span<const ApspMethod> methods);

}  // namespace wayfront::plan
