#include "gpu/sssp/grid/memory.hpp"

#include <variant>

#include "base/host_buffer.hpp"

namespace wayfront::gpu::sssp {

template <typename D, typename W>
GridMemory<D, W>::GridMemory(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, Staging& staging,
                             const Stream& stream)
    : sides{.slots = graph.block.slot_stride,
            .row_chunks = graph.block.row_chunks,
            .own_row_chunk = graph.block.own_row_chunk,
            .first_own_column = graph.block.own_col(0).value,
            .cols = graph.block.cols(),
            .vertices = {}},
      counts(1),
      resend_counts(3 * std::size_t{graph.block.row_chunks}),
      bins(kMostBins),
      reached(1),
      out_edges_(graph.block.out_edges().view(), staging, stream),
      weights_(plan.weights),
      arrays_(plan.state)
{
    make_views(graph, plan, stream);
    upload(graph, plan, staging, stream);
}

template <typename D, typename W>
void GridMemory<D, W>::make_views(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, const Stream& stream)
{
    const auto at = [&](const auto& array) { return arrays_[array].data(); };
    const auto if_any = [&](const auto& array) { return array.count > 0 ? arrays_[array].data() : nullptr; };
    const SsspStatePlan<D>& planned = plan.state;
    state = {.words = at(planned.words),
             .parents = at(planned.parents),
             .columns = at(planned.columns),
             .changed = at(planned.changed),
             .active = at(planned.active),
             .places = at(planned.places),
             .nexts = at(planned.nexts),
             .is_open = at(planned.is_open),
             .open = at(planned.open),
             .still_open = at(planned.still_open),
             .improved = at(planned.improved),
             .improved_bits = at(planned.improved_bits),
             .header = &counts.data()->round,
             .pieces = at(planned.pieces)};
    sets = {.changed = at(planned.changed_slots),
            .changed_bits = if_any(planned.changed_bits),
            .chosen = at(planned.chosen),
            .waiting = if_any(planned.waiting),
            .still_waiting = if_any(planned.still_waiting),
            .waiting_bits = if_any(planned.waiting_bits),
            .settled = if_any(planned.settled),
            .settled_bits = if_any(planned.settled_bits),
            .out_degrees = at(planned.out_degrees),
            .parents = if_any(planned.own_parents),
            .counts = &counts.data()->slots};
    results = {.slot_of_local = at(planned.slot_of_local),
               .distances = at(planned.local_distances),
               .parents = at(planned.local_parents),
               .reached = reached.data(),
               .count = graph.local_count()};
    pieces = {.sent = if_any(planned.sent_pieces),
              .received = if_any(planned.received_pieces),
              .ranks = sides.row_chunks,
              .own = sides.own_row_chunk,
              .room = kLeastRoom};
    gathered = arrays_[planned.gathered];
    sent = arrays_[planned.sent];
    received = arrays_[planned.received];
    sides.vertices = {if_any(planned.narrow_vertices), if_any(planned.wide_vertices)};
    fill_bytes_async(arrays_[planned.improved_bits], 0, stream);
    fill_bytes_async(arrays_[planned.is_open], 0, stream);
    fill_bytes_async(arrays_[planned.changed_bits], 0, stream);
}

template <typename D, typename W>
void GridMemory<D, W>::upload(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan, Staging& staging,
                              const Stream& stream)
{
    const CsrBlock& on_host = graph.block;
    const std::span<W> out_weights = weights_[plan.weights.out_weights];
    staging.to_device(std::get<HostBuffer<W>>(on_host.out_weights()).span(), out_weights.data(), stream);
    block = {.out_edges = out_edges_.view(),
             .out_weights = out_weights.data(),
             .in_edges = out_edges_.view(),
             .in_weights = out_weights.data(),
             .rows = on_host.rows(),
             .cols = on_host.cols(),
             .slots = on_host.slot_stride,
             .first_own_column = on_host.own_col(0).value};
    if (plan.pulls && !on_host.symmetric) {
        const std::span<W> in_weights = weights_[plan.weights.in_weights];
        in_edges_ = DeviceCsr(on_host.in_edges.view(), staging, stream);
        staging.to_device(std::get<HostBuffer<W>>(on_host.in_weights).span(), in_weights.data(), stream);
        block.in_edges = in_edges_.view();
        block.in_weights = in_weights.data();
    }
    const SsspStatePlan<D>& planned = plan.state;
    staging.to_device(on_host.out_degrees.span(), arrays_[planned.out_degrees].data(), stream);
    staging.to_device(graph.slot_of_local.span(), arrays_[planned.slot_of_local].data(), stream);
    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::int32_t))
            staging.to_device(vertices, arrays_[planned.narrow_vertices].data(), stream);
        else
            staging.to_device(vertices, arrays_[planned.wide_vertices].data(), stream);
    });
}

template class GridMemory<std::uint32_t, std::uint32_t>;
template class GridMemory<std::int64_t, std::uint32_t>;
template class GridMemory<std::int64_t, std::int64_t>;
template class GridMemory<float, float>;
template class GridMemory<double, double>;

}  // namespace wayfront::gpu::sssp
