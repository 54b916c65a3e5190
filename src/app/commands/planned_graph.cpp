#include "app/commands/planned_graph.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/agreed.hpp"
#include "base/counted.hpp"
#include "job/host_memory.hpp"
#include "model/virtual_sssp.hpp"
#include "plan/sssp_method.hpp"
#include "session/random_vertices.hpp"
#include "session/sssp/host_sssp.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::app {

namespace {

// Graphs of classes with more vertices are not loaded for searches for shortest paths.
constexpr Vertex kMostSampledVertices = Vertex{1} << 16;

bool is_kronecker(const session::GraphOptions& graph)
{
    return graph.graph.starts_with("kron:");
}

/// The facts of a loaded graph, which is constructed with lists in this order.
model::PlannedGraph construct_loaded(const job::Job& job, session::PreparedGraph& prepared, ListOrder order)
{
    const auto edges = static_cast<double>(prepared.input.edges);
    const auto vertices = static_cast<double>(prepared.input.list.vertex_count);
    const bool directed = prepared.input.list.directed;
    session::construct_on_hosts(job, prepared, session::VertexCount::given, nullptr, [] {}, {.list_order = order});
    const DistributedGraph& graph = *prepared.graph;
    const double entries = std::max(1.0, edges * (directed ? 1 : 2));
    return {vertices,
            edges,
            static_cast<double>(graph.connected_vertices),
            static_cast<double>(graph.directed_edges) / entries,
            directed,
            0};
}

/// The vertices that are searched from, the source or random vertices with edges, and `counted` in
/// words.
std::vector<Vertex> chosen_sources(const job::Job& job, const PlannedSearches& searches, KnownGraph& known)
{
    const DistributedGraph& graph = *known.prepared.graph;
    const std::string ranks = counted(searches.ranks, "rank", "ranks");
    if (searches.source) {
        known.counted = fmt::format("counted on {}, from vertex {}", ranks, *searches.source);
        return {known.prepared.input.inside("--source", *searches.source)};
    }
    const auto count = std::min<std::int64_t>(searches.count, graph.connected_vertices);
    if (count == 0) return {};
    known.counted = fmt::format("counted on {}, {}", ranks, counted(count, "search", "searches"));
    session::RandomVertices wanted;
    wanted.count = static_cast<std::size_t>(count);
    wanted.seed = searches.graph.seeds.seed;
    wanted.option = "--keys";
    return session::draw_vertices(job.world(), graph, wanted);
}

/// A graph of the same kind and mean degree as the graph of classes that `searches` names, small enough
/// to be searched.
session::GraphOptions sample_of(const PlannedSearches& searches, const KnownGraph& known)
{
    session::GraphOptions sample = searches.graph;
    const double degree = known.planned.edges / known.planned.vertices;
    if (is_kronecker(searches.graph))
        sample.graph = fmt::format("kron:{},ef={}", std::lround(std::log2(kMostSampledVertices)), degree);
    else
        sample.graph = fmt::format("random:{},{:.0f}", kMostSampledVertices, degree * kMostSampledVertices);
    return sample;
}

/// Throws an AgreedError if the virtual ranks of a grid do not fit. Collective.
void require_virtual_memory(const job::Job& job, const PlannedSearches& searches, const KnownGraph& known,
                            comm::GridShape shape)
{
    constexpr double bytes_a_place = 72;  // of a row or a column (session::host_sssp_bytes())
    constexpr double bytes_an_arc = 12 + 2 * 8;
    const auto vertices = static_cast<double>(known.prepared.graph->connected_vertices);
    const auto arcs = static_cast<double>(known.prepared.graph->directed_edges);
    require_memory(job, vertices * (shape.rows + shape.columns) * bytes_a_place + arcs * bytes_an_arc,
                   fmt::format("counting searches of {} on {} ranks", searches.graph.graph, shape.size()));
}

template <typename Work>
void time_by_counts(typename model::Counted<Work>::Count count, KnownGraph& known)
{
    const auto counts = std::make_shared<model::Counted<Work>>(std::move(count));
    known.clock = model::clock_of_counts(counts, known.planned);
    known.messages = [counts](comm::GridShape shape) { return messages_of(counts->on(shape).front()); };
}

}  // namespace

bool is_in_classes(const session::GraphOptions& graph, bool has_source)
{
    if (has_source || graph.directed || !(is_kronecker(graph) || graph.graph.starts_with("random:"))) return false;
    return !make_edge_source(graph.graph, graph.seeds)->directed();
}

void describe_classes(const PlannedSearches& searches, KnownGraph& known)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(searches.graph.graph, searches.graph.seeds);
    const auto vertices = static_cast<double>(source->vertex_count());
    const auto edges = static_cast<double>(source->edge_count());
    const auto of_size = [&](double factor) {
        if (is_kronecker(searches.graph))
            return model::kronecker_classes(static_cast<int>(std::lround(std::log2(vertices * factor))),
                                            edges / vertices);
        return model::uniform_classes(vertices * factor, edges * factor);
    };
    known.planned = {vertices, edges, 0, 1, false, 0};
    if (edges == 0) return;
    model::VertexClasses classes = of_size(1);
    known.planned.connected = classes.connected();
    known.planned.distinct = classes.distinct;
    known.counted =
        fmt::format("in the mean of graphs of this kind, {}", counted(searches.count, "search", "searches"));
    known.twice = of_size(2);
    known.clock = model::clock_of_classes(classes, searches.direction, searches.count);
    known.classes = std::move(classes);
}

void load_for_levels(const job::Job& job, const PlannedSearches& searches, KnownGraph& known)
{
    session::PreparedGraph& prepared = known.prepared;
    prepared.input = session::load_graph(job, searches.graph, false);
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    session::require_construction_memory(job, prepared.grid->shape(), prepared.input, prepared.plan);
    known.planned = construct_loaded(job, prepared, ListOrder::neighbours);
    std::vector<Vertex> sources = chosen_sources(job, searches, known);
    if (sources.empty()) return;
    time_by_counts<model::SearchWork>(model::count_searches(*prepared.graph, std::move(sources), searches.direction),
                                      known);
}

void load_for_paths(const job::Job& job, const PlannedSearches& searches, KnownGraph& known)
{
    session::PreparedGraph& prepared = known.prepared;
    const bool in_classes = is_in_classes(searches.graph, searches.source.has_value());
    if (in_classes) describe_classes(searches, known);
    known.clock = {};
    const bool is_sample = in_classes && known.planned.vertices > static_cast<double>(kMostSampledVertices);
    const session::GraphOptions loaded_options = is_sample ? sample_of(searches, known) : searches.graph;
    prepared.input = session::load_graph(job, loaded_options, true);
    session::require_weights(job, prepared.input);
    const WeightType type = choose_weight_type(job.world(), prepared.input.list);
    prepared.feed = std::make_unique<ListFeed>(prepared.input.list, type);
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    session::require_construction_memory(job, prepared.grid->shape(), prepared.input, prepared.plan, type);
    const session::SsspPlan plan = session::choose_sssp_method(job, {}, prepared.input, *prepared.feed, searches.ranks);
    const model::PlannedGraph loaded = construct_loaded(job, prepared, plan.list_order());
    if (!is_sample) known.planned = loaded;
    known.planned.weight_bytes =
        with_weight_type(type, []<typename W>(W) { return std::is_same_v<W, Unweighted> ? 0.0 : double{sizeof(W)}; });
    const std::vector<Vertex> sources = chosen_sources(job, searches, known);
    if (sources.empty() || searches.ranks > kMostRanksOfPaths) return;
    if (is_sample) known.counted += fmt::format(" of {}, scaled", loaded_options.graph);
    const double factor = known.planned.vertices / loaded.vertices;
    const auto count = [&job, &prepared, &known, searches, sources, factor,
                        method = plan.choice.method](comm::GridShape shape) {
        require_virtual_memory(job, searches, known, shape);
        algo::SsspOptions options;
        options.method = method;
        model::VirtualSssp counted(*prepared.grid, *prepared.graph, shape, options, session::host_sssp_engines());
        std::vector<model::SsspWork> all;
        for (const Vertex source : sources) all.push_back(model::scaled(counted.run(source), factor));
        return all;
    };
    time_by_counts<model::SsspWork>(count, known);
}

}  // namespace wayfront::app
