#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/apsp/rows/combine_rows.cuh"
#include "gpu/apsp/rows/combined_rows.hpp"
#include "gpu/apsp/rows/combined_rows_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr std::size_t kLanes = 2;

RowSearchOptions of_lanes(RowSearchOptions options)
{
    options.launches_at_once = kLanes;
    return options;
}

}  // namespace

struct CombinedRows::State
{
    State(const DistributedGraph& of, const RowSearchOptions& options)
        : graph(of),
          type(options.type),
          searches(of, of_lanes(options)),
          host_sources(searches.vertices()),
          host_combined(static_cast<std::size_t>(of.connected_vertices))
    {
        make_arrays();
        for (std::size_t v = 0; v < of.slot_of_local.size(); ++v)
            if (of.slot_of_local[v] >= of.connected_vertices) edgeless.push_back(static_cast<std::uint32_t>(v));
    }

    /// Allocates the arrays, and copies the out-neighbours of each slot as terms, numbered by
    /// vertex.
    void make_arrays()
    {
        const CsrView out = graph.block.out_edges().view();
        const auto* const weights = std::get_if<HostBuffer<std::uint32_t>>(&graph.block.out_weights());
        const std::uint32_t most = type == algo::DistanceType::uint16 ? 0xFFFF : 0x7FFFFFFF;
        const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
        std::vector<CombinedRow> host_rows;
        std::vector<RowTerm> host_terms;
        host_rows.reserve(slots);
        host_terms.reserve(slots > 0 ? out.begin(slots) : 0);
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const auto begin = static_cast<std::uint32_t>(host_terms.size());
            for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e)
                host_terms.push_back(
                    {vertex_of(out.neighbours[e]), weights == nullptr ? 1 : std::min((*weights)[e], most)});
            host_rows.push_back({vertex_of(slot), begin, static_cast<std::uint32_t>(host_terms.size()), 0});
        }
        const Stream stream;
        const CombinedRowsPlan plan(searches.vertices(), slots, host_terms.size());
        memory = DeviceArrays(plan);
        sources = memory[plan.sources];
        combined = memory[plan.combined];
        rows_of_slots = memory[plan.rows];
        terms = memory[plan.terms];
        copy_async(std::span<const CombinedRow>(host_rows), rows_of_slots, stream);
        copy_async(std::span<const RowTerm>(host_terms), terms, stream);
        stream.synchronize();
    }

    [[nodiscard]] std::uint32_t vertex_of(std::uint32_t slot) const
    {
        return static_cast<std::uint32_t>(graph.vertex_of_column[slot]);
    }

    /// Starts the searches from the next `count` vertices of host_sources.
    void launch_searches(std::size_t count, std::byte* matrix)
    {
        if (count == 0) return;
        const std::size_t number = next_lane;
        const Lane& lane = lanes[number];
        next_lane = (next_lane + 1) % kLanes;
        std::uint32_t* const on_device = sources.data() + launched;
        copy_async(std::span<const std::uint32_t>(host_sources.data() + launched, count), std::span(on_device, count),
                   lane.stream);
        searches.search_in_matrix(on_device, count, matrix, number, lane.stream);
        launched += count;
    }

    template <typename Out>
    void combine(std::span<const std::uint32_t> level_begins, std::byte* matrix, const Stream& stream) const
    {
        const CombinationView view{combined.data(), rows_of_slots.data(), terms.data()};
        const std::size_t stride = searches.stride();
        const auto strips = static_cast<unsigned>((stride * sizeof(Out) / 16 + kCombineThreads - 1) / kCombineThreads);
        for (std::size_t level = 0; level + 1 < level_begins.size(); ++level) {
            const std::uint32_t count = level_begins[level + 1] - level_begins[level];
            combine_rows<Out>
                <<<dim3(count, strips), kCombineThreads, 0, stream.get()>>>(view, level_begins[level], matrix, stride);
            check_launch();
        }
    }

    struct Lane
    {
        Stream stream;
        Event searched;
    };

    const DistributedGraph& graph;
    algo::DistanceType type;
    DeviceRows searches;
    DeviceArrays memory;
    std::span<CombinedRow> rows_of_slots;
    std::span<RowTerm> terms;
    std::vector<std::uint32_t> edgeless;  // vertices without edges
    // State of the current fill():
    PinnedBuffer<std::uint32_t> host_sources;   // vertices in the order in which searches start from them
    PinnedBuffer<std::uint32_t> host_combined;  // slots whose rows are combined
    std::span<std::uint32_t> sources, combined;
    std::array<Lane, kLanes> lanes;
    std::size_t next_lane = 0;
    std::size_t launched = 0;  // number of sources whose searches have been launched
    Event begun, done;
};

CombinedRows::CombinedRows(const DistributedGraph& graph, const RowSearchOptions& options)
    : state_(std::make_unique<State>(graph, options))
{
}

CombinedRows::~CombinedRows() = default;

DeviceRows& CombinedRows::searches()
{
    return state_->searches;
}

const DeviceRows& CombinedRows::searches() const
{
    return state_->searches;
}

algo::RowCombination CombinedRows::fill(std::byte* matrix, const Stream& stream,
                                        const algo::FeedbackVertexOptions& options)
{
    State& state = *state_;
    state.done.synchronize();  // waits until the buffers may be overwritten
    state.begun.record(stream);
    for (State::Lane& lane : state.lanes) state.begun.block(lane.stream);
    state.launched = 0;
    const DistributedGraph& graph = state.graph;
    algo::RowCombination rows = algo::combine_rows(
        graph.block.out_edges().view(), graph.block.in_edges.view(),
        static_cast<std::uint32_t>(graph.connected_vertices), options, [&](std::span<const std::uint32_t> slots) {
            std::ranges::transform(slots, state.host_sources.data() + state.launched,
                                   [&](std::uint32_t slot) { return state.vertex_of(slot); });
            state.launch_searches(slots.size(), matrix);
        });
    std::ranges::copy(state.edgeless, state.host_sources.data() + state.launched);
    state.launch_searches(state.edgeless.size(), matrix);
    for (State::Lane& lane : state.lanes) {
        lane.searched.record(lane.stream);
        lane.searched.block(stream);
    }
    combine(rows, matrix, stream);
    return rows;
}

void CombinedRows::combine(const algo::RowCombination& rows, std::byte* matrix, const Stream& stream)
{
    State& state = *state_;
    state.done.synchronize();
    std::ranges::copy(rows.combined, state.host_combined.data());
    copy_async(std::span<const std::uint32_t>(state.host_combined.data(), rows.combined.size()), state.combined,
               stream);
    if (state.type == algo::DistanceType::uint16)
        state.combine<std::uint16_t>(rows.level_begins, matrix, stream);
    else
        state.combine<std::int32_t>(rows.level_begins, matrix, stream);
    state.done.record(stream);
}

std::size_t CombinedRows::bytes() const
{
    return state_->searches.bytes() + state_->memory.bytes();
}

std::size_t CombinedRows::most_bytes(std::size_t vertices, std::size_t arcs, const RowSearchOptions& options)
{
    return DeviceRows::most_bytes(vertices, arcs, of_lanes(options)) + CombinedRowsPlan::most(vertices, arcs).bytes();
}

}  // namespace wayfront::gpu::apsp
