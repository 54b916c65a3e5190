#include "wayfront/graph500.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/process_grid.hpp"
#include "graph500/report.hpp"
#include "graph500/statistics.hpp"
#include "session/graph500_searches.hpp"
#include "session/input/graph_input.hpp"
#include "session/kernel1.hpp"
#include "wayfront/call_progress.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

void require_range(const char* name, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value < least || value > most)
        throw InputError(std::string(name) + ": expected a number from " + std::to_string(least) + " to " +
                         std::to_string(most) + ", found " + std::to_string(value));
}

void check(int scale, const Graph500Options& options)
{
    require_range("scale", scale, 1, session::kMostScale);
    require_range("edge_factor", options.edge_factor, 1, session::kMostEdgeFactor);
    require_range("keys", options.keys, 1, session::kMostKeys);
    require_range("warmups", options.warmups, 0, session::kMostWarmups);
    require_enumerator("kernel", options.kernel, Graph500Kernel::both);
    require_enumerator("engine", options.engine, Engine::split);
    require_grid(options.grid);
    if (options.kernel != Graph500Kernel::bfs && options.engine == Engine::split)
        throw InputError("engine: shortest paths are searched on the CPU or on GPUs, not on both");
}

session::Kernel1Options kernel1_options(const Graph500Options& options)
{
    session::Kernel1Options made;
    made.kernels = {.bfs = options.kernel != Graph500Kernel::sssp, .sssp = options.kernel != Graph500Kernel::bfs};
    made.search.engine.engine = options.engine;
    if (options.grid) made.search.grid = comm::GridShape{options.grid->rows, options.grid->columns};
    return made;
}

Graph500Searches searches_of(const std::vector<graph500::SearchRecord>& records)
{
    const graph500::TepsStatistics teps = session::teps_of(records);
    Graph500Searches made{.min_teps = teps.min,
                          .first_quartile_teps = teps.first_quartile,
                          .median_teps = teps.median,
                          .third_quartile_teps = teps.third_quartile,
                          .max_teps = teps.max,
                          .harmonic_mean_teps = teps.harmonic_mean,
                          .harmonic_stddev_teps = teps.harmonic_stddev,
                          .searches = {}};
    for (const graph500::SearchRecord& record : records) {
        Graph500Search& search = made.searches.emplace_back(Graph500Search{record.key, record.seconds, record.edges});
        if (record.validate_seconds >= 0) search.validate_seconds = record.validate_seconds;
    }
    return made;
}

}  // namespace

Graph500Result run_graph500(int scale, const Graph500Options& options)
{
    const ThreadsRestored threads;
    const std::shared_ptr<const Ranks> ranks = make_ranks(options.loading);
    return run_with_progress(*ranks, options.on_progress, [&] {
        const job::Job& job = ranks->job;
        comm::run_agreed(job.world(), [&] { check(scale, options); });
        session::Kernel1Options kernel1_asked = kernel1_options(options);
        plan::EnginePlan plan = session::choose_graph500_plan(job, kernel1_asked);
        session::GraphOptions graph;
        graph.graph = "kron:" + std::to_string(scale) + ",ef=" + std::to_string(options.edge_factor);
        graph.seeds.seed1 = options.seed1;
        graph.seeds.seed2 = options.seed2;
        const std::unique_ptr<session::Kernel1> kernel1 =
            session::run_kernel1(job, graph, kernel1_asked, std::move(plan), nullptr);
        const session::Graph500Records records = session::run_graph500_searches(
            job, *kernel1, {options.keys, options.warmups, options.validate, graph.seeds}, {});
        Graph500Result result{.scale = session::scale_of(*kernel1),
                              .edge_factor = session::edge_factor_of(*kernel1),
                              .vertices = kernel1->input.list.vertex_count,
                              .edges = kernel1->input.edges,
                              .ranks = job.world().size(),
                              .threads = job.threads(),
                              .engine = kernel1->bfs ? kernel1->bfs->facts().engine : kernel1->sssp->facts().engine,
                              .generation_seconds = kernel1->load_seconds,
                              .construction_seconds = kernel1->construction_seconds,
                              .bfs = {},
                              .sssp = {}};
        if (records.bfs) result.bfs = searches_of(*records.bfs);
        if (records.sssp) result.sssp = searches_of(*records.sssp);
        return result;
    });
}

}  // namespace wayfront
