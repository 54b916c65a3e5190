// Makes counters of hops for places of 16 or 32 bits. A file of its own compiles each type.
#pragma once

#include <memory>

#include "gpu/apsp/hops/hop_counter.hpp"

namespace wayfront::gpu::apsp {

/// make_hop_counter() for places of type `Index`.
template <typename Index>
[[nodiscard]] std::unique_ptr<HopCounter> make_hop_counter_of(const DistributedGraph& graph, const HopMemory& memory,
                                                              const HopOptions& options, const Stream& stream);

}  // namespace wayfront::gpu::apsp
