// The resident search for shortest paths: one cooperative kernel on each GPU runs a whole search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

inline constexpr int kSsspThreads = 1024;  // number of threads in a thread block

/// The size of the kernel's launch on this device.
struct SsspLaunch
{
    unsigned blocks = 0;           // one block on each multiprocessor
    std::size_t shared_bytes = 0;  // dynamic shared memory of a block
    std::uint32_t hubs = 0;        // number of columns whose distances fit into the shared memory of a block
};

/// Throws ResourceError if the device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] SsspLaunch plan_sssp_launch(WeightType type, Reach reach);

/// Resets all PushState to their values between searches.
void clear_push_states(const SsspView& view, const Stream& stream);

/// Resets all bounds to their values between searches, in which nothing is known of any vertex.
/// Pre: all ranks have stored the LightestArcs of their vertices.
void clear_bounds(const SsspView& view, WeightType type, const Stream& stream);

/// Stores the LightestArcs of this GPU's vertices that pull, on all peers. Pre: all ranks have
/// cleared the memory that peers write. All ranks must have called this before any rank searches.
void store_lightest_arcs(const SsspView& view, WeightType type, const Stream& stream);

/// Fills `leaves` with the leaves of the graph, whose slots begin at `first`.
void collect_sssp_leaves(const ArcListsView& graph, std::uint32_t first, std::span<Leaf> leaves, const Stream& stream);

}  // namespace wayfront::gpu::sssp
