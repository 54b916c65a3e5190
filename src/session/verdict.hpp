// Translates the result of validation on the GPU into that of validation on the host: the same
// rules, described in the same words.
#pragma once

#include "gpu/kron/distance_validation.hpp"
#include "gpu/kron/validation.hpp"
#include "graph500/validate.hpp"

namespace wayfront::session {

/// `vertices` is the number of vertices of the graph.
[[nodiscard]] graph500::BfsValidation to_validation(const gpu::kron::Verdict& verdict, Vertex vertices);
[[nodiscard]] graph500::Validation to_validation(const gpu::kron::DistanceVerdict& verdict, Vertex vertices);

}  // namespace wayfront::session
