// What validation on the GPU found, in the terms of validation on the host: the same rules, and the same words for the user.
#pragma once

#include "gpu/kron/validation.hpp"
#include "graph500/validate.hpp"

namespace wayfront::app {

/// `vertices` is the graph's n.
[[nodiscard]] graph500::BfsValidation to_validation(const gpu::Verdict& verdict, Vertex vertices);

}  // namespace wayfront::app
