#include "app/commands/planned_graph.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "job/host_memory.hpp"
#include "model/virtual_sssp.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/random_vertices.hpp"
#include "session/sssp/host_sssp.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::app {

namespace {

// Searches for shortest paths in a larger graph of classes are counted in a smaller graph of the same kind.
constexpr Vertex kSampledVertices = Vertex{1} << 16;
// The arcs of a vertex that searches read when the graph is twice as large, relative to those before:
// 0.94 on one rank from scale 16 to 22, 0.96 on 2 x 2 from 16 to 20.
constexpr double kArcsOfDoubled = 0.95;
/// Searches for shortest paths are counted on at most this number of ranks.
constexpr int kMostRanksOfPaths = 256;

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
    session::construct_on_hosts(job, prepared, {.list_order = order});
    const DistributedGraph& graph = *prepared.graph;
    const double entries = std::max(1.0, edges * (directed ? 1 : 2));
    return {vertices,
            edges,
            static_cast<double>(graph.connected_vertices),
            static_cast<double>(graph.directed_edges) / entries,
            directed,
            0};
}

/// The vertices that are searched from: the source, or random vertices with edges.
std::vector<Vertex> chosen_sources(const job::Job& job, const PlannedSearches& searches,
                                   const session::PreparedGraph& prepared)
{
    if (searches.source) return {prepared.input.list_number("--source", *searches.source)};
    session::RandomVertices wanted;
    wanted.count = static_cast<std::size_t>(std::min<std::int64_t>(searches.count, prepared.graph->connected_vertices));
    wanted.seed = searches.graph.seeds.seed;
    wanted.option = "--keys";
    if (wanted.count == 0) return {};
    return session::draw_vertices(job.world(), *prepared.graph, wanted);
}

std::string counted_in_words(const PlannedSearches& searches, std::size_t count)
{
    const std::string ranks = counted(searches.ranks, "rank", "ranks");
    if (searches.source) return fmt::format("counted on {}, from vertex {}", ranks, *searches.source);
    return fmt::format("counted on {}, {}", ranks, counted(count, "search", "searches"));
}

/// A graph of the same kind and mean degree as the graph of classes that `searches` names.
session::GraphOptions sample_of(const PlannedSearches& searches, const KnownGraph& known)
{
    session::GraphOptions sample = searches.graph;
    const double degree = known.planned.edges / known.planned.vertices;
    if (is_kronecker(searches.graph))
        sample.graph = fmt::format("kron:{},ef={}", std::lround(std::log2(kSampledVertices)), degree);
    else
        sample.graph = fmt::format("random:{},{:.0f}", kSampledVertices, degree * kSampledVertices);
    return sample;
}

double bytes_of_weight(WeightType type)
{
    return with_weight_type(type,
                            []<typename W>(W) { return std::is_same_v<W, Unweighted> ? 0.0 : double{sizeof(W)}; });
}

/// A graph with weights, whose searches for shortest paths are counted.
struct LoadedPaths
{
    session::PreparedGraph prepared;
    model::PlannedGraph facts;
    algo::SsspMethod method = algo::SsspMethod::automatic;
    std::vector<Vertex> sources;
};

/// Collective.
std::shared_ptr<LoadedPaths> load_paths(const job::Job& job, const PlannedSearches& searches,
                                        const session::GraphOptions& graph)
{
    auto loaded = std::make_shared<LoadedPaths>();
    session::PreparedGraph& prepared = loaded->prepared;
    prepared.input = session::load_graph(job, graph, true);
    session::require_weights(job, prepared.input);
    const WeightType type = choose_weight_type(job.world(), prepared.input.list);
    prepared.feed = std::make_unique<ListFeed>(prepared.input.list, type);
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    session::require_construction_memory(job, prepared.grid->shape(), prepared.input, prepared.plan, type);
    const session::SsspPlan plan = session::choose_sssp_method(job, {}, prepared.input, *prepared.feed, searches.ranks);
    loaded->method = plan.choice.method;
    loaded->facts = construct_loaded(job, prepared, plan.list_order());
    loaded->facts.paths_on_one_rank = searches.ranks == 1 && session::searches_on_one_rank(loaded->method);
    loaded->facts.lists_by_weight = plan.list_order() == ListOrder::weights;
    loaded->facts.weight_bytes = bytes_of_weight(type);
    loaded->sources = chosen_sources(job, searches, prepared);
    return loaded;
}

/// Searches on one rank by a method without rounds, and counts the arcs.
std::vector<model::SsspWork> count_on_one_rank(const LoadedPaths& loaded)
{
    algo::SsspOptions options;
    options.method = loaded.method;
    const std::unique_ptr<algo::SsspSearch> search =
        session::make_host_sssp(*loaded.prepared.grid, *loaded.prepared.graph, options);
    std::vector<model::SsspWork> all;
    for (const Vertex source : loaded.sources) {
        search->run(source);
        const algo::SsspResult& result = search->result();
        model::RankWork rank;
        rank.arcs = result.counters.relaxed_arcs + result.counters.pulled_arcs;
        model::SsspWork& work = all.emplace_back();
        work.on_one_rank = true;
        work.reached = result.reached;
        work.rounds.push_back({{rank}, result.reached, false});
    }
    return all;
}

/// Counts the searches on virtual ranks. Throws an AgreedError if these do not fit. Collective.
std::vector<model::SsspWork> count_paths(const job::Job& job, const LoadedPaths& loaded, comm::GridShape shape)
{
    if (loaded.facts.paths_on_one_rank) return count_on_one_rank(loaded);
    // A row or a column takes as much as in session::host_sssp_bytes(), with a head of four arcs. An arc is stored
    // twice in blocks, and once between them.
    const double weight = loaded.facts.weight_bytes;
    const double bytes_a_place = 36 + 9 * weight;
    const double bytes_an_arc = 8 + std::max(4.0, weight) + 2 * (4 + weight);
    const DistributedGraph& graph = *loaded.prepared.graph;
    require_memory(job,
                   static_cast<double>(graph.connected_vertices) * (shape.rows + shape.columns) * bytes_a_place +
                       static_cast<double>(graph.directed_edges) * bytes_an_arc,
                   fmt::format("counting searches of {} on {} ranks", loaded.prepared.input.name, shape.size()));
    algo::SsspOptions options;
    options.method = loaded.method;
    model::VirtualSssp counted(*loaded.prepared.grid, graph, shape, options, session::host_sssp_engines());
    std::vector<model::SsspWork> all;
    all.reserve(loaded.sources.size());
    for (const Vertex source : loaded.sources) all.push_back(counted.run(source));
    return all;
}

/// A graph of classes with `factor` times as many vertices and edges as `graph`.
model::VertexClasses classes_of_size(const session::GraphOptions& graph, double factor)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(graph.graph, graph.seeds);
    const auto vertices = static_cast<double>(source->vertex_count());
    const auto edges = static_cast<double>(source->edge_count());
    if (is_kronecker(graph))
        return model::kronecker_classes(static_cast<int>(std::lround(std::log2(vertices * factor))), edges / vertices);
    return model::uniform_classes(vertices * factor, edges * factor);
}

template <typename Work>
void time_by_counts(typename model::Counted<Work>::Count count, KnownGraph& known)
{
    const auto counts = std::make_shared<model::Counted<Work>>(std::move(count));
    known.clock = model::clock_of_counts(counts, known.planned);
    known.messages = [counts](const model::SearchDesign& design) { return messages_of(counts->by(design).front()); };
}

/// Whether searches for shortest paths in a large graph of classes are those that can be followed in the mean: by
/// push-pull, with weights that are uniform from nearly 0 on, many of them in a window. Those of Kronecker graphs are
/// floats, if no others are asked for.
bool has_paths_in_mean(const PlannedSearches& searches, const KnownGraph& known)
{
    if (!known.classes || known.planned.vertices <= static_cast<double>(kSampledVertices)) return false;
    const double end_degree = known.classes->degree_at_ends();
    const plan::SsspCase graph{.vertices = known.planned.vertices,
                               .arcs = 2 * known.planned.edges,
                               .end_degree = end_degree,
                               .ranks = searches.ranks};
    if (plan::fastest_sssp_method({}, graph).method != algo::SsspMethod::push_pull) return false;
    if (searches.graph.weights.empty()) return is_kronecker(searches.graph);
    return session::have_many_values(searches.graph.weights, known.planned.vertices, end_degree);
}

std::string in_mean_in_words(const PlannedSearches& searches)
{
    return fmt::format("in the mean of graphs of this kind, {}", counted(searches.count, "search", "searches"));
}

/// Pre: has_paths_in_mean().
void follow_paths_in_mean(const PlannedSearches& searches, KnownGraph& known)
{
    known.counted = in_mean_in_words(searches);
    known.planned.weight_bytes = searches.graph.double_precision ? 8 : 4;
    time_by_counts<model::SsspWork>(model::paths_of_classes(*known.classes, searches.count), known);
    known.messages = {};
    known.hub_size = [classes = *known.classes, bytes = known.planned.weight_bytes](const model::SearchDesign& design) {
        model::HubGraphSize size = model::hub_graph_size(classes, design);
        size.weight_bytes = bytes;
        return size;
    };
    model::PlannedGraph larger = known.planned;
    constexpr double factor = 2;
    const model::VertexClasses classes = classes_of_size(searches.graph, factor);
    larger.vertices *= factor;
    larger.edges *= factor;
    larger.connected = classes.connected();
    known.twice = [classes, larger, count = searches.count](const algo::DirectionPolicy&) {
        return model::clock_of_counts(
            std::make_shared<model::Counted<model::SsspWork>>(model::paths_of_classes(classes, count)), larger);
    };
}

}  // namespace

bool is_in_classes(const session::GraphOptions& graph, bool has_source)
{
    if (has_source || graph.directed || !(is_kronecker(graph) || graph.graph.starts_with("random:"))) return false;
    return !make_edge_source(graph.graph, graph.seeds)->directed();
}

void describe_classes(const session::GraphOptions& graph, KnownGraph& known)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(graph.graph, graph.seeds);
    const auto vertices = static_cast<double>(source->vertex_count());
    const auto edges = static_cast<double>(source->edge_count());
    known.planned = {vertices, edges, 0, 1, false, 0};
    if (edges == 0) return;
    model::VertexClasses classes = classes_of_size(graph, 1);
    known.planned.connected = classes.connected();
    known.planned.distinct = classes.distinct;
    known.classes = std::move(classes);
}

void follow_levels_in_mean(const PlannedSearches& searches, KnownGraph& known)
{
    if (!known.classes) return;
    const model::VertexClasses& classes = *known.classes;
    known.counted = in_mean_in_words(searches);
    known.twice = [twice = classes_of_size(searches.graph, 2), count = searches.count](
                      const algo::DirectionPolicy& policy) { return model::clock_of_classes(twice, policy, count); };
    known.clock = model::clock_of_classes(classes, searches.direction, searches.count);
    known.hub_size = [classes](const model::SearchDesign& design) { return model::hub_graph_size(classes, design); };
}

void load_for_levels(const job::Job& job, const PlannedSearches& searches, KnownGraph& known)
{
    session::PreparedGraph& prepared = known.prepared;
    prepared.input = session::load_graph(job, searches.graph, false);
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    session::require_construction_memory(job, prepared.grid->shape(), prepared.input, prepared.plan);
    known.planned = construct_loaded(job, prepared, ListOrder::neighbours);
    std::vector<Vertex> sources = chosen_sources(job, searches, prepared);
    if (sources.empty()) return;
    known.counted = counted_in_words(searches, sources.size());
    if (!known.planned.directed)
        known.hub_size = [&whole = *prepared.graph](const model::SearchDesign& design) {
            return model::hub_graph_size(whole, design);
        };
    time_by_counts<model::SearchWork>(
        model::count_searches(*prepared.graph, std::move(sources), searches.direction, searches.ranks_per_host), known);
}

void load_for_paths(const job::Job& job, const PlannedSearches& searches, KnownGraph& known)
{
    if (is_in_classes(searches.graph, searches.source.has_value()))
        run_agreed(job.world(), [&] { describe_classes(searches.graph, known); });
    known.planned.paths = true;
    if (has_paths_in_mean(searches, known)) {
        follow_paths_in_mean(searches, known);
        return;
    }
    const bool is_sampled = known.planned.vertices > static_cast<double>(kSampledVertices);
    const session::GraphOptions graph = is_sampled ? sample_of(searches, known) : searches.graph;
    const std::shared_ptr<LoadedPaths> loaded = load_paths(job, searches, graph);
    if (!is_sampled) known.planned = loaded->facts;
    known.planned.weight_bytes = loaded->facts.weight_bytes;
    known.planned.paths = true;
    known.planned.lists_by_weight = loaded->facts.lists_by_weight;
    known.planned.paths_on_one_rank = loaded->facts.paths_on_one_rank;
    // The planned method may need a single rank. On several ranks, another method would be chosen.
    known.most_ranks = known.planned.paths_on_one_rank ? 1 : kMostRanksOfPaths;
    if (loaded->sources.empty() || searches.ranks > known.most_ranks) return;
    known.counted = counted_in_words(searches, loaded->sources.size());
    if (is_sampled) known.counted += fmt::format(" of {}, scaled", graph.graph);
    // Messages grow with the number of vertices that have edges. In larger Kronecker graphs, a smaller share of the
    // vertices have edges.
    const double factor = known.planned.connected / loaded->facts.connected;
    const double of_vertices = known.planned.vertices / loaded->facts.vertices;
    const double arcs_factor = of_vertices * std::pow(kArcsOfDoubled, std::log2(of_vertices));
    const auto count = [&job, loaded, factor, arcs_factor](const model::SearchDesign& design) {
        std::vector<model::SsspWork> all = count_paths(job, *loaded, design.shape);
        for (model::SsspWork& search : all) search = model::scaled(std::move(search), factor, arcs_factor);
        return all;
    };
    time_by_counts<model::SsspWork>(count, known);
}

std::vector<plan::MethodTime> load_for_all_pairs(const job::Job& job, const session::GraphOptions& graph,
                                                 const plan::ApspMachine& machine, KnownGraph& known)
{
    const plan::ApspMethodOptions options;
    session::PreparedPairs pairs;
    pairs.input = session::load_graph(job, graph, true);
    const auto edges = static_cast<double>(pairs.input.edges);
    const bool directed = pairs.input.list.directed;
    session::gather_pairs(job, options, pairs);
    session::construct_pairs(job, pairs);
    session::take_all_sources(pairs);
    const DistributedGraph& whole = *pairs.whole.graph;
    known.planned = {static_cast<double>(whole.partition.vertex_count()),
                     edges,
                     static_cast<double>(whole.connected_vertices),
                     static_cast<double>(whole.directed_edges) / std::max(1.0, edges * (directed ? 1 : 2)),
                     directed,
                     bytes_of_weight(pairs.weights)};
    plan::ApspWork work;
    work.name = pairs.input.name;
    work.weights = pairs.weights;
    work.negative_weights = pairs.negative_weights;
    work.sources = pairs.sources.size();
    work.source_list = pairs.sources;
    return run_agreed(job.world(), [&] { return plan::method_times(job, options, machine, work, whole); });
}

}  // namespace wayfront::app
