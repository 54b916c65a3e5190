// The arrays that counts of numbers of edges (hop_counter.hpp) allocate. Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/apsp/hops/hop_plan.hpp"
#include "gpu/apsp/hops/hop_share.hpp"
#include "gpu/apsp/rows/source_facts.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/runtime/counts.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::apsp {

struct HopTotals
{
    std::uint64_t pairs;    // number of pairs of wanted sources and targets that a level found
    std::uint64_t changed;  // number of sets that have grown
    [[nodiscard]] static WAYFRONT_HD constexpr WordReduction reduction(int /*word*/) { return WordReduction::sum; }
};

/// The lists of a HopGraph.
template <typename Index>
struct HopGraphPlan : MemoryPlan
{
    HopGraphPlan(std::size_t places, std::size_t rest_count, std::size_t chunk_entries)
        : heads(array<Index>("heads of lists", places, kHopEntries)),
          rests(array<std::uint32_t>("first chunks of long lists", rest_count)),
          chunks(array<Index>("chunks of long lists", chunk_entries))
    {
    }
    explicit HopGraphPlan(const HopGraph<Index>& graph)
        : HopGraphPlan(graph.place_of_slot.size(), graph.rests.size(), graph.chunks.size())
    {
    }
    /// The plan with the most memory: all places of all batches may have long lists. The chunks of
    /// a long list have fewer entries than the list has arcs.
    static HopGraphPlan most(std::size_t places, std::size_t arcs) { return {places, places + kHopTargets + 1, arcs}; }

    PlannedArray<Index> heads;
    PlannedArray<std::uint32_t> rests;
    PlannedArray<Index> chunks;
};

/// The arrays by vertex and by place that all methods of counting use.
struct HopPlacesPlan : MemoryPlan
{
    HopPlacesPlan(std::size_t vertices, std::size_t places)
        : place_of_vertex(array<std::uint32_t>("places of vertices", vertices)),
          multiplicities(array<std::uint32_t>("multiplicities of sources", places)),
          facts(array<SourceFacts>("facts of places", places)),
          pairs_listed(array<unsigned long long>("number of missing pairs", 1)),
          barrier(array<GridBarrierState<HopTotals>>("barrier", 1))
    {
    }

    PlannedArray<std::uint32_t> place_of_vertex, multiplicities;
    PlannedArray<SourceFacts> facts;
    PlannedArray<unsigned long long> pairs_listed;
    PlannedArray<GridBarrierState<HopTotals>> barrier;
};

/// The queues of searches in this number of blocks.
template <typename Index>
struct HopQueuesPlan : MemoryPlan
{
    HopQueuesPlan(std::size_t blocks, std::size_t places) : queues(array<Index>("queues of searches", blocks, places))
    {
    }

    PlannedArray<Index> queues;
};

/// The results of a sample of searches, which are freed after the sample.
struct HopSamplePlan : MemoryPlan
{
    explicit HopSamplePlan(std::size_t most_levels) : arcs(array<unsigned long long>("arcs of levels", most_levels)) {}

    PlannedArray<unsigned long long> arcs;
};

/// The arrays of counts by sets, without HopMemory.
struct HopSetsPlan : MemoryPlan
{
    explicit HopSetsPlan(std::size_t places)
        : sizes{array<std::uint16_t>("sizes of sets", places), array<std::uint16_t>("sizes of new sets", places)}
    {
    }

    std::array<PlannedArray<std::uint16_t>, 2> sizes;
};

/// The sets of all batches of a rank, and the list of missing pairs.
struct HopMatrixPlan : MemoryPlan
{
    /// `transposed`: whether the sets are transposed from bitmaps of searches
    /// (transposed_spheres.cuh).
    explicit HopMatrixPlan(std::size_t places, const HopShare& share = {}, bool transposed = false)
        : sets(array<std::uint32_t>("sets of all batches", batches_of(places, share) + 1, places, kHopTargets / 32)),
          first_sizes(array<std::uint16_t>("sizes of the first sets", batches_of(places, share), places)),
          pairs(array<std::uint64_t>(
              "missing pairs",
              places * share.places_of(static_cast<std::uint32_t>(places)) / kPairsOfMissing + kLeastPairs)),
          left(array<std::uint32_t>("missing pairs of places", places)),
          found(array<std::uint32_t>("found pairs of places", places)),
          bitmaps(array<std::uint32_t>("bitmaps of searches", transposed ? batches_of(places, share) : 0, kHopTargets,
                                       batches_of(places, {}), kHopTargets / 32)),
          facts(array<SourceFacts>("facts of sets", share.ranks > 1 ? places : 0))
    {
    }
    [[nodiscard]] static constexpr std::size_t batches_of(std::size_t places, const HopShare& share)
    {
        return share.batches_of(static_cast<std::uint32_t>((places + kHopTargets - 1) / kHopTargets));
    }
    static constexpr std::size_t kLeastPairs = 4096;

    PlannedArray<std::uint32_t> sets;  // sets of all batches and of one more
    PlannedArray<std::uint16_t> first_sizes;
    PlannedArray<std::uint64_t> pairs;  // two words for each pair
    PlannedArray<std::uint32_t> left, found, bitmaps;
    PlannedArray<SourceFacts> facts;
};

}  // namespace wayfront::gpu::apsp
