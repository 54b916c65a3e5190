#include "session/bfs/near_far_bfs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "algo/bfs/smallest_parents.hpp"
#include "base/profiler_range.hpp"
#include "comm/agreement.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/long_ways.hpp"
#include "session/bfs/device_levels.hpp"

namespace wayfront::session {

namespace {

class NearFarBfs final : public HostGraphBfs
{
public:
    NearFarBfs(const comm::ProcessGrid& process_grid, const DistributedGraph& distributed, const EdgeFeed& feed, const plan::EnginePlan& plan,
               const algo::BfsOptions& options)
        : HostGraphBfs(process_grid, distributed, feed),
          options_(options),
          device_(plan.device),
          search_(process_grid, distributed, {}),
          distances_(distributed.local_count()),
          levels_(distributed.local_count()),
          parents_(distributed.local_count(), distributed.partition.vertex_count())
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
        facts.transport = search_.is_near_far() ? "none (near-far, one GPU)" : "none (rounds, one GPU)";
        facts.graph_bytes = search_.graph_bytes();
        facts.state_bytes = search_.state_bytes();
        return facts;
    }
    [[nodiscard]] std::uint64_t reached() const override { return search_.facts().reached; }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override
    {
        const std::array source{algo::LevelRecord{algo::Direction::top_down, {1, 0}}};
        return complete_level_records(world(), levels(), std::span(source).first(reached() > 1 ? 1 : 0), algo::DirectionChoice::top_down);
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

private:
    void search(Vertex key) override
    {
        copied_ = false;
        const Clock::time_point begin = Clock::now();
        {
            const ProfilerRange range("search");
            search_.run(key);
        }
        if (options_.log != nullptr) options_.log->add({"search", 0, begin, Clock::now()});
        if (options_.smallest_parents) parents_ = algo::smallest_parents(grid(), graph(), levels(), options_.log);
    }

    void copy_results()
    {
        if (std::exchange(copied_, true)) return;
        run_agreed(world(), [this] { search_.copy_results(distances_.span(), parents_.narrow_elements()); });
        constexpr std::uint32_t deepest = std::numeric_limits<std::int32_t>::max();
        std::ranges::transform(distances_.span(), levels_.data(),
                               [](std::uint32_t distance) { return distance <= deepest ? static_cast<std::int32_t>(distance) : -1; });
    }

    algo::BfsOptions options_;
    std::string device_;
    gpu::sssp::DeviceSssp search_;
    // The results of the last search, copied when they are first requested.
    HostBuffer<std::uint32_t> distances_;
    HostBuffer<std::int32_t> levels_;
    VertexArray parents_;
    bool copied_ = false;
};

}  // namespace

bool suits_near_far(const DistributedGraph& graph, const plan::EnginePlan& plan, const algo::BfsOptions& options)
{
    const CsrBlock& block = graph.block;
    if (!plan.resident() || block.row_chunks * block.col_chunks > 1 || options.direction.choice != algo::DirectionChoice::automatic) return false;
    const auto arcs = static_cast<EdgeCount>(block.out_edges().edges());
    if (gpu::sssp::DeviceSssp::most_bytes(graph.partition.vertex_count(), arcs, 1) > plan.free_bytes) return false;
    return has_long_ways(block.out_edges().view());
}

std::unique_ptr<HostGraphBfs> make_near_far_bfs(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                const plan::EnginePlan& plan, const algo::BfsOptions& options)
{
    return std::make_unique<NearFarBfs>(grid, graph, feed, plan, options);
}

}  // namespace wayfront::session
