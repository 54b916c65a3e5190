#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "gpu/construction/construction_plans.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/construction/numbering.hpp"
#include "gpu/construction/row_lists.hpp"
#include "gpu/construction/weighted_lists.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/staging.hpp"

namespace wayfront::gpu::construction {

namespace {

__global__ void list_lengths(const std::uint64_t* starts, std::uint32_t rows, std::uint32_t* lengths)
{
    for (std::uint64_t row = first_index(); row < rows; row += index_stride())
        lengths[row] = static_cast<std::uint32_t>(starts[row + 1] - starts[row]);
}

/// Copies the numbers to the host. Pre: numbers.row_starts has not been moved away.
HostNumbers copied_numbers(Numbering& numbers, bool directed, const Stream& stream)
{
    Staging staging;
    HostNumbers host;
    host.slot_stride = numbers.view.slot_stride;
    host.slot_of_local = HostBuffer<std::uint32_t>(numbers.slot_of_local.size());
    host.out_degrees = HostBuffer<std::uint32_t>(host.slot_stride);
    staging.to_host(numbers.slot_of_local.data(), host.slot_of_local.span(), stream);
    DeviceBuffer<std::uint32_t> lengths(host.slot_stride);
    launch(list_lengths, host.slot_stride, stream, numbers.starts(directed ? RowEnds::sources : RowEnds::both).data(),
           host.slot_stride, lengths.data());
    staging.to_host(lengths.data(), host.out_degrees.span(), stream);
    return host;
}

/// Converts lists to the form that bottom-up and top-down levels read.
NeighbourLists neighbour_lists(RowLists lists, const DeviceGraphView& view, ConstructionRun& run)
{
    const std::size_t plain_bytes = lists.offsets.bytes() + lists.neighbours.bytes();
    NeighbourLists placed(view.own_lists(), std::move(lists.offsets), std::move(lists.neighbours), run.stream);
    run.report.note(placed.bytes() + plain_bytes);
    return placed;
}

Numbering numbered(const TupleSource& edges, HostNumbers* numbers, ConstructionRun& run)
{
    OneRank alone;
    Numbering made = number_vertices(edges, alone, run);
    if (numbers != nullptr) *numbers = copied_numbers(made, edges.directed(), run.stream);
    return made;
}

}  // namespace

DeviceGraph construct_edges(const TupleSource& edges, ConstructionRun& run, HostNumbers* host_numbers)
{
    Numbering numbers = numbered(edges, host_numbers, run);
    DeviceGraph graph;
    graph.view = numbers.view;
    graph.directed = edges.directed();
    graph.connected_vertices = numbers.connected_of_all;
    const RowEnds in_rows = graph.directed ? RowEnds::targets : RowEnds::both;
    graph.in = neighbour_lists(make_row_lists({edges, numbers, in_rows}, 0, run), graph.view, run);
    if (graph.directed)
        graph.out =
            neighbour_lists(make_row_lists({edges, numbers, RowEnds::sources}, graph.in.bytes(), run), graph.view, run);
    graph.directed_edges = static_cast<EdgeCount>(graph.in.view().edges);
    graph.vertex_of_column = std::move(numbers.vertex_of_column);
    const Phase phase(run.options.log, "complete graph");
    graph.complete(std::move(numbers.slot_of_local), run.stream);
    run.report.note(graph.bytes());
    return graph;
}

ArcLists construct_weighted_edges(const TupleSource& edges, const WeightedEdgesOptions& options, ConstructionRun& run,
                                  WeightedEdgesFacts& facts, HostNumbers* host_numbers)
{
    const bool floats = options.weights == WeightType::float32;
    const WeightForm form{.bits = floats ? 31 : 32, .infinite = floats ? kInfiniteFloat : kInfiniteWhole};
    Numbering numbers = numbered(edges, host_numbers, run);
    const RowEnds out_rows = edges.directed() ? RowEnds::sources : RowEnds::both;
    WeightedLists out = make_weighted_lists({edges, numbers, out_rows}, form, 0, run);
    facts.connected_vertices = numbers.connected_of_all;
    facts.arcs = static_cast<EdgeCount>(out.placed.arcs);
    facts.weight_sum = out.weight_sum;
    ArcArrays in;
    if (edges.directed() && facts.arcs >= options.in_arcs_from)
        in =
            make_weighted_lists({edges, numbers, RowEnds::targets}, form, out.placed.arrays.bytes(), run).placed.arrays;
    numbers.column_of_end = {};
    numbers.row_starts = {};
    const Phase phase(run.options.log, "complete graph");
    ArcLists lists(std::move(out.placed), std::move(numbers.vertex_of_column), numbers.slot_of_local, run.stream);
    if (edges.directed()) lists.add_in_arcs(std::move(in), run.stream);
    run.report.note(lists.bytes() + numbers.slot_of_local.bytes());
    return lists;
}

}  // namespace wayfront::gpu::construction
