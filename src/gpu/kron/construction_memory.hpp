// How much device memory construction will need, before any rank starts. Free of CUDA's headers, so that the driver can ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu {

inline constexpr int kMostKronScale = 31;              // vertices and columns are 32 bits wide on the device
inline constexpr std::uint64_t kMostBatches = 64;      // each goes through all tuples again
inline constexpr std::uint64_t kTileKeys = 1024;       // of a warp that compacts
inline constexpr std::size_t kBatchBytesPerEdge = 17;  // two keys, the counts of tiles and scratch: BatchPlan

/// A number for each vertex of the whole graph, by recursive number: degrees first, columns afterwards.
struct VertexTablePlan : MemoryPlan
{
    explicit VertexTablePlan(std::size_t vertices) : by_recursive(array<std::uint32_t>("degrees, then columns, of all vertices", vertices)) {}
    PlannedArray<std::uint32_t> by_recursive;
};

/// Own vertices while they are sorted by degree.
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

/// The slots of own vertices, and where the slots' lists begin.
struct SlotsPlan : MemoryPlan
{
    SlotsPlan(std::size_t own, std::size_t slots)
        : slot_of_local(array<std::uint32_t>("slots of vertices", own)), row_starts(array<std::uint64_t>("begins of lists", slots + 1))
    {
    }
    PlannedArray<std::uint32_t> slot_of_local;
    PlannedArray<std::uint64_t> row_starts;
};

/// The slots that all ranks gave their vertices, `part` each; nothing with one rank.
struct GatheredSlotsPlan : MemoryPlan
{
    GatheredSlotsPlan(std::size_t ranks, std::size_t part) : slots(array<std::uint32_t>("slots of all ranks", ranks > 1 ? ranks : 0, part)) {}
    PlannedArray<std::uint32_t> slots;
};

/// Edges that are sorted at once, as keys.
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

/// Bytes of the rank that needs most.
struct ConstructionMemory
{
    std::size_t graph_bytes = 0;      // what stays
    std::size_t least_bytes = 0;      // the peak with edges sorted in small batches
    std::size_t one_batch_bytes = 0;  // the peak with all edges sorted at once: with so much, construction is fastest
};

/// The expected number of vertices with edges in a Kronecker graph. Within 0.01% of the true number at scale 20 and above.
[[nodiscard]] double expected_connected_vertices(int scale, EdgeCount tuples);

/// For a Kronecker graph over ranks with a GPU each. Pre: 1 <= scale <= kMostKronScale.
[[nodiscard]] ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks);

/// Throws ResourceError, saying what is needed, what is free and what would do, where construction cannot fit `free_bytes` a rank (of a GPU that k
/// ranks share, each has a k-th).
void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes);

}  // namespace wayfront::gpu
