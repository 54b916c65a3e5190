// The device memory that the construction of a Kronecker graph is expected to take, for plans.
#pragma once

#include <optional>

#include "base/types.hpp"

namespace wayfront::session {

/// The bytes on each of `ranks` GPUs, which sort the edges in as few batches as fit `memory_bytes`. No value if GPUs do
/// not construct graphs of this scale.
[[nodiscard]] std::optional<double> kron_construction_bytes(int scale, EdgeCount tuples, bool weighted, int ranks,
                                                            double memory_bytes);

}  // namespace wayfront::session
