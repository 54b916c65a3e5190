#include "gpu/kron/construction_memory.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/construction/construction_plans.hpp"
#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/device_graph_plan.hpp"

namespace wayfront::gpu::kron {

namespace {

using construction::BatchPlan;
using construction::GatheredSlotsPlan;
using construction::OrderPlan;
using construction::SlotsPlan;
using construction::VertexTablePlan;
using construction::weighted_slots;
using construction::WeightedBatchPlan;

// Ratio between the edges and vertices of the rank with the most and the average. The measured maximum
// was 1.01, with 8 ranks and scales from 26 on.
constexpr double kUneven = 1.02;
// Allowance for more vertices with edges than expected. The expectation is accurate to 0.01% from
// scale 20 on.
constexpr double kUnexpected = 1.001;
// Number of batches that least_bytes assumes. This number of passes still takes only seconds.
constexpr std::size_t kFewestBatches = 16;

/// The sizes of the rank with the most vertices and edges.
struct RankSizes
{
    std::size_t ranks;
    std::size_t vertices;   // number of vertices of all ranks
    std::size_t own;        // number of vertices of the rank
    std::size_t connected;  // own vertices with edges
    std::size_t stride;
    std::size_t edges;

    /// `allowance`: ratio between the number of vertices with edges and its expectation.
    RankSizes(int scale, EdgeCount tuples, int rank_count, double allowance)
        : ranks(static_cast<std::size_t>(rank_count)),
          vertices(std::size_t{1} << scale),
          own((vertices + ranks - 1) / ranks)
    {
        const double uneven = ranks > 1 ? kUneven : 1;
        const double expected = expected_connected_vertices(scale, tuples) / rank_count;
        connected = std::min(static_cast<std::size_t>(expected * uneven * allowance), own);
        stride = connected / kTileSlots * kTileSlots + kTileSlots;
        edges = static_cast<std::size_t>(2.0 * static_cast<double>(tuples) / rank_count * uneven);
    }
};

/// The parts of construction's memory that are the same for all forms of lists.
struct NumberingMemory
{
    VertexTablePlan table;
    SlotsPlan slots;
    ColumnsPlan columns;
    std::size_t peak;  // largest memory while vertices are numbered

    explicit NumberingMemory(const RankSizes& sizes)
        : table(sizes.vertices), slots(sizes.own, sizes.stride), columns(sizes.ranks, sizes.stride)
    {
        const std::size_t ordering = bytes_of(table, OrderPlan(sizes.own));
        peak = std::max(ordering, bytes_of(table, slots, columns, GatheredSlotsPlan(sizes.ranks, sizes.own)));
    }
};

/// `sorting(batches)`: memory while edges are sorted in this number of batches. `other_steps`:
/// memory of the largest other step.
template <typename F>
ConstructionMemory memory_of(std::size_t slots, std::size_t graph_bytes, std::size_t other_steps, F&& sorting)
{
    return {.slots = slots,
            .graph_bytes = graph_bytes,
            .least_bytes = std::max(other_steps, sorting(kFewestBatches)) + kDeviceReserveBytes,
            .one_batch_bytes = std::max(other_steps, sorting(std::size_t{1})) + kDeviceReserveBytes};
}

/// A form of construction: the estimate of its memory, and the word for the graph's edges in
/// messages.
struct ConstructionForm
{
    ConstructionMemory (*memory)(int scale, EdgeCount tuples, int ranks);
    const char* edges;
};

/// Implements require_construction_memory() and require_weighted_memory().
void require_memory(const ConstructionForm& form, int scale, EdgeCount tuples, int ranks, std::size_t free_bytes)
{
    const auto fits = [&](int of_scale, int of_ranks) {
        const EdgeCount of_tuples = std::max<EdgeCount>(tuples >> (scale - of_scale), 1);
        return of_scale >= 1 && of_scale <= kMostKronScale &&
               form.memory(of_scale, of_tuples, of_ranks).least_bytes <= free_bytes;
    };
    if (fits(scale, ranks)) return;
    std::string message =
        "not enough GPU memory: kron:" + std::to_string(scale) + " with " + std::to_string(tuples) + " " + form.edges;
    if (scale > kMostKronScale)
        throw ResourceError(message + " exceeds the largest scale that GPUs construct, " +
                            std::to_string(kMostKronScale));
    message += " over " + std::to_string(ranks) + (ranks == 1 ? " rank needs " : " ranks needs ") +
               bytes_in_words(static_cast<double>(form.memory(scale, tuples, ranks).least_bytes)) +
               " on the GPU of each, " + bytes_in_words(static_cast<double>(free_bytes)) + " are free";

    constexpr int most_ranks = 1 << 16;
    int more = ranks;
    while (more <= most_ranks && !fits(scale, more)) more *= 2;
    int smaller = scale;
    while (smaller >= 1 && !fits(smaller, ranks)) --smaller;
    const std::string ranks_that_do = more <= most_ranks ? std::to_string(more) + " ranks with as much" : "";
    const std::string scale_that_does = smaller >= 1 ? "scale " + std::to_string(smaller) : "";
    const std::string between = !ranks_that_do.empty() && !scale_that_does.empty() ? " or " : "";
    if (!(ranks_that_do + scale_that_does).empty())
        message += "; " + ranks_that_do + between + scale_that_does + " would do";
    throw ResourceError(message);
}

}  // namespace

double expected_connected_vertices(int scale, EdgeCount tuples)
{
    // An end of a tuple is the vertex v with probability 0.76^zeros 0.24^ones, for the zeros and
    // ones in v's bits before the scrambling.
    double sum = 0;
    double vertices = 1;  // number of vertices with `ones` ones, a binomial coefficient
    for (int ones = 0; ones <= scale; ++ones) {
        const double share = std::pow(0.76, scale - ones) * std::pow(0.24, ones);
        sum += vertices * -std::expm1(-2 * static_cast<double>(tuples) * share);
        vertices *= static_cast<double>(scale - ones) / (ones + 1);
    }
    return sum;
}

ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks)
{
    const RankSizes sizes(scale, tuples, ranks, 1);
    const NumberingMemory numbers(sizes);
    const PlainListsPlan lists(sizes.stride, sizes.edges);  // the offsets of `lists` replace numbers.slots.row_starts
    const auto graph = PlacedListsPlan::most(static_cast<std::uint32_t>(sizes.stride), sizes.edges);
    const auto near = NearVerticesPlan::most(static_cast<std::uint32_t>(sizes.stride));
    const LocalSlotsPlan locals(sizes.own, sizes.own);

    // Joining the lists of batches takes less memory than this step.
    const std::size_t placing = bytes_of(graph, numbers.columns, locals, lists);
    const std::size_t completed = bytes_of(graph, near, numbers.columns, locals);
    const std::size_t completing = completed + numbers.slots.slot_of_local.bytes();
    return memory_of(sizes.stride, completed, std::max({numbers.peak, placing, completing}), [&](std::size_t batches) {
        return bytes_of(numbers.table, numbers.slots, numbers.columns, BatchPlan(sizes.edges / batches)) +
               lists.columns.bytes();
    });
}

ConstructionMemory weighted_construction_memory(int scale, EdgeCount tuples, int ranks)
{
    const RankSizes sizes(scale, tuples, ranks, kUnexpected);
    const NumberingMemory numbers(sizes);
    const std::size_t slots = ranks == 1 ? weighted_slots(sizes.connected) : sizes.stride;
    const auto arcs = ArcArraysPlan::most(slots, sizes.edges);
    const LocalSlotsPlan locals(sizes.own, sizes.connected);

    const std::size_t completing = bytes_of(arcs, numbers.columns, locals) + numbers.slots.slot_of_local.bytes();
    return memory_of(slots, bytes_of(arcs, numbers.columns, locals), std::max(numbers.peak, completing),
                     [&](std::size_t batches) {
                         return bytes_of(numbers.table, numbers.slots, numbers.columns, arcs, PlacingPlan(slots),
                                         WeightedBatchPlan(sizes.edges / batches));
                     });
}

void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes)
{
    require_memory({construction_memory, "edges"}, scale, tuples, ranks, free_bytes);
}

void require_weighted_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes)
{
    require_memory({weighted_construction_memory, "edges and weights"}, scale, tuples, ranks, free_bytes);
}

}  // namespace wayfront::gpu::kron
