// The resident search for shortest paths: one cooperative kernel on each GPU runs a whole search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

inline constexpr int kSsspThreads = 1024;  // of a block

/// The size of the kernel's launch on this device.
struct SsspLaunch
{
    unsigned blocks = 0;           // one on each multiprocessor
    std::size_t shared_bytes = 0;  // of a block, apart from static ones
    std::uint32_t hubs = 0;        // columns whose distances fit the shared memory
};

/// Throws ResourceError if the device cannot run all blocks at once. `type`: uint32 or float32.
[[nodiscard]] SsspLaunch plan_sssp_launch(WeightType type, Reach reach);

/// Puts the states of pushes into the state between searches.
void clear_push_states(const SsspView& view, const Stream& stream);

/// Puts the bounds into the state between searches: nothing is known of any vertex. Pre: all ranks
/// have stored the LightestArcs of their vertices.
void clear_bounds(const SsspView& view, WeightType type, const Stream& stream);

/// Stores, on all peers, the LightestArcs of this GPU's vertices that pull. Pre: all ranks have cleared
/// the memory that they share. No rank may search before all have done this.
void store_lightest_arcs(const SsspView& view, WeightType type, const Stream& stream);

/// Writes the leaves, which have the slots from `first` on.
void collect_sssp_leaves(const ArcListsView& graph, std::uint32_t first, std::span<Leaf> leaves, const Stream& stream);

/// Searches and writes the results by local number. Pre: the bounds have been cleared since the last
/// search, also one by near-far. If the view has several GPUs, all of them have to launch.
void launch_sssp(const SsspView& view, SsspSource source, WeightType type, const SsspLaunch& how, const Stream& stream);

}  // namespace wayfront::gpu::sssp
