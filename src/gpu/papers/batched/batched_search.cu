#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "gpu/papers/batched/batched_search.cuh"
#include "gpu/papers/batched/batched_search.hpp"
#include "gpu/papers/batched/batched_search_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The lists of a graph, by the input's number of the vertex.
struct VertexLists
{
    std::vector<std::uint32_t> begins;
    std::vector<BatchedArc> arcs;
};

VertexLists lists_by_vertex(const DistributedGraph& graph)
{
    const CsrView out = graph.block.out_edges().view();
    const BlockWeights& weights = graph.block.out_weights();
    const auto* const whole = std::get_if<HostBuffer<std::uint32_t>>(&weights);
    const auto* const real = std::get_if<HostBuffer<float>>(&weights);
    VertexLists lists;
    lists.begins.push_back(0);
    for (const std::uint32_t slot : graph.slot_of_local.span()) {
        if (slot < graph.block.slot_stride)
            for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e) {
                const std::uint32_t weight = real != nullptr    ? std::bit_cast<std::uint32_t>((*real)[e])
                                             : whole != nullptr ? (*whole)[e]
                                                                : 1;
                lists.arcs.push_back({static_cast<std::uint32_t>(graph.vertex_of_column[out.neighbours[e]]), weight});
            }
        lists.begins.push_back(static_cast<std::uint32_t>(lists.arcs.size()));
    }
    return lists;
}

}  // namespace

struct BatchedSearch::State
{
    State(const DistributedGraph& graph, const BatchedOptions& batch_options)
        : options(batch_options), whole(weight_type(graph.block.out_weights()) != WeightType::float32)
    {
        if (options.mode == BatchedMode::iterated) options.sources = 1;
        const Stream stream;
        const VertexLists lists = lists_by_vertex(graph);
        view.vertices = static_cast<std::uint32_t>(graph.slot_of_local.size());
        view.sources = options.sources;
        const BatchedSearchPlan plan(view.vertices, lists.arcs.size(), view.sources);
        memory = DeviceArrays(plan);
        copy_async(std::span<const std::uint32_t>(lists.begins), memory[plan.begins], stream);
        copy_async(std::span<const BatchedArc>(lists.arcs), memory[plan.arcs], stream);
        stream.synchronize();
        any = memory[plan.any];
        view.begins = memory[plan.begins].data();
        view.arcs = memory[plan.arcs].data();
        view.costs = memory[plan.costs].data();
        view.new_costs = memory[plan.new_costs].data();
        view.changed = memory[plan.changed].data();
        view.any = any.data();
    }

    template <typename Distances, typename Out>
    void search(const std::uint32_t* sources, std::uint32_t count, Out* rows, std::size_t stride, const Stream& stream)
    {
        const std::uint64_t elements = std::uint64_t{view.vertices} * view.sources;
        launch(begin_batch<Distances>, elements, stream, view, sources, count);
        for (host_any.span()[0] = 1; host_any.span()[0] != 0; ++phases) {
            fill_bytes_async(any, 0, stream);
            if (options.mode == BatchedMode::iterated)
                launch(relax_one<Distances>, view.vertices, stream, view);
            else if (options.mode == BatchedMode::shared)
                launch(relax_batch<Distances, true>, elements, stream, view);
            else
                launch(relax_batch<Distances, false>, elements, stream, view);
            launch(update_batch<Distances>, elements, stream, view);
            copy_async(std::span<const std::uint32_t>(any), host_any.span(), stream);
            stream.synchronize();
        }
        const dim3 blocks((view.vertices + 31) / 32, (count + 31) / 32);
        write_rows<Distances, Out><<<blocks, dim3(32, 8), 0, stream.get()>>>(view, count, rows, stride);
        check_launch();
    }

    BatchedOptions options;
    bool whole;
    DeviceArrays memory;
    std::span<std::uint32_t> any;
    PinnedBuffer<std::uint32_t> host_any{1};
    BatchedView view;
    std::uint64_t phases = 0;
};

BatchedSearch::BatchedSearch(const DistributedGraph& graph, const BatchedOptions& options)
    : state_(std::make_unique<State>(graph, options))
{
}

BatchedSearch::~BatchedSearch() = default;

void BatchedSearch::search(const std::uint32_t* sources, std::size_t count, std::byte* rows, std::size_t stride,
                           const Stream& stream)
{
    State& state = *state_;
    const auto with_type = [&]<typename Distances, typename Out>(Distances, Out) {
        for (std::size_t first = 0; first < count; first += state.view.sources) {
            const auto batch = static_cast<std::uint32_t>(std::min<std::size_t>(count - first, state.view.sources));
            state.search<Distances>(sources + first, batch, reinterpret_cast<Out*>(rows) + first * stride, stride,
                                    stream);
        }
    };
    if (!state.whole)
        with_type(FloatDistances{}, float{});
    else if (state.options.type == algo::DistanceType::uint16)
        with_type(WholeDistances{}, std::uint16_t{});
    else
        with_type(WholeDistances{}, std::int32_t{});
}

std::uint64_t BatchedSearch::phases() const
{
    return state_->phases;
}

std::size_t BatchedSearch::vertices() const
{
    return state_->view.vertices;
}

std::size_t BatchedSearch::bytes() const
{
    return state_->memory.bytes();
}

std::size_t BatchedSearch::most_bytes(std::size_t vertices, std::size_t arcs, std::uint32_t sources)
{
    return BatchedSearchPlan(vertices, arcs, sources).bytes();
}

}  // namespace wayfront::gpu::apsp
