// The arrays of construction, without the graph itself. Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::construction {

inline constexpr std::uint64_t kMostBatches = 64;  // each batch takes a pass over all tuples
inline constexpr std::uint64_t kTileKeys = 1024;   // number of keys that a warp compacts
// Two keys, the counts of tiles, and scratch memory: see BatchPlan.
inline constexpr std::size_t kBatchBytesPerEdge = 17;
// The same for edges with weights, which add two weights an edge: see WeightedBatchPlan.
inline constexpr std::size_t kWeightedBatchBytesPerEdge = 25;

/// A number for each vertex of the whole graph, by the vertex's number in tuples: first its degree,
/// later its column. In a directed graph, out-degrees and in-degrees are separate.
struct VertexTablePlan : MemoryPlan
{
    explicit VertexTablePlan(std::size_t vertices, bool directed = false)
        : by_end(array<std::uint32_t>("degrees, then columns, of all vertices", vertices)),
          out_degrees(array<std::uint32_t>("out-degrees of all vertices", directed ? vertices : 0))
    {
    }
    PlannedArray<std::uint32_t> by_end, out_degrees;
};

/// The arrays with which own vertices are sorted by degree.
struct OrderPlan : MemoryPlan
{
    explicit OrderPlan(std::size_t own, bool directed = false)
        : degree_of_local(array<std::uint32_t>("degrees", own)),
          out_degree_of_local(array<std::uint32_t>("out-degrees", directed ? own : 0)),
          keys{array<std::uint8_t>("degree classes", own), array<std::uint8_t>("sorted degree classes", own)},
          locals{array<std::uint32_t>("vertices", own), array<std::uint32_t>("sorted vertices", own)}
    {
    }
    PlannedArray<std::uint32_t> degree_of_local, out_degree_of_local;
    std::array<PlannedArray<std::uint8_t>, 2> keys;
    std::array<PlannedArray<std::uint32_t>, 2> locals;
};

/// The slots of own vertices, and the begins of the slots' lists.
struct SlotsPlan : MemoryPlan
{
    SlotsPlan(std::size_t own, std::size_t slots, bool directed = false)
        : slot_of_local(array<std::uint32_t>("slots of vertices", own)),
          row_starts(array<std::uint64_t>("begins of lists", slots + 1)),
          out_row_starts(array<std::uint64_t>("begins of lists of out-edges", directed ? slots + 1 : 0))
    {
    }
    PlannedArray<std::uint32_t> slot_of_local;
    PlannedArray<std::uint64_t> row_starts, out_row_starts;
};

/// The slots of the vertices of all ranks, `part` for each rank; empty if there is one rank.
struct GatheredSlotsPlan : MemoryPlan
{
    GatheredSlotsPlan(std::size_t ranks, std::size_t part)
        : slots(array<std::uint32_t>("slots of all ranks", ranks > 1 ? ranks : 0, part))
    {
    }
    PlannedArray<std::uint32_t> slots;
};

/// The keys of the edges that are sorted together.
struct BatchPlan : MemoryPlan
{
    constexpr explicit BatchPlan(std::size_t most_keys)
        : keys(array<std::uint64_t>("keys", most_keys)),
          other_keys(array<std::uint64_t>("sorted keys", most_keys)),
          tile_starts(array<std::uint64_t>("begins of tiles", most_keys / kTileKeys + 2))
    {
        array<std::byte>("scratch for sorting, at most", most_keys - most_keys / kTileKeys * sizeof(std::uint64_t));
    }
    PlannedArray<std::uint64_t> keys, other_keys, tile_starts;
};
static_assert(BatchPlan(1 << 20).bytes() - BatchPlan(0).bytes() == kBatchBytesPerEdge << 20);

/// The keys and weights of the edges that are sorted together. The lists are then sorted by weight
/// in the same arrays: the weights become a part of the keys, and columns replace the weights.
struct WeightedBatchPlan : BatchPlan
{
    constexpr explicit WeightedBatchPlan(std::size_t most_keys)
        : BatchPlan(most_keys),
          values(array<std::uint32_t>("weights or columns", most_keys)),
          other_values(array<std::uint32_t>("sorted weights or columns", most_keys))
    {
    }
    PlannedArray<std::uint32_t> values, other_values;
};
static_assert(WeightedBatchPlan(1 << 20).bytes() - WeightedBatchPlan(0).bytes() == kWeightedBatchBytesPerEdge << 20);

/// The number of slots of a graph with weights on one rank: the number of vertices with edges,
/// rounded up to a multiple of 64, as on the host. With several ranks, the number of slots is the
/// stride of slots.
[[nodiscard]] constexpr std::size_t weighted_slots(std::size_t connected)
{
    return connected == 0 ? 64 : (connected + 63) / 64 * 64;
}

}  // namespace wayfront::gpu::construction
