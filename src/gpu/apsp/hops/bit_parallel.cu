#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "comm/communicator.hpp"
#include "gpu/apsp/hops/bit_parallel.cuh"
#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/apsp/hops/bit_parallel_plan.hpp"
#include "gpu/apsp/hops/hop_counter.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr std::uint32_t kFirstPlanes = 4;
constexpr std::uint32_t kMostDepth = 0xFFFE;  // largest distance that a row can represent
// Number of levels whose counts are copied before the host knows how many there are.
constexpr std::size_t kFirstLevels = 256;
// Largest number of sources of a joint count of several ranks, which has no checkpoints.
constexpr std::size_t kMostTogether = std::size_t{1} << 17;

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
          blocks(cooperative_blocks(reinterpret_cast<const void*>(search_batches), kBitParallelThreads, 0,
                                    "bit-parallel search")),
          plan(graph.slot_of_local.size(), static_cast<std::size_t>(graph.connected_vertices))
    {
        const Stream stream;
        Staging staging;
        in = DeviceCsr(graph.block.in_edges.view(), staging, stream);
        memory = DeviceArrays(plan);
        copy_async(std::span<const std::uint32_t>(graph.slot_of_local.span()), memory[plan.slot_of_vertex], stream);
        view.in = in.view();
        view.slots = static_cast<std::uint32_t>(graph.connected_vertices);
        view.no_slot = graph.block.slot_stride;
        view.slot_of_vertex = memory[plan.slot_of_vertex].data();
        view.seen = memory[plan.seen].data();
        for (std::size_t i = 0; i < 2; ++i) {
            fill_bytes_async(memory[plan.level_counts[i]], 0, stream);
            view.frontiers[i] = memory[plan.frontiers[i]].data();
            view.active[i] = memory[plan.active[i]].data();
            view.level_counts[i] = memory[plan.level_counts[i]].data();
        }
        levels = memory[plan.levels];
        deepest = memory[plan.deepest];
        view.levels = levels.data();
        view.most_levels = static_cast<std::uint32_t>(levels.size());
        view.deepest = deepest.data();
        const auto first = GridBarrierState<BitParallelCounts>::first(blocks);
        copy_async(std::span(&first, 1), memory[plan.barrier], stream);
        view.barrier.state = memory[plan.barrier].data();
        stream.synchronize();
    }

    /// Clears the facts of `count` sources and the counts of levels.
    void clear(std::size_t count, const Stream& stream)
    {
        grow_facts(count);
        view.facts = facts.data();
        fill_bytes_async(facts.span(), 0, stream);
        fill_bytes_async(levels, 0, stream);
        fill_bytes_async(deepest, 0, stream);
    }

    void grow_facts(std::size_t count)
    {
        if (facts.size() < count) facts = DeviceBuffer<SourceFacts>(SourceFactsPlan(count).facts);
    }

    /// Whether counting for all vertices is faster than counting from `count` sources.
    [[nodiscard]] bool are_many(std::size_t count) const { return view.slots > 0 && 2 * count >= view.slots; }

    /// Starts one launch from `count` sources.
    void start(const std::uint32_t* sources, std::size_t count, const Stream& stream)
    {
        view.sources = sources;
        view.count = static_cast<std::uint32_t>(count);
        clear(count, stream);
        launch_cooperative(search_batches, blocks, kBitParallelThreads, 0, stream, view);
    }

    void plan_planes(std::uint32_t count)
    {
        for (; view.plane_count < count; ++view.plane_count) {
            planes[view.plane_count] = DeviceBuffer<std::uint32_t>(BitPlanePlan(view.slots).bits);
            view.planes[view.plane_count] = planes[view.plane_count].data();
        }
    }

    /// Prepares count_all() from `count` sources: makes a counter that works in the memory of the
    /// frontiers, alone or together with `ranks`, unless there is one. Collective over the ranks in
    /// the first call with these ranks.
    void prepare_to_count_all(std::size_t count, const comm::Communicator* ranks, const Stream& stream)
    {
        grow_facts(count);
        if (counter != nullptr && ranks == counter_ranks) return;
        counter.reset();
        const HopMemory memory{{view.frontiers[0], view.frontiers[1]},
                               {view.active[0], view.active[1]},
                               view.levels,
                               view.most_levels,
                               view.deepest};
        HopOptions with_ranks = options;
        with_ranks.ranks = ranks;
        counter = make_hop_counter(graph, memory, with_ranks, stream);
        counter_ranks = ranks;
    }

    /// Counts for all vertices. Returns the result of finish(). Pre: prepare_to_count_all().
    std::span<const HopFacts> count_all(const std::uint32_t* sources, std::size_t count, std::size_t room, Found& found,
                                        const Stream& stream)
    {
        for (;;) {
            counter->start(sources, static_cast<std::uint32_t>(count), facts.data(), stream);
            const std::span<const HopFacts> counted = finish(count, room, found, stream);
            if (counter->complete()) return counted;
        }
    }

    /// Waits for the started work. Returns the facts, which are valid until the next call. `found`
    /// gets the pairs at each distance, and room for `room` facts.
    std::span<const HopFacts> finish(std::size_t count, std::size_t room, Found& found, const Stream& stream)
    {
        static_assert(sizeof(HopFacts) == sizeof(SourceFacts));
        if (host_facts.size() < count) host_facts = PinnedBuffer<HopFacts>(count);
        const std::span<HopFacts> copied = host_facts.span().first(count);
        copy_async(std::span(reinterpret_cast<const HopFacts*>(facts.data()), count), copied, stream);
        const std::span<const std::uint64_t> all_levels(reinterpret_cast<const std::uint64_t*>(levels.data()),
                                                        levels.size());
        const std::size_t first_levels = std::min<std::size_t>(kFirstLevels, levels.size());
        copy_async(all_levels.first(first_levels), host_levels.span().first(first_levels), stream);
        copy_async(std::span<const std::uint32_t>(deepest), host_deepest.span(), stream);
        found.facts.resize(room);  // the host allocates memory while the GPU counts
        stream.synchronize();
        found.levels.resize(host_deepest.data()[0]);
        if (found.levels.size() <= first_levels) {
            std::copy_n(host_levels.data(), found.levels.size(), found.levels.begin());
        } else {
            copy_async(all_levels.first(found.levels.size()), std::span(found.levels), stream);
            stream.synchronize();
        }
        return copied;
    }

    const DistributedGraph& graph;
    HopOptions options;
    unsigned blocks;
    BitParallelPlan plan;
    DeviceCsr in;
    DeviceArrays memory;
    std::span<unsigned long long> levels;
    std::span<std::uint32_t> deepest;
    std::unique_ptr<HopCounter> counter;                // made at the first use
    const comm::Communicator* counter_ranks = nullptr;  // ranks with which `counter` counts
    DeviceBuffer<std::uint32_t> planes[kMostPlanes];
    DeviceBuffer<SourceFacts> facts;
    // Pinned, since copies to pageable memory are much slower, and the host would wait for them.
    PinnedBuffer<HopFacts> host_facts;
    PinnedBuffer<std::uint64_t> host_levels{kFirstLevels};
    PinnedBuffer<std::uint32_t> host_deepest{1};
    BitParallelView view;
};

BitParallelSearch::BitParallelSearch(const DistributedGraph& graph, const HopOptions& options)
    : state_(std::make_unique<State>(graph, options))
{
}

BitParallelSearch::~BitParallelSearch() = default;

BitParallelSearch::Found BitParallelSearch::count(const std::uint32_t* sources, std::size_t count, const Stream& stream)
{
    State& state = *state_;
    if (count == 0) return {};
    Found found;
    std::span<const HopFacts> facts;
    if (state.are_many(count)) {
        state.prepare_to_count_all(count, nullptr, stream);
        facts = state.count_all(sources, count, count, found, stream);
    } else {
        const std::uint32_t planes = std::exchange(state.view.plane_count, 0);
        state.start(sources, count, stream);
        state.view.plane_count = planes;
        facts = state.finish(count, count, found, stream);
    }
    std::ranges::copy(facts, found.facts.begin());
    return found;
}

bool BitParallelSearch::can_count_together(std::size_t count) const
{
    const comm::Communicator* const ranks = state_->options.ranks;
    return ranks != nullptr && ranks->size() > 1 && state_->are_many(count) &&
           count <= std::min(vertices(), kMostTogether);
}

BitParallelSearch::Found BitParallelSearch::count_together(const std::uint32_t* sources, std::size_t count,
                                                           const Stream& stream)
{
    const comm::Communicator& ranks = *state_->options.ranks;
    const auto parts = static_cast<std::size_t>(ranks.size());
    std::vector<std::int64_t> sent;
    for (std::size_t part = 0; part < parts; ++part)
        sent.push_back(static_cast<std::int64_t>(part_of(count, part, parts).size()));
    const std::size_t own = part_of(count, static_cast<std::size_t>(ranks.rank()), parts).size();
    const std::vector<std::int64_t> expected(parts, static_cast<std::int64_t>(own));

    Found found;
    state_->prepare_to_count_all(count, &ranks, stream);
    const std::span<const HopFacts> facts = state_->count_all(sources, count, parts * own, found, stream);
    ranks.all_to_all_v(facts, sent, std::span(found.facts), expected);
    for (std::size_t part = 1; part < parts; ++part)
        for (std::size_t i = 0; i < own; ++i) {
            HopFacts& sum = found.facts[i];
            const HopFacts& further = found.facts[part * own + i];
            sum.reached += further.reached;
            sum.sum += further.sum;
            sum.eccentricity = std::max(sum.eccentricity, further.eccentricity);
        }
    found.facts.resize(own);
    return found;
}

std::optional<HopPlan> BitParallelSearch::count_plan() const
{
    if (state_->counter == nullptr) return {};
    return state_->counter->plan();
}

void BitParallelSearch::search(const std::uint32_t* sources, std::size_t count, std::uint16_t* rows, std::size_t stride,
                               const Stream& stream)
{
    State& state = *state_;
    state.plan_planes(kFirstPlanes);
    for (;;) {
        state.start(sources, count, stream);
        const auto deepest = fetch(state.deepest.data(), stream);
        if (deepest > kMostDepth)
            throw InputError("--dtype uint16: a distance of " + std::to_string(deepest) +
                             " does not fit uint16; choose another --dtype, or auto");
        if (deepest >> state.view.plane_count == 0) break;
        std::uint32_t planes = state.view.plane_count;
        while (deepest >> planes != 0) ++planes;
        state.plan_planes(planes);
    }
    const auto vertices = static_cast<std::uint32_t>(this->vertices());
    launch(write_hop_rows, std::uint64_t{(vertices + 31) / 32} * kBatchSources, stream, state.view, vertices, rows,
           std::uint64_t{stride});
    stream.synchronize();
}

std::size_t BitParallelSearch::vertices() const
{
    return state_->plan.slot_of_vertex.count;
}

std::size_t BitParallelSearch::bytes() const
{
    const State& state = *state_;
    std::size_t bytes = state.in.bytes() + state.memory.bytes() + state.facts.bytes();
    for (const auto& plane : state.planes) bytes += plane.bytes();
    if (state.counter != nullptr) bytes += state.counter->bytes();
    return bytes;
}

std::size_t BitParallelSearch::most_bytes(std::size_t vertices, std::size_t arcs, double most_distance)
{
    std::size_t planes = 0;
    if (most_distance > 0)
        planes = std::clamp<std::size_t>(std::bit_width(static_cast<std::uint64_t>(most_distance)), kFirstPlanes,
                                         kMostPlanes);
    const std::size_t counter = most_distance > 0 ? 0 : hop_counter_bytes(vertices, arcs);
    return bytes_of(DeviceCsrPlan(static_cast<std::uint32_t>(vertices), arcs), BitParallelPlan(vertices, vertices),
                    SourceFactsPlan(vertices)) +
           planes * BitPlanePlan(vertices).bytes() + counter;
}

}  // namespace wayfront::gpu::apsp
