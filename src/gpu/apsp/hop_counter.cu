#include <algorithm>
#include <span>
#include <vector>

#include "gpu/apsp/hop_counter.hpp"
#include "gpu/apsp/hop_counts.cuh"
#include "gpu/apsp/hop_graph.hpp"
#include "gpu/apsp/hop_spheres.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

constexpr std::uint32_t kNoPlace = ~0U;  // of vertices without edges
constexpr std::uint32_t kSamples = 256;

template <typename Index>
__global__ void __launch_bounds__(kSphereThreads, 6) find_spheres(SphereView<Index> view)
{
    extern __shared__ uint4 memory[];
    __shared__ typename SphereSearch<Index>::Shared shared;
    SphereSearch<Index>(view, shared, reinterpret_cast<std::uint32_t*>(memory)).run();
}

template <typename Index>
__global__ void __launch_bounds__(kHopThreads) count_hops(HopCountView<Index> view)
{
    __shared__ uint2 staged[kHopThreads / 32 * kStagedPairs];
    HopCounts<Index>(view, staged).run();
}

__global__ void count_multiplicities(const std::uint32_t* place_of_vertex, const std::uint32_t* sources, std::uint32_t count,
                                     std::uint32_t* multiplicities)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t place = place_of_vertex[sources[i]];
        if (place != kNoPlace) atomicAdd(multiplicities + place, 1U);
    }
}

/// The facts of sources, by their position; 0 for vertices without edges.
__global__ void copy_facts(const SourceFacts* facts_of_places, const std::uint32_t* place_of_vertex, const std::uint32_t* sources,
                           std::uint32_t count, SourceFacts* facts)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t place = place_of_vertex[sources[i]];
        facts[i] = place != kNoPlace ? facts_of_places[place] : SourceFacts{0, 0, 0};
    }
}

template <typename Index>
class Counter final : public HopCounter
{
public:
    Counter(const DistributedGraph& graph, const HopMemory& memory, const HopOptions& options, const Stream& stream)
        : host_(make_hop_graph<Index>(graph.block.out_edges().view(), static_cast<std::uint32_t>(graph.connected_vertices)))
    {
        upload_graph(graph, stream);
        memory_ = memory;
        const std::size_t spare = std::min(options.spare_bytes, free_memory() / 8 * 7);
        HopMeans means;
        means.symmetric = graph.block.symmetric;
        prepare_searches(spare, means);
        const std::size_t matrix = matrix_bytes(places_);
        means.matrix = means.searches && matrix <= spare - queues_.bytes();
        const auto arcs = static_cast<double>(graph.block.out_edges().view().begin(places_));
        if (options.plan)
            plan_ = allowed(*options.plan, means);
        else if (means.searches)
            plan_ = plan_hops(sample(arcs, stream), means);
        spheres_.multiplicities = multiplicities_.data();
        if (!plan_.searches_only) prepare_sets(means.symmetric, stream);
        stream.synchronize();
        host_ = {};
    }

    void start(const std::uint32_t* sources, std::uint32_t count, SourceFacts* facts, const Stream& stream) override
    {
        clear_levels(stream);
        fill_bytes_async(facts_.span(), 0, stream);
        fill_bytes_async(multiplicities_.span(), 0, stream);
        launch(count_multiplicities, count, stream, place_of_vertex_.data(), sources, count, multiplicities_.data());
        if (plan_.searches_only || plan_.matrix) search(places_, 1, plan_.searches_only ? kWholeSearch : plan_.first_depth, stream);
        if (!plan_.searches_only) {
            if (plan_.last_depth > 0) {
                fill_bytes_async(pairs_listed_.span(), 0, stream);
                fill_bytes_async(left_.span(), 0, stream);
                fill_bytes_async(found_.span(), 0, stream);
            }
            sets_.last_depth = plan_.last_depth;
            launch_cooperative(count_hops<Index>, blocks_, kHopThreads, 0, stream, sets_);
            if (plan_.last_depth > 0) copy_async(std::span<const unsigned long long>(pairs_listed_.span()), host_pairs_listed_.span(), stream);
        }
        launch(copy_facts, count, stream, facts_.data(), place_of_vertex_.data(), sources, count, facts);
    }

    [[nodiscard]] bool complete() override
    {
        if (plan_.last_depth == 0 || host_pairs_listed_.data()[0] <= pairs_.size()) return true;
        plan_.last_depth = 0;  // too many pairs are left
        return false;
    }

    [[nodiscard]] const HopPlan& plan() const override { return plan_; }
    [[nodiscard]] std::size_t bytes() const override
    {
        return heads_.bytes() + rests_.bytes() + chunks_.bytes() + place_of_vertex_.bytes() + multiplicities_.bytes() + facts_.bytes() +
               queues_.bytes() + arcs_.bytes() + sizes_[0].bytes() + sizes_[1].bytes() + matrix_.bytes() + first_sizes_.bytes() + pairs_.bytes() +
               left_.bytes() + found_.bytes();
    }

private:
    [[nodiscard]] static std::size_t pairs_room(std::size_t places)
    {
        constexpr std::size_t least = 4096;
        return places * places / kPairsOfMissing + least;
    }
    [[nodiscard]] static std::size_t matrix_bytes(std::size_t places)
    {
        const std::size_t batches = (places + kHopTargets - 1) / kHopTargets;
        return ((batches + 1) * kPiecesOfSet * sizeof(uint4) + batches * sizeof(std::uint16_t) + 2 * sizeof(std::uint32_t)) * places +
               pairs_room(places) * sizeof(uint2);
    }
    /// A plan as far as the means allow it.
    [[nodiscard]] static HopPlan allowed(const HopPlan& plan, const HopMeans& means)
    {
        return (plan.searches_only && !means.searches) || (plan.matrix && !means.matrix) ? HopPlan{} : plan;
    }

    void clear_levels(const Stream& stream) const
    {
        fill_bytes_async(std::span(memory_.levels, memory_.most_levels), 0, stream);
        fill_bytes_async(std::span(memory_.deepest, 1), 0, stream);
    }

    void upload_graph(const DistributedGraph& graph, const Stream& stream)
    {
        places_ = static_cast<std::uint32_t>(host_.place_of_slot.size());
        heads_ = upload(std::span<const Index>(host_.heads), stream);
        rests_ = upload(std::span<const std::uint32_t>(host_.rests), stream);
        chunks_ = upload(std::span<const Index>(host_.chunks), stream);
        std::vector<std::uint32_t> place_of_vertex;
        for (const std::uint32_t slot : graph.slot_of_local.span()) place_of_vertex.push_back(slot < places_ ? host_.place_of_slot[slot] : kNoPlace);
        place_of_vertex_ = upload(std::span<const std::uint32_t>(place_of_vertex), stream);
        graph_ = {places_, host_.long_places, heads_.data(), rests_.data(), chunks_.data()};
        multiplicities_ = DeviceBuffer<std::uint32_t>(places_);
        facts_ = DeviceBuffer<SourceFacts>(places_);
    }

    /// Allocates the queues of searches if they and the bitmaps fit.
    void prepare_searches(std::size_t spare, HopMeans& means)
    {
        const auto* const kernel = reinterpret_cast<const void*>(find_spheres<Index>);
        const std::size_t shared_bytes = sphere_bytes<Index>(places_);
        if (shared_bytes + sizeof(typename SphereSearch<Index>::Shared) > shared_memory_per_block()) return;
        const unsigned multiprocessors = cooperative_blocks(kernel, kSphereThreads, shared_bytes, "counts of numbers of edges");
        int at_once = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, kSphereThreads, shared_bytes));
        const std::size_t of_each = std::size_t{multiprocessors} * places_ * sizeof(Index);
        while (at_once > 0 && of_each * static_cast<std::size_t>(at_once) > spare) --at_once;
        if (at_once == 0) return;
        sphere_blocks_ = multiprocessors * static_cast<unsigned>(at_once);
        queues_ = DeviceBuffer<Index>(std::size_t{sphere_blocks_} * places_);
        means.searches = true;
        means.searches_at_once = at_once;
        spheres_.graph = graph_;
        spheres_.queues = queues_.data();
        spheres_.levels = memory_.levels;
        spheres_.most_levels = memory_.most_levels;
        spheres_.deepest = memory_.deepest;
        spheres_.facts = facts_.data();
    }

    /// What searches from some places find.
    [[nodiscard]] HopSample sample(double arcs, const Stream& stream)
    {
        HopSample sample{places_, arcs, {}, {}};
        arcs_ = DeviceBuffer<unsigned long long>(memory_.most_levels);
        fill_bytes_async(arcs_.span(), 0, stream);
        clear_levels(stream);
        spheres_.arcs = arcs_.data();
        const std::uint32_t searches = std::min(places_, kSamples);
        search(searches, places_ / searches, kWholeSearch, stream);
        spheres_.arcs = nullptr;
        const std::uint32_t levels = fetch(memory_.deepest, stream);
        const auto means_of = [&](const unsigned long long* sums) {
            std::vector<unsigned long long> host(levels);
            copy_async(std::span(sums, levels), std::span(host), stream);
            stream.synchronize();
            std::vector<double> means;
            for (const unsigned long long sum : host) means.push_back(static_cast<double>(sum) / searches);
            return means;
        };
        sample.found = means_of(memory_.levels);
        sample.arcs_visited = means_of(arcs_.data());
        arcs_ = {};
        return sample;
    }

    void search(std::uint32_t searches, std::uint32_t step, std::uint32_t most_depth, const Stream& stream)
    {
        spheres_.searches = searches;
        spheres_.step = step;
        spheres_.most_depth = most_depth;
        find_spheres<Index><<<std::min(searches, sphere_blocks_), kSphereThreads, sphere_bytes<Index>(places_), stream.get()>>>(spheres_);
        check_launch();
    }

    void prepare_sets(bool symmetric, const Stream& stream)
    {
        blocks_ = cooperative_blocks(reinterpret_cast<const void*>(count_hops<Index>), kHopThreads, 0, "counts of numbers of edges");
        sets_.graph = graph_;
        sets_.symmetric = symmetric;
        for (int i = 0; i < 2; ++i) {
            sizes_[i] = DeviceBuffer<std::uint16_t>(places_);
            sets_.sets[i] = reinterpret_cast<uint4*>(memory_.sets[i]);
            sets_.sizes[i] = sizes_[i].data();
            sets_.grown[i] = memory_.grown[i];
        }
        if (plan_.matrix) {
            const std::size_t batches = graph_.batches();
            matrix_ = DeviceBuffer<uint4>((batches + 1) * places_ * kPiecesOfSet);
            first_sizes_ = DeviceBuffer<std::uint16_t>(batches * places_);
            pairs_ = DeviceBuffer<uint2>(pairs_room(places_));
            left_ = DeviceBuffer<std::uint32_t>(places_);
            found_ = DeviceBuffer<std::uint32_t>(places_);
            sets_.matrix = matrix_.data();
            sets_.first_sizes = first_sizes_.data();
            sets_.first_depth = plan_.first_depth;
            sets_.missing = {pairs_.data(), pairs_.size(), pairs_listed_.data(), left_.data(), found_.data()};
            spheres_.sets = sets_.matrix + std::size_t{places_} * kPiecesOfSet;
            spheres_.sizes = first_sizes_.data();
        }
        sets_.multiplicities = multiplicities_.data();
        sets_.facts = facts_.data();
        sets_.levels = memory_.levels;
        sets_.most_levels = memory_.most_levels;
        sets_.deepest = memory_.deepest;
        const auto first = GridBarrierState<HopTotals>::first(blocks_);
        copy_async(std::span(&first, 1), barrier_.span(), stream);
        sets_.barrier.state = barrier_.data();
        stream.synchronize();
    }

    HopGraph<Index> host_;  // until it is copied
    HopMemory memory_ = {};
    HopPlan plan_;
    std::uint32_t places_ = 0;
    unsigned blocks_ = 0;
    unsigned sphere_blocks_ = 0;
    HopGraphView<Index> graph_;
    SphereView<Index> spheres_;
    HopCountView<Index> sets_;
    DeviceBuffer<Index> heads_, chunks_, queues_;
    DeviceBuffer<std::uint32_t> rests_, place_of_vertex_, multiplicities_, left_, found_;
    DeviceBuffer<SourceFacts> facts_;
    DeviceBuffer<unsigned long long> arcs_;  // of a sample
    DeviceBuffer<uint4> matrix_;
    DeviceBuffer<std::uint16_t> sizes_[2], first_sizes_;
    DeviceBuffer<uint2> pairs_;
    DeviceBuffer<unsigned long long> pairs_listed_{1};
    PinnedBuffer<unsigned long long> host_pairs_listed_{1};
    DeviceBuffer<GridBarrierState<HopTotals>> barrier_{1};
};

}  // namespace

std::unique_ptr<HopCounter> make_hop_counter(const DistributedGraph& graph, const HopMemory& memory, const HopOptions& options, const Stream& stream)
{
    if (graph.connected_vertices <= std::int64_t{kMostShortPlaces}) return std::make_unique<Counter<std::uint16_t>>(graph, memory, options, stream);
    return std::make_unique<Counter<std::uint32_t>>(graph, memory, options, stream);
}

std::size_t hop_counter_bytes(std::size_t vertices, std::size_t arcs)
{
    // Places, multiplicities, facts, sizes.
    constexpr std::size_t of_vertex = 2 * sizeof(std::uint32_t) + sizeof(SourceFacts) + 2 * sizeof(std::uint16_t);
    return hop_graph_bytes(vertices, arcs) + vertices * of_vertex + sizeof(GridBarrierState<HopTotals>);
}

}  // namespace wayfront::gpu
