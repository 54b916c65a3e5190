// The counter of hops for places of 16 or 32 bits. A file of its own compiles it for each type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "gpu/apsp/hops/hop_counter_of.hpp"
#include "gpu/apsp/hops/hop_counter_plan.hpp"
#include "gpu/apsp/hops/hop_counts.cuh"
#include "gpu/apsp/hops/hop_graph.hpp"
#include "gpu/apsp/hops/hop_spheres.cuh"
#include "gpu/apsp/hops/transposed_spheres.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

namespace detail {

inline constexpr std::uint32_t kNoPlace = ~0U;  // place of vertices without edges
inline constexpr std::uint32_t kSamples = 256;

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

inline __global__ void count_multiplicities(const std::uint32_t* place_of_vertex, const std::uint32_t* sources,
                                            std::uint32_t count, std::uint32_t* multiplicities)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t place = place_of_vertex[sources[i]];
        if (place != kNoPlace) atomicAdd(multiplicities + place, 1U);
    }
}

/// The counted facts, by place.
struct FactsOfPlaces
{
    const SourceFacts* facts;
    const SourceFacts* further;  // facts of other targets, which are added; may be null
    const std::uint32_t* place_of_vertex;
};

/// Copies the facts of sources, by position; 0 for vertices without edges.
inline __global__ void copy_facts(FactsOfPlaces counted, const std::uint32_t* sources, std::uint32_t count,
                                  SourceFacts* facts)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t place = counted.place_of_vertex[sources[i]];
        SourceFacts sum{0, 0, 0};
        if (place != kNoPlace) sum = counted.facts[place];
        if (place != kNoPlace && counted.further != nullptr) add(sum, counted.further[place]);
        facts[i] = sum;
    }
}

inline HopShare share_of(const comm::Communicator* ranks)
{
    if (ranks == nullptr) return {};
    return {static_cast<std::uint32_t>(ranks->rank()), static_cast<std::uint32_t>(ranks->size())};
}

}  // namespace detail

template <typename Index>
class HopCounterOf final : public HopCounter
{
public:
    HopCounterOf(const DistributedGraph& graph, const HopMemory& memory, const HopOptions& options,
                 const Stream& stream)
        : host_(make_hop_graph<Index>(graph.block.out_edges().view(),
                                      static_cast<std::uint32_t>(graph.connected_vertices))),
          share_(detail::share_of(options.ranks)),
          transposed_(graph.block.symmetric && share_.ranks > 1)
    {
        upload_graph(graph, stream);
        memory_ = memory;
        const std::size_t spare = std::min(options.spare_bytes, free_memory() / 8 * 7);
        HopMeans means;
        means.symmetric = graph.block.symmetric && share_.ranks == 1;
        means.searches_repeated = transposed_ ? 1 : share_.ranks;
        prepare_searches(spare, means);
        means.matrix = means.searches && HopMatrixPlan(places_, share_, transposed_).bytes() <= spare - queues_.bytes();
        if (options.ranks != nullptr) agree(*options.ranks, means);
        const auto arcs = static_cast<double>(graph.block.out_edges().view().begin(places_));
        if (options.plan)
            plan_ = allowed(*options.plan, means);
        else if (means.searches)
            plan_ = plan_hops(sample(arcs, stream), means);
        if (options.ranks != nullptr) options.ranks->broadcast(std::span(&plan_, 1), 0);
        spheres_.multiplicities = multiplicities_.data();
        spheres_.share = share_;
        if (transposed_ || plan_.searches_only) spheres_.searched = share_;
        if (!plan_.searches_only) prepare_sets(means.symmetric, stream);
        stream.synchronize();
        host_ = {};
    }

    void start(const std::uint32_t* sources, std::uint32_t count, SourceFacts* facts, const Stream& stream) override
    {
        clear_levels(stream);
        fill_bytes_async(facts_, 0, stream);
        fill_bytes_async(multiplicities_, 0, stream);
        launch(detail::count_multiplicities, count, stream, place_of_vertex_, sources, count, multiplicities_.data());
        if (plan_.searches_only || plan_.matrix) {
            const std::uint32_t searches = spheres_.searched.batches_of(graph_.batches()) * kHopTargets;
            search(searches, 1, plan_.searches_only ? kWholeSearch : plan_.first_depth, stream);
        }
        if (!plan_.searches_only) {
            if (plan_.matrix && transposed_) transpose(stream);
            fill_bytes_async(facts_of_sets_, 0, stream);
            if (plan_.last_depth > 0) {
                fill_bytes_async(pairs_listed_, 0, stream);
                fill_bytes_async(left_, 0, stream);
                fill_bytes_async(found_, 0, stream);
            }
            sets_.last_depth = plan_.last_depth;
            launch_cooperative(detail::count_hops<Index>, blocks_, kHopThreads, 0, stream, sets_);
            if (plan_.last_depth > 0)
                copy_async(std::span<const unsigned long long>(pairs_listed_), host_pairs_listed_.span(), stream);
        }
        const detail::FactsOfPlaces counted{
            .facts = facts_.data(), .further = facts_of_sets_.data(), .place_of_vertex = place_of_vertex_};
        launch(detail::copy_facts, count, stream, counted, sources, count, facts);
    }

    [[nodiscard]] bool complete() override
    {
        if (plan_.last_depth == 0 || host_pairs_listed_.data()[0] <= sets_.missing.room) return true;
        plan_.last_depth = 0;  // too many pairs are missing for the list, so the next count has sets to the end
        return false;
    }

    [[nodiscard]] const HopPlan& plan() const override { return plan_; }
    [[nodiscard]] std::size_t bytes() const override
    {
        return graph_arrays_.bytes() + place_arrays_.bytes() + queues_.bytes() + set_arrays_.bytes() +
               matrix_arrays_.bytes();
    }

private:
    /// The plan if `means` allow it, otherwise the plan without searches and without matrix.
    [[nodiscard]] static HopPlan allowed(const HopPlan& plan, const HopMeans& means)
    {
        return (plan.searches_only && !means.searches) || (plan.matrix && !means.matrix) ? HopPlan{} : plan;
    }

    /// Replaces the means by those that all ranks have. All ranks need the same plan, since the
    /// plan determines which rank counts a pair.
    static void agree(const comm::Communicator& ranks, HopMeans& means)
    {
        means.searches = ranks.all(means.searches);
        means.matrix = ranks.all(means.matrix);
        means.searches_at_once = ranks.all_reduce(means.searches_at_once, comm::Reduction::min);
    }

    void clear_levels(const Stream& stream) const
    {
        fill_bytes_async(std::span(memory_.levels, memory_.most_levels), 0, stream);
        fill_bytes_async(std::span(memory_.deepest, 1), 0, stream);
    }

    void upload_graph(const DistributedGraph& graph, const Stream& stream)
    {
        places_ = static_cast<std::uint32_t>(host_.place_of_slot.size());
        const HopGraphPlan<Index> plan(host_);
        graph_arrays_ = DeviceArrays(plan);
        std::vector<std::uint32_t> place_of_vertex;
        for (const std::uint32_t slot : graph.slot_of_local.span())
            place_of_vertex.push_back(slot < places_ ? host_.place_of_slot[slot] : detail::kNoPlace);
        const HopPlacesPlan places(place_of_vertex.size(), places_);
        place_arrays_ = DeviceArrays(places);
        const auto copy = [&]<typename T>(const std::vector<T>& values, std::span<T> to) {
            copy_async(std::span<const T>(values), to, stream);
            return to.data();
        };
        graph_ = {places_, host_.long_places, copy(host_.heads, graph_arrays_[plan.heads]),
                  copy(host_.rests, graph_arrays_[plan.rests]), copy(host_.chunks, graph_arrays_[plan.chunks])};
        place_of_vertex_ = copy(place_of_vertex, place_arrays_[places.place_of_vertex]);
        multiplicities_ = place_arrays_[places.multiplicities];
        facts_ = place_arrays_[places.facts];
        pairs_listed_ = place_arrays_[places.pairs_listed];
        barrier_ = place_arrays_[places.barrier];
        stream.synchronize();
    }

    /// Allocates the queues of searches if the queues and the bitmaps fit.
    void prepare_searches(std::size_t spare, HopMeans& means)
    {
        const auto* const kernel = reinterpret_cast<const void*>(detail::find_spheres<Index>);
        const std::size_t shared_bytes = sphere_bytes<Index>(places_);
        if (shared_bytes + sizeof(typename SphereSearch<Index>::Shared) > shared_memory_per_block()) return;
        const unsigned multiprocessors =
            cooperative_blocks(kernel, kSphereThreads, shared_bytes, "counts of numbers of edges");
        int at_once = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, kSphereThreads, shared_bytes));
        const auto queues_of = [&](int blocks) {
            // `blocks`: number of blocks per multiprocessor.
            return HopQueuesPlan<Index>(multiprocessors * static_cast<std::size_t>(blocks), places_);
        };
        while (at_once > 0 && queues_of(at_once).bytes() > spare) --at_once;
        if (at_once == 0) return;
        sphere_blocks_ = multiprocessors * static_cast<unsigned>(at_once);
        queues_ = DeviceBuffer<Index>(queues_of(at_once).queues);
        means.searches = true;
        means.searches_at_once = at_once;
        spheres_.graph = graph_;
        spheres_.queues = queues_.data();
        spheres_.levels = memory_.levels;
        spheres_.most_levels = memory_.most_levels;
        spheres_.deepest = memory_.deepest;
        spheres_.facts = facts_.data();
    }

    /// The results of searches from a sample of places.
    [[nodiscard]] HopSample sample(double arcs, const Stream& stream)
    {
        HopSample sample{places_, arcs, {}, {}};
        DeviceBuffer<unsigned long long> arcs_visited(HopSamplePlan(memory_.most_levels).arcs);
        fill_bytes_async(arcs_visited.span(), 0, stream);
        clear_levels(stream);
        spheres_.arcs = arcs_visited.data();
        const std::uint32_t searches = std::min(places_, detail::kSamples);
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
        sample.arcs_visited = means_of(arcs_visited.data());
        return sample;
    }

    void search(std::uint32_t searches, std::uint32_t step, std::uint32_t most_depth, const Stream& stream)
    {
        spheres_.searches = searches;
        spheres_.step = step;
        spheres_.most_depth = most_depth;
        if (searches == 0) return;
        detail::find_spheres<Index>
            <<<std::min(searches, sphere_blocks_), kSphereThreads, sphere_bytes<Index>(places_), stream.get()>>>(
                spheres_);
        check_launch();
    }

    void transpose(const Stream& stream)
    {
        const std::uint64_t blocks =
            HopMatrixPlan::batches_of(places_, share_) * graph_.batches() * (kHopTargets / kTransposedPlaces);
        if (blocks == 0) return;
        constexpr std::uint64_t most_blocks = 65536;
        transpose_spheres<<<static_cast<unsigned>(std::min(blocks, most_blocks)), kTransposeThreads, 0, stream.get()>>>(
            {places_, share_, spheres_.bitmaps, sets_.matrix + std::size_t{places_} * kPiecesOfSet, sets_.first_sizes});
        check_launch();
    }

    void prepare_sets(bool symmetric, const Stream& stream)
    {
        blocks_ = cooperative_blocks(reinterpret_cast<const void*>(detail::count_hops<Index>), kHopThreads, 0,
                                     "counts of numbers of edges");
        sets_.graph = graph_;
        sets_.symmetric = symmetric;
        sets_.share = share_;
        const HopSetsPlan plan(places_);
        set_arrays_ = DeviceArrays(plan);
        for (std::size_t i = 0; i < 2; ++i) {
            sets_.sets[i] = reinterpret_cast<uint4*>(memory_.sets[i]);
            sets_.sizes[i] = set_arrays_[plan.sizes[i]].data();
            sets_.grown[i] = memory_.grown[i];
        }
        sets_.facts = facts_.data();
        if (plan_.matrix) prepare_matrix();
        sets_.multiplicities = multiplicities_.data();
        sets_.levels = memory_.levels;
        sets_.most_levels = memory_.most_levels;
        sets_.deepest = memory_.deepest;
        const auto first = GridBarrierState<HopTotals>::first(blocks_);
        copy_async(std::span(&first, 1), barrier_, stream);
        sets_.barrier.state = barrier_.data();
        stream.synchronize();
    }

    void prepare_matrix()
    {
        const HopMatrixPlan plan(places_, share_, transposed_);
        matrix_arrays_ = DeviceArrays(plan);
        left_ = matrix_arrays_[plan.left];
        found_ = matrix_arrays_[plan.found];
        const std::span<std::uint64_t> pairs = matrix_arrays_[plan.pairs];
        static_assert(sizeof(uint2) == sizeof(std::uint64_t));
        sets_.matrix = reinterpret_cast<uint4*>(matrix_arrays_[plan.sets].data());
        sets_.first_sizes = matrix_arrays_[plan.first_sizes].data();
        sets_.first_depth = plan_.first_depth;
        sets_.missing = {reinterpret_cast<uint2*>(pairs.data()), pairs.size(), pairs_listed_.data(), left_.data(),
                         found_.data()};
        if (share_.ranks > 1) {
            facts_of_sets_ = matrix_arrays_[plan.facts];
            sets_.facts = facts_of_sets_.data();
        }
        if (transposed_) {
            spheres_.bitmaps = reinterpret_cast<uint4*>(matrix_arrays_[plan.bitmaps].data());
            return;
        }
        spheres_.sets = sets_.matrix + std::size_t{places_} * kPiecesOfSet;
        spheres_.sizes = sets_.first_sizes;
    }

    HopGraph<Index> host_;  // empty after it is copied
    HopShare share_;
    // Whether the first sets are transposed from bitmaps of searches from this rank's targets.
    bool transposed_;
    HopMemory memory_ = {};
    HopPlan plan_;
    std::uint32_t places_ = 0;
    unsigned blocks_ = 0;
    unsigned sphere_blocks_ = 0;
    HopGraphView<Index> graph_;
    SphereView<Index> spheres_;
    HopCountView<Index> sets_;
    DeviceArrays graph_arrays_, place_arrays_, set_arrays_, matrix_arrays_;
    DeviceBuffer<Index> queues_;
    const std::uint32_t* place_of_vertex_ = nullptr;
    std::span<std::uint32_t> multiplicities_, left_, found_;
    // If several ranks count and there is a matrix, sets have other facts than searches.
    std::span<SourceFacts> facts_, facts_of_sets_;
    std::span<unsigned long long> pairs_listed_;
    std::span<GridBarrierState<HopTotals>> barrier_;
    PinnedBuffer<unsigned long long> host_pairs_listed_{1};
};

template <typename Index>
std::unique_ptr<HopCounter> make_hop_counter_of(const DistributedGraph& graph, const HopMemory& memory,
                                                const HopOptions& options, const Stream& stream)
{
    return std::make_unique<HopCounterOf<Index>>(graph, memory, options, stream);
}

}  // namespace wayfront::gpu::apsp
