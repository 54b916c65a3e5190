#include <algorithm>
#include <array>

#include "gpu/bfs/device_results.hpp"
#include "gpu/bfs/resident/kernel.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/exchange/peer_memory.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

namespace {

/// Deals out pieces of one allocation, in the same order and sizes on all ranks.
class Arena
{
public:
    template <typename T>
    std::size_t reserve(std::size_t count)
    {
        constexpr std::size_t alignment = 256;
        const std::size_t offset = bytes_;
        bytes_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
        return offset;
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

/// Of one rank's asks at another: a quarter of the other's vertices, and room for what each warp of the largest GPUs has taken and not filled. What
/// one level finds beyond is claimed at once.
std::uint32_t ask_capacity(const DeviceGraphView& graph)
{
    constexpr std::uint32_t most_warps = 160 * 32;
    return graph.ranks == 1 ? 0 : (graph.slot_stride / 4 / kAskChunk + most_warps) * kAskChunk;
}

/// Where the parts of a ResidentPeer, and the inbox of its barrier, are in the arena.
struct PeerLayout
{
    using Message = BarrierMessage<LevelCounts>;

    std::size_t visited, frontier0, frontier1, parents, levels, asks, ask_counts, inbox, bytes;

    PeerLayout(const DeviceGraphView& graph, bool with_levels)
    {
        Arena arena;
        const std::size_t own_words = graph.slot_stride / 32;
        const std::size_t all_words = std::size_t{graph.cols()} / 32 + kTileWords;
        visited = arena.reserve<std::uint32_t>(own_words);
        frontier0 = arena.reserve<std::uint32_t>(all_words);
        frontier1 = arena.reserve<std::uint32_t>(all_words);
        parents = arena.reserve<std::uint32_t>(graph.slot_stride);
        levels = arena.reserve<std::int32_t>(with_levels ? graph.slot_stride : 0);
        asks = arena.reserve<Ask>(std::size_t{graph.ranks} * ask_capacity(graph));
        ask_counts = arena.reserve<std::uint32_t>(kMaxPeers);
        inbox = arena.reserve<Message>(kInboxMessages);
        bytes = arena.bytes();
    }

    [[nodiscard]] ResidentPeer at(std::byte* base, bool with_levels) const
    {
        ResidentPeer state;
        state.visited = reinterpret_cast<std::uint32_t*>(base + visited);
        state.frontier[0] = reinterpret_cast<std::uint32_t*>(base + frontier0);
        state.frontier[1] = reinterpret_cast<std::uint32_t*>(base + frontier1);
        state.parents = reinterpret_cast<std::uint32_t*>(base + parents);
        state.levels = with_levels ? reinterpret_cast<std::int32_t*>(base + levels) : nullptr;
        state.asks = reinterpret_cast<Ask*>(base + asks);
        state.ask_counts = reinterpret_cast<std::uint32_t*>(base + ask_counts);
        return state;
    }
    [[nodiscard]] Message* inbox_at(std::byte* base) const { return reinterpret_cast<Message*>(base + inbox); }
};

}  // namespace

std::string ResidentSearch::obstacle(const comm::Communicator& ranks, GpuSharing sharing)
{
    if (ranks.size() > kMaxPeers) return "the resident search takes at most " + std::to_string(kMaxPeers) + " ranks";
    return peer_obstacle(ranks, sharing);
}

struct ResidentSearch::State
{
    State(const comm::ProcessGrid& process_grid, const DeviceGraph& graph, const DeviceSearchOptions& options)
        : grid(process_grid),
          layout(graph.view, options.levels),
          results(graph.view.local_count, options.levels),
          shared(process_grid.world(), layout.bytes),
          queues{DeviceBuffer<WorkItem>(queue_capacity(graph.view.slot_stride, graph.view.edges)),
                 DeviceBuffer<WorkItem>(queue_capacity(graph.view.slot_stride, graph.view.edges))},
          expanded(graph.view.slot_stride / 32),
          own_frontier(graph.view.slot_stride / 32),
          summary(1),
          barrier(1)
    {
        fill_bytes_async(shared.own(), 0, stream);
        fill_bytes_async(summary.span(), 0, stream);
        view.graph = graph.view;
        view.barrier = {.state = barrier.data(), .inboxes = {}, .ranks = graph.view.ranks, .rank = graph.view.rank};
        for (std::size_t peer = 0; peer < graph.view.ranks; ++peer) {
            view.peers[peer] = layout.at(shared.base(peer), options.levels);
            view.barrier.inboxes[peer] = layout.inbox_at(shared.base(peer));
        }
        view.own = view.peers[graph.view.rank];
        view.ask_capacity = std::min(ask_capacity(graph.view), options.most_asks);
        view.queue[0] = queues[0].data();
        view.queue[1] = queues[1].data();
        view.expanded = expanded.data();
        view.own_frontier = own_frontier.data();
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
        grid.world().barrier();  // no rank searches before all have cleared what their peers write to
    }

    const comm::ProcessGrid& grid;
    PeerLayout layout;
    DeviceResults results;
    const Stream& stream = results.stream;
    PeerMemory shared;
    std::array<DeviceBuffer<WorkItem>, 2> queues;
    DeviceBuffer<std::uint32_t> expanded;
    DeviceBuffer<std::uint32_t> own_frontier;
    DeviceBuffer<SearchSummary> summary;
    DeviceBuffer<GridBarrierState<LevelCounts>> barrier;
    ResidentView view;
    unsigned blocks = 0;
};

ResidentSearch::ResidentSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, const DeviceSearchOptions& options)
    : state_(std::make_unique<State>(grid, graph, options))
{
}

ResidentSearch::~ResidentSearch() = default;

void ResidentSearch::run(Vertex key)
{
    launch_resident(state_->view, SearchKey::of(key, state_->view.graph), state_->blocks, state_->stream);
    state_->stream.synchronize();
}

const DeviceResults& ResidentSearch::results() const
{
    return state_->results;
}

std::vector<DeviceLevel> ResidentSearch::levels() const
{
    const SearchSummary summary = fetch(state_->summary.data(), state_->stream);
    std::vector<DeviceLevel> levels;
    for (std::uint32_t i = 0; i < summary.records; ++i) {
        const std::uint64_t end = i + 1 < summary.records ? summary.nanoseconds[i + 1] : summary.end_nanoseconds;
        levels.push_back({summary.bottom_up[i] != 0, summary.counts[i].vertices, summary.counts[i].out_edges,
                          static_cast<double>(end - summary.nanoseconds[i]) * 1e-9});
    }
    return levels;
}

std::uint64_t ResidentSearch::reached() const
{
    return std::max<std::uint64_t>(1, fetch(state_->summary.data(), state_->stream).reached);
}

std::size_t ResidentSearch::state_bytes() const
{
    return state_->shared.bytes() + 2 * state_->queues[0].bytes() + state_->expanded.bytes() + state_->own_frontier.bytes() + state_->results.bytes();
}

std::size_t ResidentSearch::state_bytes_for(std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges, bool levels)
{
    DeviceGraphView numbers;
    numbers.slot_stride = slots;
    numbers.ranks = static_cast<std::uint32_t>(ranks);
    numbers.edges = edges;
    return PeerMemory::allocated_bytes(PeerLayout(numbers, levels).bytes) + 2 * queue_capacity(slots, edges) * sizeof(WorkItem) +
           2 * std::size_t{slots} / 8 + local_count * (sizeof(std::int32_t) + (levels ? sizeof(std::int32_t) : 0));
}

}  // namespace wayfront::gpu
