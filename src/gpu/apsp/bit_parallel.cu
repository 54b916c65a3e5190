#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "gpu/apsp/bit_parallel.cuh"
#include "gpu/apsp/bit_parallel.hpp"
#include "gpu/apsp/hop_counter.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::uint32_t kFirstPlanes = 4;
constexpr std::uint32_t kMostDepth = 0xFFFE;  // that a row holds

__global__ void __launch_bounds__(kBitParallelThreads) search_batches(BitParallelView view)
{
    __shared__ std::uint32_t counts[kBatchSources];
    BitParallel search(view, counts);
    search.run();
}

}  // namespace

struct BitParallelSearch::State
{
    State(const DistributedGraph& given, const HopOptions& given_options)
        : graph(given),
          options(given_options),
          blocks(cooperative_blocks(reinterpret_cast<const void*>(search_batches), kBitParallelThreads, 0, "bit-parallel search"))
    {
        const Stream stream;
        Staging staging;
        in = DeviceCsr(graph.block.in_edges.view(), staging, stream);
        slot_of_vertex = upload(std::span<const std::uint32_t>(graph.slot_of_local.span()), stream);
        view.in = in.view();
        view.slots = static_cast<std::uint32_t>(graph.connected_vertices);
        view.no_slot = graph.block.slot_stride;
        view.slot_of_vertex = slot_of_vertex.data();
        const std::size_t words = std::size_t{view.slots} * kSetWords;
        seen = DeviceBuffer<std::uint32_t>(words);
        view.seen = seen.data();
        for (int i = 0; i < 2; ++i) {
            frontiers[i] = DeviceBuffer<std::uint32_t>(words);
            active[i] = DeviceBuffer<std::uint8_t>(view.slots);
            level_counts[i] = DeviceBuffer<std::uint32_t>(kBatchSources);
            fill_bytes_async(level_counts[i].span(), 0, stream);
            view.frontiers[i] = frontiers[i].data();
            view.active[i] = active[i].data();
            view.level_counts[i] = level_counts[i].data();
        }
        // A level of a search finds a vertex, so that there are fewer levels than vertices.
        levels = DeviceBuffer<unsigned long long>(std::max<std::size_t>(1, graph.slot_of_local.size()));
        view.levels = levels.data();
        view.most_levels = static_cast<std::uint32_t>(levels.size());
        view.deepest = deepest.data();
        const auto first = GridBarrierState<BitParallelCounts>::first(blocks);
        copy_async(std::span(&first, 1), barrier.span(), stream);
        view.barrier.state = barrier.data();
        stream.synchronize();
    }

    /// Prepares facts of `count` sources, and counts of levels.
    void clear(std::size_t count, const Stream& stream)
    {
        if (facts.size() < count) facts = DeviceBuffer<SourceFacts>(count);
        view.facts = facts.data();
        fill_bytes_async(facts.span(), 0, stream);
        fill_bytes_async(levels.span(), 0, stream);
        fill_bytes_async(deepest.span(), 0, stream);
    }

    /// One launch. Returns the largest distance.
    std::uint32_t run(const std::uint32_t* sources, std::size_t count, const Stream& stream)
    {
        view.sources = sources;
        view.count = static_cast<std::uint32_t>(count);
        clear(count, stream);
        launch_cooperative(search_batches, blocks, kBitParallelThreads, 0, stream, view);
        return fetch(deepest.data(), stream);
    }

    void plan_planes(std::uint32_t count)
    {
        for (; view.plane_count < count; ++view.plane_count) {
            planes[view.plane_count] = DeviceBuffer<std::uint32_t>(seen.size());
            view.planes[view.plane_count] = planes[view.plane_count].data();
        }
    }

    /// Counts for all vertices in the memory of the frontiers. Returns the largest distance.
    std::uint32_t count_all(const std::uint32_t* sources, std::size_t count, const Stream& stream)
    {
        if (facts.size() < count) facts = DeviceBuffer<SourceFacts>(count);
        if (counter == nullptr) {
            const HopMemory memory{
                {view.frontiers[0], view.frontiers[1]}, {view.active[0], view.active[1]}, view.levels, view.most_levels, view.deepest};
            counter = make_hop_counter(graph, memory, options, stream);
        }
        std::uint32_t deepest_found = 0;
        do {
            counter->start(sources, static_cast<std::uint32_t>(count), facts.data(), stream);
            deepest_found = fetch(deepest.data(), stream);
        } while (!counter->complete());
        return deepest_found;
    }

    const DistributedGraph& graph;
    HopOptions options;
    unsigned blocks;
    DeviceCsr in;
    std::unique_ptr<HopCounter> counter;  // once it is used
    DeviceBuffer<std::uint32_t> slot_of_vertex, seen;
    DeviceBuffer<std::uint32_t> frontiers[2], level_counts[2];
    DeviceBuffer<std::uint8_t> active[2];
    DeviceBuffer<std::uint32_t> planes[kMostPlanes];
    DeviceBuffer<SourceFacts> facts;
    PinnedBuffer<HopFacts> host_facts;  // pageable memory is copied at a small part of the speed
    DeviceBuffer<unsigned long long> levels;
    DeviceBuffer<std::uint32_t> deepest{1};
    DeviceBuffer<GridBarrierState<BitParallelCounts>> barrier{1};
    BitParallelView view;
};

BitParallelSearch::BitParallelSearch(const DistributedGraph& graph, const HopOptions& options) : state_(std::make_unique<State>(graph, options)) {}

BitParallelSearch::~BitParallelSearch() = default;

BitParallelSearch::Found BitParallelSearch::count(const std::uint32_t* sources, std::size_t count, const Stream& stream)
{
    State& state = *state_;
    Found found;
    if (count == 0) return found;
    if (state.host_facts.size() < count) state.host_facts = PinnedBuffer<HopFacts>(count);
    if (state.view.slots > 0 && 2 * count >= state.view.slots) {
        found.levels.resize(state.count_all(sources, count, stream));
    } else {
        const std::uint32_t planes = std::exchange(state.view.plane_count, 0);
        found.levels.resize(state.run(sources, count, stream));
        state.view.plane_count = planes;
    }
    static_assert(sizeof(HopFacts) == sizeof(SourceFacts));
    const std::span<HopFacts> facts = state.host_facts.span().first(count);
    copy_async(std::span(reinterpret_cast<const HopFacts*>(state.facts.data()), count), facts, stream);
    copy_async(std::span(reinterpret_cast<const std::uint64_t*>(state.levels.data()), found.levels.size()), std::span(found.levels), stream);
    stream.synchronize();
    found.facts.assign(facts.begin(), facts.end());
    return found;
}

std::optional<HopPlan> BitParallelSearch::count_plan() const
{
    if (state_->counter == nullptr) return {};
    return state_->counter->plan();
}

void BitParallelSearch::search(const std::uint32_t* sources, std::size_t count, std::uint16_t* rows, std::size_t stride, const Stream& stream)
{
    State& state = *state_;
    state.plan_planes(kFirstPlanes);
    for (;;) {
        const std::uint32_t deepest = state.run(sources, count, stream);
        if (deepest > kMostDepth)
            throw InputError("--dtype uint16: a distance of " + std::to_string(deepest) + " does not fit uint16; choose another --dtype, or auto");
        if (deepest >> state.view.plane_count == 0) break;
        std::uint32_t planes = state.view.plane_count;
        while (deepest >> planes != 0) ++planes;
        state.plan_planes(planes);
    }
    const auto vertices = static_cast<std::uint32_t>(this->vertices());
    launch(write_hop_rows, std::uint64_t{(vertices + 31) / 32} * kBatchSources, stream, state.view, vertices, rows, std::uint64_t{stride});
    stream.synchronize();
}

std::size_t BitParallelSearch::vertices() const
{
    return state_->slot_of_vertex.size();
}

std::size_t BitParallelSearch::bytes() const
{
    const State& state = *state_;
    std::size_t bytes = state.in.bytes() + state.slot_of_vertex.bytes() + state.seen.bytes() + state.levels.bytes() + state.facts.bytes();
    for (int i = 0; i < 2; ++i) bytes += state.frontiers[i].bytes() + state.active[i].bytes() + state.level_counts[i].bytes();
    for (const auto& plane : state.planes) bytes += plane.bytes();
    if (state.counter != nullptr) bytes += state.counter->bytes();
    return bytes;
}

std::size_t BitParallelSearch::most_bytes(std::size_t vertices, std::size_t arcs, double most_distance)
{
    constexpr std::size_t sets = 3;  // seen, and two frontiers
    std::size_t planes = 0;
    if (most_distance > 0) planes = std::clamp<std::size_t>(std::bit_width(static_cast<std::uint64_t>(most_distance)), kFirstPlanes, kMostPlanes);
    const std::size_t of_vertex = (sets + planes) * kSetWords * sizeof(std::uint32_t) + sizeof(SourceFacts) + sizeof(unsigned long long) +
                                  sizeof(std::uint32_t) + 2 * sizeof(std::uint8_t);
    const std::size_t lists = DeviceCsrPlan(static_cast<std::uint32_t>(vertices), arcs).bytes();
    const std::size_t counter = most_distance > 0 ? 0 : hop_counter_bytes(vertices, arcs);
    return lists + counter + vertices * of_vertex + 2 * kBatchSources * sizeof(std::uint32_t) + sizeof(unsigned long long);
}

}  // namespace wayfront::gpu
