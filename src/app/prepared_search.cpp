#include "app/prepared_search.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "app/failure.hpp"
#include "app/host_memory.hpp"

namespace wayfront::app {

OptionGroup SearchOptions::group()
{
    OptionGroup group("Search");
    group.parsed("engine", "auto|cpu|gpu|split", "what searches: CPU cores, a GPU a rank, or both together; auto: a GPU where there is one [auto]",
                 [this](const std::string& text) { engine.choice = parse_engine(text); });
    group.parsed(
        "cpu-share", "auto|0..1",
        "share of a rank's edges that --engine split gives to the CPU cores, the GPU has the rest; auto: measured in the first search, 0 where "
        "the cores only slow the GPU down [auto]",
        [this](const std::string& text) {
            engine.cpu_share = parse_cpu_share(text);
            engine.cpu_share_given = true;
        });
    group.parsed("grid", "auto|RxC", "grid of ranks over which the adjacency matrix is cut; auto: Px1 on one host, else nearly square [auto]",
                 [this](const std::string& text) { grid = text == "auto" ? std::nullopt : std::optional(comm::parse_grid_shape(text)); });
    group.parsed("direction", "auto|top-down|bottom-up", "which way levels search; auto: switch as Beamer et al. (SC 2012) do [auto]",
                 [this](const std::string& text) { direction.choice = algo::parse_direction(text); });
    group.positive_real("alpha", direction.alpha, "A",
                        "switch to bottom-up when the frontier's edges exceed |E| / A (Hiragushi and Takahashi 2013, section 2.3)");
    group.positive_real("beta", direction.beta, "B", "switch back when the frontier has fewer than |V|^2 / (B |E|) vertices (the same)");
    group.parsed("exchange", "auto|bitmap|list", "how sets of vertices travel between ranks; auto: whichever is fewer bytes [auto]",
                 [this](const std::string& text) { exchange = comm::parse_exchange_format(text); });
    return group;
}

comm::GridShape choose_grid(const Job& job, const SearchOptions& options)
{
    const int ranks = job.world().size();
    const comm::GridShape shape = options.grid.value_or(comm::default_grid_shape(ranks, job.ranks_a_host()));
    run_agreed(job.world(), [&] {
        if (std::int64_t{shape.rows} * shape.columns != ranks)
            throw InputError(fmt::format("--grid: {}x{} is a grid of {} ranks, but {} {} started", shape.rows, shape.columns,
                                         std::int64_t{shape.rows} * shape.columns, ranks, ranks == 1 ? "was" : "were"));
        require_engine(options.engine);
    });
    return shape;
}

void require_construction_memory(const Job& job, const LoadedGraph& graph)
{
    // Two copies of a 64-bit edge stand in memory at the peak (csr_builder.hpp), of every edge in each direction in which it can be searched.
    constexpr double bytes_an_entry = 16;
    const double entries = static_cast<double>(graph.edges) * (graph.list.directed ? 1 : 2);
    require_memory(job, bytes_an_entry * entries / job.world().size(), "constructing " + graph.name);
}

PreparedSearch::PreparedSearch(const comm::ProcessGrid& grid, const EdgeFeed& feed, const EngineRequest& engine, const algo::BfsOptions& options)
    : grid_(grid), graph_([&] {
          run_agreed(grid.world(), [&] { return Partition(feed.vertex_count(), grid.shape().rows, grid.shape().columns); });
          return construct(grid, feed);
      }())
{
    const int local_rank = grid.world().split_by_host().rank();
    run_agreed(grid.world(), [&] {
        engine_ = make_engine(engine, graph_.block, local_rank);
        search_ = std::make_unique<algo::BfsSearch>(grid_, graph_, *engine_, options);
    });
}

PreparedSearch::Timed PreparedSearch::run(Vertex key)
{
    const comm::Communicator& world = grid_.world();
    run_agreed(world, [&] { engine_->tune(); });  // outside the time
    world.barrier();
    const Clock::time_point begin = Clock::now();
    const algo::BfsResult& result = search_->run(key);
    world.barrier();
    return {result, world.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max)};
}

std::vector<bool> have_edges(const comm::Communicator& world, const DistributedGraph& graph, std::span<const Vertex> vertices)
{
    std::vector<std::int64_t> touched(vertices.size(), 0);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vertex v = vertices[i];
        if (v >= graph.partition.vertex_count() || graph.partition.owner(v) != graph.rank) continue;
        touched[i] = graph.slot_of_local[graph.partition.local(v)] != graph.block.slot_stride ? 1 : 0;
    }
    world.all_reduce(std::span<std::int64_t>(touched), comm::Reduction::max);
    return {touched.begin(), touched.end()};
}

}  // namespace wayfront::app
