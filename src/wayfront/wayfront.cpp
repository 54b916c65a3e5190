#include "wayfront/wayfront.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "algo/bfs/bfs_search.hpp"
#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "graph500/validate.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/search_options.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/input/graph_input.hpp"
#include "session/prepared_graph.hpp"
#include "session/reported_result.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

static_assert(kNotReached == kUnreached);

namespace {

plan::EngineRequest engine_request(const BfsOptions& options)
{
    plan::EngineRequest request;
    request.engine = options.engine;
    request.transport = options.transport;
    request.cpu_share_given = options.cpu_share.has_value();
    request.cpu_share = options.cpu_share;
    return request;
}

plan::SearchOptions search_options(const BfsOptions& options)
{
    plan::SearchOptions search;
    search.engine = engine_request(options);
    if (options.grid) search.grid = comm::GridShape{options.grid->rows, options.grid->columns};
    return search;
}

void check(const BfsOptions& options)
{
    require_enumerator("engine", options.engine, Engine::split);
    require_enumerator("transport", options.transport, Transport::host);
    require_grid(options.grid);
    search_options(options).check();
    if (options.cpu_share && !(*options.cpu_share >= 0 && *options.cpu_share <= 1))
        throw InputError("cpu_share: expected a number from 0 to 1");
    if (options.cutoff && *options.cutoff < 0) throw InputError("cutoff: expected a level of at least 0");
    if (options.cutoff && options.validate)
        throw InputError(
            "validate and cutoff do not go together: a search with a cutoff does not reach its whole component");
}

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

Graph::Graph(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Graph Graph::load(const std::string& graph, const LoadOptions& options)
{
    const ThreadsRestored threads;
    std::shared_ptr<const Ranks> ranks = make_ranks(options);
    return with_documented_errors(ranks->world, [&] {
        const session::GraphOptions asked = graph_options(graph, options);
        comm::run_agreed(ranks->world, [&] { asked.check(); });
        session::LoadedGraph input = session::load_graph(ranks->job, asked, options.weights != kNoWeights);
        if (options.weights == kNoWeights) input.list.weights = {};
        if (options.direction == EdgeDirection::directed || options.direction == EdgeDirection::reversed)
            input.list.directed = true;
        if (options.direction == EdgeDirection::reversed) session::reverse_edges(input);
        return Graph(std::make_shared<const State>(State{ranks, std::move(input)}));
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
    return (*input.names)[static_cast<std::size_t>(input.inside("vertex_name", vertex))];
}

Vertex Graph::vertex_named(std::string_view name) const
{
    const session::LoadedGraph& input = state().input;
    if (!input.named) throw InputError("vertex_named: the vertices of " + input.name + " have numbers, not names");
    return input.inside("vertex_named", name);
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

struct Bfs::State
{
    std::shared_ptr<const Ranks> ranks;
    BfsOptions options;
    session::PreparedGraph prepared;  // its input without edges
    std::unique_ptr<session::HostGraphBfs> search;
    // Searches from several sources at once, if `search` starts from one; made when they are needed.
    std::unique_ptr<session::HostGraphBfs> from_several{};
    Usable usable;
    std::vector<Vertex> sources{};          // of the last search, if it has a result
    session::HostGraphBfs* last = nullptr;  // that ran it
    bool nearest = false;                   // whether it started from several sources

    [[nodiscard]] session::BfsRequest request(std::int64_t searches) const
    {
        return {.search = search_options(options),
                .smallest_parents = options.deterministic,
                .max_level = options.cutoff.value_or(algo::kNoMaxLevel),
                .validate = options.validate,
                .searches = searches};
    }
    [[nodiscard]] session::HostGraphBfs& search_from_several();
    /// Searches, and fills in all of the result but its source. Collective.
    void search_from(const std::vector<Vertex>& keys, bool from_all, BfsResult& result);
};

session::HostGraphBfs& Bfs::State::search_from_several()
{
    if (!prepared.plan.on_device()) return *search;
    if (!from_several)
        from_several =
            session::prepare_bfs_on_cores(ranks->job, request(std::numeric_limits<std::int64_t>::max()), prepared);
    return *from_several;
}

Bfs::Bfs(Graph graph, const BfsOptions& options)
    : Bfs(std::move(graph), options, std::numeric_limits<std::int64_t>::max())
{
}

Bfs::Bfs(Graph graph, const BfsOptions& options, std::int64_t searches)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    const ThreadsRestored threads(ranks->job.threads());
    state_ = with_documented_errors(ranks->world, [&] {
        const job::Job& job = ranks->job;
        comm::run_agreed(job.world(), [&] { check(options); });
        auto made = std::make_unique<State>();
        made->ranks = ranks;
        made->options = options;
        const session::BfsRequest request = made->request(searches);
        session::PreparedGraph& prepared = made->prepared;
        prepared.plan = session::choose_bfs_plan(job, request);
        prepared.input = facts_of(graph.state_->input);
        auto feed = std::make_unique<ReleasableFeed>(graph.state_, graph.state_->feed(WeightType::none), false);
        ReleasableFeed& edges = *feed;
        prepared.feed = std::move(feed);
        graph.state_ = nullptr;
        made->search = session::prepare_bfs_searches(job, request, prepared, nullptr);
        if (!options.validate) edges.release();
        return made;
    });
}

Bfs::Bfs(Bfs&&) noexcept = default;
Bfs& Bfs::operator=(Bfs&&) noexcept = default;
Bfs::~Bfs() = default;

BfsResult Bfs::run(Vertex source)
{
    State& state = held(state_, "Bfs");
    const comm::Communicator& world = state.ranks->world;
    const ThreadsRestored threads(state.ranks->job.threads());
    return with_documented_errors(world, [&] {
        const Vertex key = comm::run_agreed(world, [&] { return state.prepared.input.inside("source", source); });
        BfsResult result;
        result.source = source;
        state.search_from({key}, false, result);
        return result;
    });
}

BfsResult Bfs::run_nearest(std::span<const Vertex> sources)
{
    State& state = held(state_, "Bfs");
    const comm::Communicator& world = state.ranks->world;
    const ThreadsRestored threads(state.ranks->job.threads());
    return with_documented_errors(world, [&] {
        const std::vector<Vertex> keys =
            comm::run_agreed(world, [&] { return inside_of(state.prepared.input, sources); });
        BfsResult result;
        result.source = state.prepared.input.outside(keys.front());
        state.search_from(keys, true, result);
        return result;
    });
}

void Bfs::State::search_from(const std::vector<Vertex>& keys, bool from_all, BfsResult& result)
{
    const comm::Communicator& world = ranks->world;
    sources.clear();
    session::HostGraphBfs& searches = from_all ? search_from_several() : *search;
    result.seconds =
        usable.run("Bfs", [&] { return from_all ? searches.run_nearest(keys) : searches.run(keys.front()); });
    result.reached = static_cast<std::int64_t>(searches.reached());
    const std::span<const std::int32_t> levels = searches.levels();
    const std::int64_t deepest = levels.empty() ? 0 : std::max(*std::ranges::max_element(levels), 0);
    result.depth = static_cast<std::int32_t>(world.all_reduce(deepest, comm::Reduction::max));
    if (options.validate) {
        const graph500::BfsValidation validation = searches.check();
        const std::vector<algo::LevelRecord> records = searches.level_records();
        const std::string fault = session::fault_of(world, prepared.graph->partition,
                                                    {levels, searches.reached(), result.depth, records}, validation);
        if (!fault.empty())
            throw AgreedError(ExitCode::wrong_result,
                              "the search from " + std::to_string(result.source) + " is invalid: " + fault);
    }
    comm::run_agreed(world, [&] {
        result.levels.assign(levels.begin(), levels.end());
        result.parents = outside_of(prepared.input, searches.parents());
        if (from_all) result.nearest = outside_of(prepared.input, searches.nearest());
    });
    if (options.gather) {
        const Partition& partition = prepared.graph->partition;
        result.levels = gathered(world, partition, result.levels);
        result.parents = gathered(world, partition, result.parents);
        if (from_all) result.nearest = gathered(world, partition, result.nearest);
    }
    sources = keys;
    last = &searches;
    nearest = from_all;
}

std::vector<Vertex> Bfs::path(Vertex target) const
{
    const State& state = held(state_, "Bfs");
    return with_documented_errors(state.ranks->world, [&] {
        require_result(*state.ranks, state.sources);
        return path_in_tree(*state.ranks, state.prepared, state.last->parents(), target);
    });
}

void Bfs::write(const std::string& path) const
{
    const State& state = held(state_, "Bfs");
    with_documented_errors(state.ranks->world, [&] {
        require_result(*state.ranks, state.sources);
        write_tree(*state.ranks, state.prepared, path,
                   {state.sources, session::as_values(state.last->levels()), state.last->parents(),
                    state.nearest ? &state.last->nearest() : nullptr});
    });
}

EngineDescription Bfs::engine() const
{
    const State& state = held(state_, "Bfs");
    const session::EngineFacts facts = state.search->facts();
    const comm::GridShape shape = state.prepared.grid->shape();
    return {facts.engine, facts.transport, facts.device, {shape.rows, shape.columns}};
}

BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options)
{
    return Bfs(graph, options, 1).run(source);
}

}  // namespace wayfront
