// Predicts the device memory that construction will need, before any rank starts. Free of CUDA's
// headers, so that the driver can include it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::kron {

// Vertices and columns are 32 bits wide on the device.
inline constexpr int kMostKronScale = 31;
inline constexpr std::uint64_t kMostBatches = 64;  // each goes through all tuples again
inline constexpr std::uint64_t kTileKeys = 1024;   // keys that a warp compacts
// Two keys, and the counts of tiles and scratch memory: see BatchPlan.
inline constexpr std::size_t kBatchBytesPerEdge = 17;
// With two weights: see WeightedBatchPlan.
inline constexpr std::size_t kWeightedBatchBytesPerEdge = 25;

/// A number for each vertex of the whole graph, by recursive number: first the degrees, afterwards
/// the columns.
struct VertexTablePlan : MemoryPlan
{
    explicit VertexTablePlan(std::size_t vertices)
        : by_recursive(array<std::uint32_t>("degrees, then columns, of all vertices", vertices))
    {
    }
    PlannedArray<std::uint32_t> by_recursive;
};

/// The arrays for sorting own vertices by degree.
struct OrderPlan : MemoryPlan
{
    explicit OrderPlan(std::size_t own)
        : degree_of_local(array<std::uint32_t>("degrees", own)),
          keys{array<std::uint8_t>("degree classes", own), array<std::uint8_t>("sorted degree classes", own)},
          locals{array<std::uint32_t>("vertices", own), array<std::uint32_t>("sorted vertices", own)}
    {
    }
    PlannedArray<std::uint32_t> degree_of_local;
    std::array<PlannedArray<std::uint8_t>, 2> keys;
    std::array<PlannedArray<std::uint32_t>, 2> locals;
};

/// The slots of own vertices, and the beginnings of the slots' lists.
struct SlotsPlan : MemoryPlan
{
    SlotsPlan(std::size_t own, std::size_t slots)
        : slot_of_local(array<std::uint32_t>("slots of vertices", own)),
          row_starts(array<std::uint64_t>("begins of lists", slots + 1))
    {
    }
    PlannedArray<std::uint32_t> slot_of_local;
    PlannedArray<std::uint64_t> row_starts;
};

/// The slots that all ranks gave their vertices, `part` for each rank; empty if there is one rank.
struct GatheredSlotsPlan : MemoryPlan
{
    GatheredSlotsPlan(std::size_t ranks, std::size_t part)
        : slots(array<std::uint32_t>("slots of all ranks", ranks > 1 ? ranks : 0, part))
    {
    }
    PlannedArray<std::uint32_t> slots;
};

/// The keys of the edges that are sorted at once.
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

/// The keys and weights of the edges that are sorted at once. The lists are sorted by weight in the
/// same arrays: the weights then become part of the keys, and columns take their place.
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
/// rounded up to a multiple of 64 as on the host. With several ranks it is the stride of slots.
[[nodiscard]] constexpr std::size_t weighted_slots(std::size_t connected)
{
    return connected == 0 ? 64 : (connected + 63) / 64 * 64;
}

/// The device memory of the rank that needs the most, and the number of its slots.
struct ConstructionMemory
{
    std::size_t slots = 0;
    std::size_t graph_bytes = 0;  // the finished graph
    std::size_t least_bytes = 0;  // the peak if edges are sorted in small batches
    // The peak if all edges are sorted at once. Construction is fastest with this amount of memory.
    std::size_t one_batch_bytes = 0;
};

/// The expected number of vertices with edges in a Kronecker graph. Within 0.01% of the true number
/// at scale 20 and above.
[[nodiscard]] double expected_connected_vertices(int scale, EdgeCount tuples);

/// The memory for a Kronecker graph over `ranks` ranks with a GPU each. Pre: 1 <= scale <=
/// kMostKronScale.
[[nodiscard]] ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks);

/// The memory for a Kronecker graph with weights, in one list for each vertex (ArcLists).
[[nodiscard]] ConstructionMemory weighted_construction_memory(int scale, EdgeCount tuples, int ranks);

/// Throws ResourceError if construction does not fit `free_bytes`, the free GPU memory of a rank
/// (if k ranks share a GPU, each has one k-th of it). The message says how much memory is needed,
/// how much is free, and what would suffice.
void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);
/// The same for construction with weights.
void require_weighted_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu::kron
