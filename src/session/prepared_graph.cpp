#include "session/prepared_graph.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/input/watched_edges.hpp"

namespace wayfront::session {

namespace {

/// Calls construct(). If the graph is too large for the grid, throws an AgreedError. Collective.
DistributedGraph construct_graph(const comm::ProcessGrid& grid, const EdgeFeed& feed, ListOrder order)
{
    run_agreed(grid.world(), [&] { return Partition(feed.vertex_count(), grid.shape().rows, grid.shape().columns); });
    return construct(grid, feed, {.list_order = order});
}

}  // namespace

double seconds_of(const comm::Communicator& world, PhaseLog* log, const char* name, const std::function<void()>& f)
{
    world.barrier();
    const Clock::time_point begin = Clock::now();
    {
        const Phase phase(log, name);
        f();
    }
    world.barrier();
    return world.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);
}

plan::ExpectedSearches expected_searches(const job::Job& job, const LoadedGraph& graph, std::int64_t searches)
{
    return {.searches = searches,
            .vertices = graph.list.vertex_count,
            .edges = graph.edges,
            .mean_degree = graph.mean_degree(),
            .ranks = job.world().size(),
            .threads = thread_count()};
}

ConstructionSize construction_size(comm::GridShape grid, const LoadedGraph& graph, WeightType weights)
{
    ConstructionSize size;
    size.vertices = static_cast<double>(graph.list.vertex_count);
    size.connected = static_cast<double>(std::min(graph.list.vertex_count, 2 * graph.edges));  // at most
    size.edges = static_cast<double>(graph.edges);
    size.directed = graph.list.directed;
    size.weight_bytes = with_weight_type(
        weights, []<typename T>(T) { return std::is_same_v<T, Unweighted> ? 0.0 : static_cast<double>(sizeof(T)); });
    size.rows = grid.rows;
    size.columns = grid.columns;
    return size;
}

void require_construction_memory(const job::Job& job, comm::GridShape grid, const LoadedGraph& graph,
                                 const plan::EnginePlan& plan, WeightType weights)
{
    const int ranks = job.world().size();
    const ConstructionSize size = construction_size(grid, graph, weights);
    double bytes = peak_construction_bytes(size);
    if (size.directed && ranks > 1 && plan.on_device() && grid.columns == 1) {
        // Both directions of the block, and the out-edges of own vertices while they are exchanged
        // (own_out_edges.hpp).
        bytes = std::max(bytes, 4 * (4 + size.weight_bytes) * size.entries());
    }
    if (plan.engine == Engine::split) {
        // The block and the two parts that its rows are divided into. All lists exist twice, by row
        // and by column, with offsets, first neighbours, parents and lists of rows.
        constexpr double split_bytes_an_entry = 2 * (4 + 4);
        constexpr double split_bytes_a_row = 32;
        constexpr double split_bytes_a_column = 24;
        bytes = std::max(bytes, split_bytes_an_entry * size.entries() + split_bytes_a_row * size.connected / grid.rows +
                                    split_bytes_a_column * size.connected / grid.columns);
    }
    require_memory(job, with_page_ends(bytes), "constructing " + graph.name,
                   [&] { return advice_on_gaps(job, graph); });
}

void require_validation_memory(const job::Job& job, const LoadedGraph& graph, ValidatorBytes* most_bytes)
{
    const int ranks = job.world().size();
    const auto most_edges = static_cast<std::size_t>(graph.edges / ranks) + 1;
    const double vertices = static_cast<double>(graph.list.vertex_count) / ranks;
    require_memory(job, most_bytes(ranks, most_edges, vertices), "validating searches of " + graph.name,
                   [&] { return advice_on_gaps(job, graph); });
}

void construct_on_hosts(const job::Job& job, PreparedGraph& prepared, const HostConstruction& options,
                        const std::function<void()>& prepare_searches)
{
    if (prepared.feed == nullptr) prepared.feed = std::make_unique<ListFeed>(prepared.input.list);
    prepared.construction_seconds = seconds_of(job.world(), options.log, "construct", [&] {
        const comm::ProcessGrid& grid = *prepared.grid;
        job::Progress progress(job, "construct");
        std::optional<WatchedFeed> watched;
        if (ProgressListener* const listener = progress.listener()) watched.emplace(*prepared.feed, *listener);
        const EdgeFeed& feed = watched ? static_cast<const EdgeFeed&>(*watched) : *prepared.feed;
        if (options.find_vertex_count) prepared.input.list.vertex_count = find_vertex_count(grid, feed);
        prepared.graph = std::make_unique<DistributedGraph>(construct_graph(grid, feed, options.list_order));
        progress.begin("prepare the searches", 0);
        prepare_searches();
    });
    // A caller of the library may have a large heap of its own, which takes longer to go through than a small
    // graph to construct.
    constexpr EdgeCount many_edges = 1 << 22;
    if (prepared.graph->directed_edges >= many_edges) job::return_freed_memory();
}

bool construct_on_gpu(const job::Job& job, const std::function<void()>& construct)
{
    const plan::Obstacle obstacle = run_agreed(job.world(), [&] { return plan::memory_obstacle_of(construct); });
    if (obstacle.words.empty()) return true;
    job.note("the host constructs the graph, not the GPU: " + obstacle.words);
    return false;
}

DistributedGraph graph_without_edges(const EdgeFeed& feed)
{
    return {Partition(feed.vertex_count(), 1, 1), feed.directed(), 0, {}, {}, {}};
}

void add_lists(const job::Job& job, PreparedGraph& prepared, ListOrder order)
{
    if (!prepared.lists_on_gpu) return;
    require_construction_memory(job, prepared.grid->shape(), prepared.input, {}, prepared.feed->weight_type());
    prepared.lists_on_gpu = false;
    *prepared.graph = construct_graph(*prepared.grid, *prepared.feed, order);
}

std::vector<bool> vertices_with_edges(const comm::Communicator& world, const DistributedGraph& graph,
                                      std::span<const Vertex> vertices)
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

}  // namespace wayfront::session
