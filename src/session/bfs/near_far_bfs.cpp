#include "session/bfs/near_far_bfs.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "algo/bfs/smallest_parents.hpp"
#include "base/phase.hpp"
#include "base/profiler_range.hpp"
#include "comm/agreement.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/large_diameter.hpp"
#include "plan/sssp_method.hpp"
#include "session/bfs/device_levels.hpp"

namespace wayfront::session {

namespace {

/// Near-far divides a graph before it searches: 2.25 million vertices in 0.7 s on two cores, and then
/// a search takes 50 ms less.
constexpr std::int64_t kLeastSearches = 16;
/// A search of a graph of many arcs a vertex takes so much less (bench/results/gpu-choices-h200.json).
constexpr double kSavedSeconds = 3e-4;

bool are_many_arcs(EdgeCount arcs, Vertex vertices)
{
    return static_cast<double>(arcs) >= plan::kLongPathsBelowDegree * static_cast<double>(vertices);
}

bool has_many_arcs(const DistributedGraph& graph)
{
    return are_many_arcs(graph.directed_edges, graph.connected_vertices);
}

/// Whether a single thread block searches most levels, by a complete sample. Such a level takes 3 us, and the rounds of
/// near-far take 8 us a level (bench/results/gpu-deep-small-levels.json).
bool has_small_levels(const DistributedGraph& graph)
{
    constexpr std::size_t sampled_vertices = std::size_t{1} << 16;
    constexpr double most_arcs = gpu::bfs::kSingleBlockEdges / 2.0;  // of a level, on average
    const SearchSample sample = sample_search(graph.block.out_edges().view(), sampled_vertices);
    const double degree = static_cast<double>(graph.directed_edges) / static_cast<double>(graph.connected_vertices);
    return sample.complete &&
           degree * static_cast<double>(sample.vertices) <= most_arcs * static_cast<double>(sample.most_levels);
}

/// Collective.
std::unique_ptr<gpu::sssp::DeviceSssp> make_search(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                   const algo::BfsOptions& options)
{
    const Phase phase(options.log, "prepare search");
    gpu::sssp::SsspTuning tuning;
    tuning.expected_searches = options.expected_searches;
    if (options.max_level < algo::kNoMaxLevel) tuning.cutoff = options.max_level;
    return std::make_unique<gpu::sssp::DeviceSssp>(grid, graph, tuning);
}

class NearFarBfs final : public HostGraphBfs
{
public:
    NearFarBfs(const ConstructedGraph& constructed, const plan::EnginePlan& plan, const algo::BfsOptions& options,
               std::unique_ptr<gpu::sssp::DeviceSssp> search_of_graph)
        : HostGraphBfs(constructed),
          options_(options),
          device_(plan.device),
          reason_(plan.reason),
          search_(std::move(search_of_graph)),
          levels_(graph().local_count()),
          parents_(graph().local_count(), graph().partition.vertex_count())
    {
    }

    [[nodiscard]] BfsFacts facts() const override
    {
        BfsFacts facts;
        facts.engine = "gpu";
        facts.direction = options_.direction;
        facts.exchange = "stores";
        facts.connected_vertices = graph().connected_vertices;
        facts.device = device_;
        facts.reason = reason_;
        facts.transport = search_->is_near_far() ? "none (near-far, one GPU)" : "none (rounds, one GPU)";
        facts.graph_bytes = search_->graph_bytes();
        facts.state_bytes = search_->state_bytes();
        return facts;
    }
    [[nodiscard]] bool starts_from_several() const override { return !options_.smallest_parents; }
    void prepare_nearest() override
    {
        search_->prepare_nearest();
        if (nearest_.size() == 0) nearest_ = VertexArray(graph().local_count(), graph().partition.vertex_count());
    }
    [[nodiscard]] std::uint64_t reached() const override { return reached_; }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override
    {
        if (!is_nearest() && !search_->has_edges(static_cast<std::uint32_t>(key()))) return {};
        return complete_level_records(vertices_of_levels(world(), levels(), options_.max_level), {},
                                      algo::DirectionChoice::top_down);
    }
    [[nodiscard]] std::span<const std::int32_t> levels() override
    {
        copy_results();
        return levels_.span();
    }
    [[nodiscard]] const VertexArray& parents() override
    {
        copy_results();
        return parents_;
    }
    [[nodiscard]] const VertexArray& nearest() override
    {
        copy_results();
        return nearest_;
    }
    [[nodiscard]] BfsOnGpu on_gpu() const override
    {
        if (options_.smallest_parents) return {};
        return {reinterpret_cast<const std::int32_t*>(search_->device_distances()), search_->device_parents()};
    }

private:
    void search(Vertex key) override
    {
        copied_ = false;
        begin_ = Clock::now();
        {
            const ProfilerRange range("search");
            search_->run(key);
        }
        end_ = Clock::now();
        if (!options_.smallest_parents) return;
        parents_ = algo::smallest_parents(grid(), graph(), levels(), options_.log);
    }
    void search_nearest(std::span<const Vertex> sources) override
    {
        prepare_nearest();
        copied_ = false;
        begin_ = Clock::now();
        {
            const ProfilerRange range("search");
            search_->run_nearest(sources);
        }
        end_ = Clock::now();
    }
    void note_search() override
    {
        reached_ = search_->facts().reached;
        if (options_.log != nullptr) options_.log->add({"search", 0, begin_, end_});
    }

    void copy_results()
    {
        if (std::exchange(copied_, true)) return;
        // The word of a vertex that is not reached, ~0, is the level -1.
        const std::span words(reinterpret_cast<std::uint32_t*>(levels_.data()), levels_.size());
        run_agreed(world(), [&] {
            search_->copy_results(words, parents_.narrow_elements());
            if (is_nearest()) search_->copy_nearest(nearest_.narrow_elements());
        });
    }

    algo::BfsOptions options_;
    std::string device_;
    std::string reason_;
    std::unique_ptr<gpu::sssp::DeviceSssp> search_;
    // The times and the number of reached vertices of the last search.
    Clock::time_point begin_, end_;
    std::uint64_t reached_ = 0;
    // The results of the last search, copied when they are first requested.
    HostBuffer<std::int32_t> levels_;
    VertexArray parents_;
    VertexArray nearest_;  // empty before prepare_nearest()
    bool copied_ = false;
};

}  // namespace

bool may_suit_near_far(EdgeCount arcs, Vertex vertices, const plan::EnginePlan& plan, const algo::BfsOptions& options)
{
    if (!plan.resident() || options.expected_searches < kLeastSearches ||
        options.direction.choice != algo::DirectionChoice::automatic)
        return false;
    return !are_many_arcs(arcs, vertices) || gpu::sssp::dividing_pays(arcs, options.expected_searches, kSavedSeconds);
}

bool suits_near_far(const DistributedGraph& graph, const plan::EnginePlan& plan, const algo::BfsOptions& options)
{
    const CsrBlock& block = graph.block;
    if (!plan.resident() || block.row_chunks * block.col_chunks > 1 || options.expected_searches < kLeastSearches)
        return false;
    if (options.direction.choice != algo::DirectionChoice::automatic) return false;
    const auto vertices = graph.partition.vertex_count();
    const std::size_t arcs = block.out_edges().edges();
    if (has_many_arcs(graph) &&
        !gpu::sssp::dividing_pays(graph.directed_edges, options.expected_searches, kSavedSeconds))
        return false;
    // A directed graph of many arcs has lists of in-arcs, too.
    const bool two_lists = graph.directed && gpu::sssp::keeps_in_arcs(graph.directed_edges, vertices);
    const gpu::sssp::ListedArcs listed{arcs, two_lists ? arcs : 0};
    if (gpu::sssp::DeviceSssp::most_bytes(vertices, listed, {}) > plan.free_bytes) return false;
    return has_large_diameter(block.out_edges().view());
}

std::unique_ptr<HostGraphBfs> make_near_far_bfs(const ConstructedGraph& constructed, const plan::EnginePlan& plan,
                                                const algo::BfsOptions& options)
{
    std::unique_ptr<gpu::sssp::DeviceSssp> search = make_search(constructed.grid, constructed.graph, options);
    if (!search->is_near_far() && (has_many_arcs(constructed.graph) || has_small_levels(constructed.graph)))
        return nullptr;
    return std::make_unique<NearFarBfs>(constructed, plan, options, std::move(search));
}

}  // namespace wayfront::session
