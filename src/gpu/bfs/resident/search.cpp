#include "gpu/bfs/resident/search.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "gpu/bfs/device_results.hpp"
#include "gpu/bfs/resident/kernel.hpp"
#include "gpu/bfs/resident/nearest_levels.hpp"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/exchange/peer_memory.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::bfs {

namespace {

/// The capacity of a list of requests of one rank in another rank's memory: a quarter of the other
/// rank's vertices, and the places that the warps of the largest GPUs reserve but do not fill. If a
/// level finds more vertices, it claims the others at once.
std::uint32_t request_capacity(const DeviceGraphView& graph)
{
    constexpr std::uint32_t most_warps = 160 * 32;
    return graph.ranks == 1 ? 0 : (graph.slot_stride / 4 / kRequestChunk + most_warps) * kRequestChunk;
}

/// A ResidentPeer's arrays and the inbox of its barrier, in one slab with the same layout on all
/// ranks.
struct PeerMemoryPlan : MemoryPlan
{
    using Message = BarrierMessage<LevelCounts>;

    PeerMemoryPlan(const DeviceGraphView& graph, bool with_levels)
        : MemoryPlan(slab(kSharedPageBytes)),
          visited(array<std::uint32_t>("visited slots", graph.slot_stride / 32)),
          frontiers{frontier(graph), frontier(graph)},
          parents(array<std::uint32_t>("parents", graph.slot_stride)),
          levels(array<std::int32_t>("levels", with_levels ? graph.slot_stride : 0)),
          requests(array<VisitRequest>("requests", graph.ranks, request_capacity(graph))),
          request_counts(array<std::uint32_t>("numbers of requests", kMaxPeers)),
          inbox(array<Message>("inbox of the barrier", kInboxMessages))
    {
    }

    [[nodiscard]] ResidentPeer at(std::byte* base) const
    {
        ResidentPeer state;
        state.visited = visited.in(base);
        state.frontier[0] = frontiers[0].in(base);
        state.frontier[1] = frontiers[1].in(base);
        state.parents = parents.in(base);
        state.levels = levels.count > 0 ? levels.in(base) : nullptr;
        state.requests = requests.in(base);
        state.request_counts = request_counts.in(base);
        return state;
    }

    PlannedArray<std::uint32_t> visited;
    std::array<PlannedArray<std::uint32_t>, 2> frontiers;
    PlannedArray<std::uint32_t> parents;
    PlannedArray<std::int32_t> levels;
    PlannedArray<VisitRequest> requests;
    PlannedArray<std::uint32_t> request_counts;
    PlannedArray<Message> inbox;

private:
    PlannedArray<std::uint32_t> frontier(const DeviceGraphView& graph)
    {
        return array<std::uint32_t>("frontier", graph.cols() / 32 + kTileWords);
    }
};

/// The arrays that only this rank reads and writes, except results and counters.
struct OwnMemoryPlan : MemoryPlan
{
    explicit OwnMemoryPlan(const DeviceGraphView& graph)
        : queues{queue(graph), queue(graph)},
          expanded(array<std::uint32_t>("expanded slots", graph.slot_stride / 32)),
          own_frontier(array<std::uint32_t>("own frontier", graph.slot_stride / 32))
    {
    }

    std::array<PlannedArray<WorkItem>, 2> queues;
    PlannedArray<std::uint32_t> expanded, own_frontier;

private:
    PlannedArray<WorkItem> queue(const DeviceGraphView& graph)
    {
        return array<WorkItem>("work items", queue_capacity(graph.slot_stride, graph.out.edges));
    }
};

}  // namespace

struct ResidentSearch::State
{
    State(const comm::ProcessGrid& process_grid, const DeviceGraph& graph, const DeviceSearchOptions& options)
        : grid(process_grid),
          results(DeviceResultsPlan(graph.view.local_count, options.levels)),
          peer_plan(graph.view, options.levels),
          shared(process_grid.world(), peer_plan.bytes()),
          own_plan(graph.view),
          own_memory(own_plan),
          summary(1),
          barrier(1)
    {
        fill_bytes_async(shared.own(), 0, stream);
        fill_bytes_async(summary.span(), 0, stream);
        view.graph = graph.view;
        view.barrier = {.state = barrier.data(), .inboxes = {}, .ranks = graph.view.ranks, .rank = graph.view.rank};
        for (std::size_t peer = 0; peer < graph.view.ranks; ++peer) {
            view.peers[peer] = peer_plan.at(shared.base(peer));
            view.barrier.inboxes[peer] = peer_plan.inbox.in(shared.base(peer));
        }
        view.own = view.peers[graph.view.rank];
        view.request_capacity = std::min(request_capacity(graph.view), options.most_requests);
        view.queue[0] = own_memory[own_plan.queues[0]].data();
        view.queue[1] = own_memory[own_plan.queues[1]].data();
        view.expanded = own_memory[own_plan.expanded].data();
        view.own_frontier = own_memory[own_plan.own_frontier].data();
        view.result = results.parents.data();
        view.result_levels = results.levels.data();
        view.summary = summary.data();
        view.rule.options = options;
        view.rule.connected = static_cast<std::uint64_t>(graph.connected_vertices);
        view.keep_levels = options.levels;
        set_shared_memory(view, options.most_hubs);
        blocks = resident_blocks(view);
        const auto first = GridBarrierState<LevelCounts>::first(blocks);
        copy_async(std::span(&first, 1), barrier.span(), stream);
        stream.synchronize();
        // A rank searches only after all ranks have cleared the memory to which their peers write.
        grid.world().barrier();
    }

    const comm::ProcessGrid& grid;
    DeviceResults results;
    const Stream& stream = results.stream;
    PeerMemoryPlan peer_plan;
    PeerMemory shared;
    OwnMemoryPlan own_plan;
    DeviceArrays own_memory;
    DeviceBuffer<SearchSummary> summary;
    DeviceBuffer<GridBarrierState<LevelCounts>> barrier;
    ResidentView view;
    unsigned blocks = 0;
    std::unique_ptr<NearestSources> nearest;  // null unless searches start from several keys
    bool from_several = false;                // whether the last search started from several keys
};

ResidentSearch::ResidentSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph,
                               const DeviceSearchOptions& options)
    : state_(std::make_unique<State>(grid, graph, options))
{
}

ResidentSearch::~ResidentSearch() = default;

void ResidentSearch::search(Vertex key)
{
    const DeviceGraphView& graph = state_->view.graph;
    state_->from_several = false;
    launch_resident(state_->view, SearchKey::of(key, graph.ranks, graph.rank), state_->blocks, state_->stream);
    state_->stream.synchronize();
}

void ResidentSearch::prepare_nearest()
{
    State& state = *state_;
    const DeviceGraphView& graph = state.view.graph;
    if (graph.ranks > 1 || !state.view.keep_levels)
        throw std::logic_error("a resident search starts from several keys on several GPUs, or without levels");
    if (state.nearest != nullptr) return;
    state.nearest = std::make_unique<NearestSources>(
        NearestSources::Graph{graph.local_slots, graph.vertex_of_column, graph.slot_stride, graph.out.edges},
        state.stream);
}

void ResidentSearch::search_nearest(std::span<const Vertex> keys)
{
    prepare_nearest();
    State& state = *state_;
    state.from_several = true;
    launch_resident(state.view, state.nearest->set(keys, state.stream), state.blocks, state.stream);
    launch_nearest_levels(*state.nearest, state.view, state.stream);
    state.stream.synchronize();
}

void ResidentSearch::copy_nearest(std::span<std::int32_t> nearest) const
{
    state_->nearest->copy(nearest, state_->stream);
}

const DeviceResults& ResidentSearch::results() const
{
    return state_->results;
}

std::vector<DeviceLevel> ResidentSearch::level_records() const
{
    const SearchSummary summary = fetch(state_->summary.data(), state_->stream);
    std::vector<DeviceLevel> levels;
    for (std::uint32_t i = 0; i < summary.records; ++i) {
        const std::uint64_t end = i + 1 < summary.records ? summary.nanoseconds[i + 1] : summary.end_nanoseconds;
        levels.push_back({summary.levels[i], summary.bottom_up[i] != 0, summary.counts[i].vertices,
                          summary.counts[i].out_edges, std::chrono::nanoseconds(end - summary.nanoseconds[i])});
    }
    return levels;
}

std::uint64_t ResidentSearch::reached() const
{
    const std::uint64_t reached = fetch(state_->summary.data(), state_->stream).reached;
    if (state_->from_several) return reached + state_->nearest->without_edges(state_->stream);
    return std::max<std::uint64_t>(1, reached);
}

std::size_t ResidentSearch::state_bytes() const
{
    return state_->shared.bytes() + state_->own_memory.bytes() + state_->results.bytes() +
           (state_->nearest != nullptr ? state_->nearest->bytes() : 0);
}

std::size_t ResidentSearch::state_bytes_for(const RankNumbers& rank, int ranks, bool levels)
{
    DeviceGraphView numbers;
    numbers.slot_stride = rank.slots;
    numbers.ranks = static_cast<std::uint32_t>(ranks);
    numbers.out.edges = rank.edges;
    return bytes_of(PeerMemoryPlan(numbers, levels), OwnMemoryPlan(numbers),
                    DeviceResultsPlan(rank.local_count, levels));
}

}  // namespace wayfront::gpu::bfs
