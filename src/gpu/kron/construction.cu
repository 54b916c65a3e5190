#include <cstdint>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "gpu/construction/numbering.hpp"
#include "gpu/construction/row_lists.hpp"
#include "gpu/construction/tuple_kernels.cuh"
#include "gpu/construction/weighted_lists.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/kron/kron_recursive.cuh"

namespace wayfront::gpu::kron {

namespace {

using construction::kWeightUnit;
using construction::Numbering;
using construction::RowEnds;
using construction::RowLists;
using construction::WeightedLists;
using KronTupleSource = construction::TuplesOf<TuplePass>;
static_assert(TuplePass::kThreads == construction::kTupleThreads);

void require_scale(int scale)
{
    if (scale >= 1 && scale <= kMostKronScale) return;
    throw InputError("GPUs construct graphs of scale 1 to " + std::to_string(kMostKronScale) + ", not " +
                     std::to_string(scale));
}

/// The sum of the weights of all ranks, from each rank's sum in units. It is rounded once, so that
/// it is equal for any number of ranks. Collective.
double sum_of_weights(std::uint64_t units, DeviceCollectives& ranks)
{
    // The sum of all ranks may exceed 64 bits, so the upper and lower halves are summed separately.
    std::int64_t halves[] = {static_cast<std::int64_t>(units >> 32), static_cast<std::int64_t>(units & 0xFFFFFFFF)};
    ranks.sum(halves);
    return (static_cast<double>(halves[0]) * 0x1p32 + static_cast<double>(halves[1])) * kWeightUnit;
}

}  // namespace

DeviceGraph construct_kron(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                           ConstructionRun& run)
{
    require_scale(parameters.scale);
    const Stream& stream = run.stream;
    const KronTupleSource source{TuplePass(parameters, tuples, stream)};
    Numbering numbers = number_vertices(source, ranks, run);
    RowLists lists = make_row_lists({source, numbers, RowEnds::both}, 0, run);

    DeviceGraph graph;
    graph.view = numbers.view;
    graph.connected_vertices = numbers.connected_of_all;
    graph.directed_edges = static_cast<EdgeCount>(lists.neighbours.size());
    ranks.sum(std::span(&graph.directed_edges, 1));
    graph.vertex_of_column = std::move(numbers.vertex_of_column);
    const std::size_t lists_bytes = lists.offsets.bytes() + lists.neighbours.bytes();
    const Phase phase(run.options.log, "complete graph");
    graph.in = NeighbourLists(graph.view.own_lists(), std::move(lists.offsets), std::move(lists.neighbours), stream);
    run.report.note(graph.bytes() + numbers.slot_of_local.bytes() + lists_bytes);
    graph.complete(std::move(numbers.slot_of_local), stream);
    run.report.note(graph.bytes());
    return graph;
}

WeightedGraph construct_weighted_kron(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                                      ConstructionRun& run)
{
    require_scale(parameters.scale);
    const KronTupleSource source{TuplePass(parameters, tuples, run.stream)};
    Numbering numbers = number_vertices(source, ranks, run);
    WeightedLists made =
        make_weighted_lists({source, numbers, RowEnds::both}, {.bits = kWeightBits, .in_units = true}, 0, run);

    WeightedGraph graph;
    graph.connected_vertices = numbers.connected_of_all;
    graph.weight_sum = sum_of_weights(made.weight_units, ranks);
    const Phase phase(run.options.log, "complete graph");
    graph.lists =
        ArcLists(std::move(made.placed), std::move(numbers.vertex_of_column), numbers.slot_of_local, run.stream);
    run.report.note(graph.lists.bytes() + numbers.slot_of_local.bytes());
    return graph;
}

}  // namespace wayfront::gpu::kron
