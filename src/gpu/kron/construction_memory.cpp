#include "gpu/kron/construction_memory.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/graph/arc_lists_plan.hpp"
#include "gpu/graph/device_graph_plan.hpp"

namespace wayfront::gpu {

namespace {

// The edges and vertices of the busiest rank relative to the average. The measured maximum was
// 1.01, with 8 ranks and scales from 26 on.
constexpr double kUneven = 1.02;
// An allowance for more vertices with edges than expected. The expectation is within 0.01% from
// scale 20 on.
constexpr double kUnexpected = 1.001;
// The number of batches that least_bytes assumes. This number of passes still takes only seconds.
constexpr std::size_t kFewestBatches = 16;

/// Whether construction fits. Also false if the scale is out of range.
bool fits(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes)
{
    return scale >= 1 && scale <= kMostKronScale && construction_memory(scale, tuples, ranks).least_bytes <= free_bytes;
}

}  // namespace

double expected_connected_vertices(int scale, EdgeCount tuples)
{
    // An end of a tuple is vertex v with probability 0.76^zeros 0.24^ones of v's bits before the
    // scrambling.
    double sum = 0;
    double vertices = 1;  // the number of vertices with `ones` ones, a binomial coefficient
    for (int ones = 0; ones <= scale; ++ones) {
        const double share = std::pow(0.76, scale - ones) * std::pow(0.24, ones);
        sum += vertices * -std::expm1(-2 * static_cast<double>(tuples) * share);
        vertices *= static_cast<double>(scale - ones) / (ones + 1);
    }
    return sum;
}

ConstructionMemory construction_memory(int scale, EdgeCount tuples, int ranks)
{
    const double uneven = ranks > 1 ? kUneven : 1;
    const auto rank_count = static_cast<std::size_t>(ranks);
    const std::size_t vertices = std::size_t{1} << scale;
    const std::size_t own = (vertices + rank_count - 1) / rank_count;
    const double connected = expected_connected_vertices(scale, tuples) / ranks;
    const std::size_t stride = std::min(static_cast<std::size_t>(connected * uneven), own) / kTileSlots * kTileSlots + kTileSlots;
    const auto edges = static_cast<std::size_t>(2.0 * static_cast<double>(tuples) / ranks * uneven);

    const VertexTablePlan table(vertices);
    const SlotsPlan slots(own, stride);
    const ColumnsPlan columns(rank_count, stride);
    const PlainListsPlan lists(stride, edges);  // its offsets replace slots.row_starts
    const auto graph = PlacedListsPlan::most(static_cast<std::uint32_t>(stride), edges);
    const LocalSlotsPlan locals(own, own);

    const std::size_t ordering = bytes_of(table, OrderPlan(own));
    const std::size_t numbering = bytes_of(table, slots, columns, GatheredSlotsPlan(rank_count, own));
    const auto sorting = [&](std::size_t batches) { return bytes_of(table, slots, columns, BatchPlan(edges / batches)) + lists.columns.bytes(); };
    // Joining the batches' lists takes less memory than this.
    const std::size_t completing = bytes_of(graph, columns, locals, lists);

    ConstructionMemory memory;
    memory.graph_bytes = bytes_of(graph, columns, locals);
    memory.one_batch_bytes = std::max({ordering, numbering, sorting(1), completing}) + kDeviceReserveBytes;
    memory.least_bytes = std::max({ordering, numbering, sorting(kFewestBatches), completing}) + kDeviceReserveBytes;
    return memory;
}

ConstructionMemory weighted_construction_memory(int scale, EdgeCount tuples)
{
    const std::size_t vertices = std::size_t{1} << scale;
    const auto connected = std::min(static_cast<std::size_t>(expected_connected_vertices(scale, tuples) * kUnexpected) + 1, vertices);
    const std::size_t slots = weighted_slots(connected);
    const std::size_t stride = connected / kTileSlots * kTileSlots + kTileSlots;
    const auto edges = 2 * static_cast<std::size_t>(tuples);

    const VertexTablePlan table(vertices);
    const SlotsPlan numbers(vertices, stride);
    const ColumnsPlan columns(1, stride);
    const auto arcs = ArcArraysPlan::most(slots, edges);
    const LocalSlotsPlan locals(vertices, connected);

    const std::size_t ordering = bytes_of(table, OrderPlan(vertices));
    const auto sorting = [&](std::size_t batches) {
        return bytes_of(table, numbers, columns, arcs, PlacingPlan(slots), WeightedBatchPlan(edges / batches));
    };
    const std::size_t completing = bytes_of(arcs, columns, locals) + numbers.slot_of_local.bytes();

    ConstructionMemory memory;
    memory.graph_bytes = bytes_of(arcs, columns, locals);
    memory.one_batch_bytes = std::max({ordering, sorting(1), completing}) + kDeviceReserveBytes;
    memory.least_bytes = std::max({ordering, sorting(kFewestBatches), completing}) + kDeviceReserveBytes;
    return memory;
}

void require_weighted_memory(int scale, EdgeCount tuples, std::size_t free_bytes)
{
    const auto fits = [&](int of_scale, EdgeCount of_tuples) {
        return of_scale >= 1 && of_scale <= kMostKronScale && weighted_construction_memory(of_scale, of_tuples).least_bytes <= free_bytes;
    };
    if (fits(scale, tuples)) return;
    std::string message = "not enough GPU memory: kron:" + std::to_string(scale) + " with " + std::to_string(tuples) + " edges and weights";
    if (scale > kMostKronScale) throw ResourceError(message + " exceeds the largest scale that GPUs construct, " + std::to_string(kMostKronScale));
    message += " needs " + bytes_in_words(static_cast<double>(weighted_construction_memory(scale, tuples).least_bytes)) + " on the GPU, " +
               bytes_in_words(static_cast<double>(free_bytes)) + " are free";
    int smaller = scale;
    while (smaller >= 1 && !fits(smaller, std::max<EdgeCount>(tuples >> (scale - smaller), 1))) --smaller;
    if (smaller >= 1) message += "; scale " + std::to_string(smaller) + " would do";
    throw ResourceError(message);
}

void require_construction_memory(int scale, EdgeCount tuples, int ranks, std::size_t free_bytes)
{
    if (fits(scale, tuples, ranks, free_bytes)) return;
    std::string message = "not enough GPU memory: kron:" + std::to_string(scale) + " with " + std::to_string(tuples) + " edges";
    if (scale > kMostKronScale) throw ResourceError(message + " exceeds the largest scale that GPUs construct, " + std::to_string(kMostKronScale));
    message += " over " + std::to_string(ranks) + (ranks == 1 ? " rank needs " : " ranks needs ") +
               bytes_in_words(static_cast<double>(construction_memory(scale, tuples, ranks).least_bytes)) + " on the GPU of each, " +
               bytes_in_words(static_cast<double>(free_bytes)) + " are free";

    constexpr int most_ranks = 1 << 16;
    int more = ranks;
    while (more <= most_ranks && !fits(scale, tuples, more, free_bytes)) more *= 2;
    int smaller = scale;
    while (smaller >= 1 && !fits(smaller, std::max<EdgeCount>(tuples >> (scale - smaller), 1), ranks, free_bytes)) --smaller;
    const std::string ranks_that_do = more <= most_ranks ? std::to_string(more) + " ranks with as much" : "";
    const std::string scale_that_does = smaller >= 1 ? "scale " + std::to_string(smaller) : "";
    const std::string between = !ranks_that_do.empty() && !scale_that_does.empty() ? " or " : "";
    if (!(ranks_that_do + scale_that_does).empty()) message += "; " + ranks_that_do + between + scale_that_does + " would do";
    throw ResourceError(message);
}

}  // namespace wayfront::gpu
