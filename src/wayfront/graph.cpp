#include "wayfront/graph.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

constexpr std::string_view kNoWeights = "none";  // as LoadOptions::weights

session::GraphOptions graph_options(const std::string& graph, const LoadOptions& options)
{
    session::GraphOptions input;
    input.graph = graph;
    input.undirected = options.direction == EdgeDirection::undirected;
    input.names = options.names;
    input.double_precision = options.double_precision;
    if (options.weights != kNoWeights) input.weights = options.weights;
    return input;
}

void require_vertex_count(Vertex vertex_count)
{
    if (vertex_count < 0 || vertex_count > kMaxVertices)
        throw InputError("a graph has 0 to 2^48 vertices, not " + std::to_string(vertex_count));
}

/// A graph of the caller, without edges.
session::LoadedGraph facts_of_edges(Vertex vertex_count, bool directed)
{
    session::LoadedGraph facts;
    facts.name = "edges";
    facts.format = "edges in memory";
    facts.list.vertex_count = vertex_count;
    facts.list.directed = directed;
    return facts;
}

/// Edges of the caller, without weights.
session::LoadedGraph list_edges(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges,
                                const LoadOptions& options)
{
    require_vertex_count(vertex_count);
    session::LoadedGraph made = facts_of_edges(vertex_count, options.direction != EdgeDirection::undirected);
    made.list.edges = HostBuffer<PackedEdge>(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto [source, target] = edges[i];
        if (std::min(source, target) < 0 || std::max(source, target) >= vertex_count)
            throw InputError("edge " + std::to_string(i) + " joins " + std::to_string(source) + " and " +
                             std::to_string(target) + ", but the graph's vertices are 0 to " +
                             std::to_string(vertex_count - 1));
        made.list.edges[i] = PackedEdge::pack(source, target);
    }
    if (options.direction == EdgeDirection::reversed) session::reverse_edges(made);
    return made;
}

WeightSpans weight_spans(const std::optional<EdgeWeights>& weights)
{
    if (!weights) return {};
    return std::visit([](auto span) { return WeightSpans(span); }, *weights);
}

std::string name_of_type(const WeightSpans& weights)
{
    constexpr std::array<std::string_view, 5> names{"none", "std::int32_t", "std::int64_t", "float", "double"};
    return std::string(names.at(weights.index()));
}

}  // namespace

session::LoadedGraph load_input(const job::Job& job, const std::string& graph, const LoadOptions& options)
{
    const session::GraphOptions asked = graph_options(graph, options);
    comm::run_agreed(job.world(), [&] { asked.check(); });
    session::LoadedGraph input = session::load_graph(job, asked, options.weights != kNoWeights);
    if (options.weights == kNoWeights) input.list.weights = {};
    if (options.direction == EdgeDirection::directed || options.direction == EdgeDirection::reversed)
        input.list.directed = true;
    if (options.direction == EdgeDirection::reversed) session::reverse_edges(input);
    return input;
}

Graph::Graph(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Graph Graph::load(const std::string& graph, const LoadOptions& options)
{
    const ThreadsRestored threads;
    std::shared_ptr<const Ranks> ranks = make_ranks(options);
    return with_documented_errors(ranks->world, [&] {
        return Graph(std::make_shared<const State>(State{ranks, load_input(ranks->job, graph, options)}));
    });
}

Graph Graph::from_edges(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges,
                        const LoadOptions& options)
{
    return list(vertex_count, edges, nullptr, options);
}

Graph Graph::from_edges(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges,
                        const EdgeWeights& weights, const LoadOptions& options)
{
    return list(vertex_count, edges, &weights, options);
}

Graph Graph::list(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges, const EdgeWeights* weights,
                  const LoadOptions& options)
{
    const ThreadsRestored threads;
    std::shared_ptr<const Ranks> ranks = make_ranks(options);
    const comm::Communicator& world = ranks->world;
    return with_documented_errors(world, [&] {
        comm::require_alike(world, "the number of vertices", std::to_string(vertex_count));
        comm::require_alike(world, "the type of weights",
                            name_of_type(weights == nullptr ? WeightSpans() : weight_spans(*weights)));
        session::LoadedGraph input = comm::run_agreed(world, [&] { return list_edges(vertex_count, edges, options); });
        if (weights != nullptr)
            comm::run_agreed(world, [&] {
                check_weights(weight_spans(*weights), edges.size());
                input.list.weights = copy_of(weight_spans(*weights));
            });
        session::settle_weights(ranks->job, graph_options(input.name, options), input);
        if (options.weights == kNoWeights) input.list.weights = {};
        input.edges = world.all_reduce(static_cast<std::int64_t>(edges.size()), comm::Reduction::sum);
        return Graph(std::make_shared<const State>(State{ranks, std::move(input)}));
    });
}

Graph Graph::view(Vertex vertex_count, const CsrArrays& rows, const LoadOptions& options)
{
    return view(ArrayEdges{.vertex_count = vertex_count,
                           .sources = rows.offsets,
                           .compressed = true,
                           .first_row = rows.first_row,
                           .targets = rows.targets,
                           .weights = weight_spans(rows.weights)},
                options);
}

Graph Graph::view(Vertex vertex_count, const EdgeArrays& edges, const LoadOptions& options)
{
    return view(ArrayEdges{.vertex_count = vertex_count,
                           .sources = edges.sources,
                           .targets = edges.targets,
                           .weights = weight_spans(edges.weights)},
                options);
}

Graph Graph::view(ArrayEdges edges, const LoadOptions& options)
{
    const ThreadsRestored threads;
    std::shared_ptr<const Ranks> ranks = make_ranks(options);
    const comm::Communicator& world = ranks->world;
    return with_documented_errors(world, [&] {
        comm::require_alike(world, "the number of vertices", std::to_string(edges.vertex_count));
        comm::require_alike(world, "the type of weights", name_of_type(edges.weights));
        comm::run_agreed(world, [&] {
            if (!options.weights.empty() && options.weights != kNoWeights)
                throw InputError("weights: a view of arrays has the weights of the caller, or with \"none\" none");
            require_vertex_count(edges.vertex_count);
            edges.check();
        });
        edges.directed = options.direction != EdgeDirection::undirected;
        edges.reversed = options.direction == EdgeDirection::reversed;
        if (options.weights == kNoWeights) edges.weights = {};
        session::LoadedGraph input = facts_of_edges(edges.vertex_count, edges.directed);
        input.reversed = edges.reversed;
        input.edges = world.all_reduce(static_cast<std::int64_t>(edges.size()), comm::Reduction::sum);
        return Graph(std::make_shared<const State>(State{ranks, std::move(input), edges, options.double_precision}));
    });
}

Graph Graph::view(Vertex vertex_count, const DeviceEdgeArrays& edges, const LoadOptions& options)
{
    const ThreadsRestored threads;
    std::shared_ptr<const Ranks> ranks = make_ranks(options);
    const comm::Communicator& world = ranks->world;
    return with_documented_errors(world, [&] {
        return comm::run_agreed(world, [&] {
            if (world.size() > 1) throw InputError("arrays in GPU memory: the graph is that of one rank");
            if (!options.weights.empty() && options.weights != kNoWeights)
                throw InputError("weights: a view of arrays has the weights of the caller, or with \"none\" none");
            require_vertex_count(vertex_count);
            session::LoadedGraph input = facts_of_edges(vertex_count, options.direction != EdgeDirection::undirected);
            input.reversed = options.direction == EdgeDirection::reversed;
            auto on_gpu = std::make_unique<const EdgesOnGpu>(vertex_count, edges, input.list.directed, input.reversed,
                                                             options.weights != kNoWeights);
            input.edges = on_gpu->edges().count;
            return Graph(std::make_shared<const State>(
                State{ranks, std::move(input), {}, options.double_precision, std::move(on_gpu)}));
        });
    });
}

const Graph::State& Graph::state() const
{
    return held(state_, "Graph");
}

const std::string& Graph::name() const
{
    return state().input.name;
}

Vertex Graph::vertex_count() const
{
    return state().input.list.vertex_count;
}

std::int64_t Graph::edge_count() const
{
    return state().input.edges;
}

bool Graph::directed() const
{
    return state().input.list.directed;
}

bool Graph::whole_distances() const
{
    return !state().has_float_weights();
}

void Graph::agree_on_arrays(bool given, const std::string& fault) const
{
    const comm::Communicator& world = state().ranks->world;
    with_documented_errors(world, [&] {
        comm::run_agreed(world, [&] {
            if (!fault.empty()) throw InputError(fault);
        });
        const auto ranks = world.all_reduce(std::int64_t{given ? 1 : 0}, comm::Reduction::sum);
        if (ranks != 0 && ranks != world.size()) comm::require_alike(world, "out", given ? "arrays" : "None");
    });
}

Vertex Graph::first_vertex() const
{
    return state().input.first_vertex;
}

bool Graph::named() const
{
    return state().input.named;
}

std::string_view Graph::vertex_name(Vertex vertex) const
{
    const session::LoadedGraph& input = state().input;
    if (!input.named) throw InputError("vertex_name: the vertices of " + input.name + " have numbers, not names");
    return (*input.names)[static_cast<std::size_t>(input.list_number("vertex_name", vertex))];
}

Vertex Graph::vertex_named(std::string_view name) const
{
    const session::LoadedGraph& input = state().input;
    if (!input.named) throw InputError("vertex_named: the vertices of " + input.name + " have numbers, not names");
    return input.list_number("vertex_named", name);
}

int Graph::rank() const
{
    return state().ranks->world.rank();
}

int Graph::ranks() const
{
    return state().ranks->world.size();
}

int Graph::threads() const
{
    return state().ranks->job.threads();
}

std::int64_t Graph::own_count() const
{
    return (vertex_count() - rank() + ranks() - 1) / ranks();
}

Vertex Graph::own_vertex(std::int64_t i) const
{
    return first_vertex() + i * ranks() + rank();
}

int Graph::owner(Vertex vertex) const
{
    return static_cast<int>((vertex - first_vertex()) % ranks());
}

std::int64_t Graph::index_at_owner(Vertex vertex) const
{
    return (vertex - first_vertex()) / ranks();
}

}  // namespace wayfront
