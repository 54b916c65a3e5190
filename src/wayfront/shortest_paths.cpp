#include "wayfront/shortest_paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "algo/pairs.hpp"
#include "comm/agreement.hpp"
#include "comm/process_grid.hpp"
#include "graph500/validate_distances.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/prepared_sssp.hpp"
#include "session/sssp/sssp_searches.hpp"
#include "wayfront/call_progress.hpp"
#include "wayfront/device_results.hpp"
#include "wayfront/graph_state.hpp"
#include "wayfront/object_searches.hpp"

namespace wayfront {

namespace {

algo::SsspMethod method_of(PathAlgorithm algorithm)
{
    switch (algorithm) {
        case PathAlgorithm::dijkstra:
            return algo::SsspMethod::dijkstra;
        case PathAlgorithm::delta_stepping:
            return algo::SsspMethod::delta_stepping;
        case PathAlgorithm::bellman_ford:
            return algo::SsspMethod::bellman_ford;
        case PathAlgorithm::push_pull:
            return algo::SsspMethod::push_pull;
        case PathAlgorithm::automatic:
            break;
    }
    return algo::SsspMethod::automatic;
}

plan::SsspMethodOptions method_options(const ShortestPathsOptions& options)
{
    plan::SsspMethodOptions method;
    method.method = method_of(options.algorithm);
    method.delta = options.delta;
    method.engine.engine = options.engine;
    method.engine.transport = options.transport;
    method.engine.names_transports = true;
    if (options.grid) method.grid = comm::GridShape{options.grid->rows, options.grid->columns};
    method.smallest_parents = options.deterministic;
    method.cuts_off = options.cutoff.has_value();
    return method;
}

void check(const ShortestPathsOptions& options)
{
    require_enumerator("algorithm", options.algorithm, PathAlgorithm::push_pull);
    require_enumerator("engine", options.engine, Engine::split);
    require_enumerator("transport", options.transport, Transport::host);
    require_grid(options.grid);
    method_options(options).check();
    if (options.engine == Engine::split)
        throw InputError("engine: shortest paths are searched on the CPU or on a GPU, not on both");
    if (options.delta && !(*options.delta > 0 && std::isfinite(*options.delta)))
        throw InputError("delta: expected a finite number above 0");
    if (options.cutoff && !(*options.cutoff >= 0 && std::isfinite(*options.cutoff)))
        throw InputError("cutoff: expected a finite number from 0 on");
    if (options.cutoff && options.validate)
        throw InputError(
            "validate and cutoff do not go together: a search with a cutoff does not reach its whole component");
}

/// Writes distances as whole numbers of 64 bits, or as doubles.
template <typename T, typename Wide>
void widen(const HostBuffer<T>& own, std::span<Wide> all)
{
    std::ranges::transform(own, all.begin(), [](T distance) {
        return distance == unreached<T>() ? unreached<Wide>() : static_cast<Wide>(distance);
    });
}

session::SsspRequest request_of(const ShortestPathsOptions& options, std::int64_t searches)
{
    return {.method = method_options(options),
            .cutoff = options.cutoff.value_or(std::numeric_limits<double>::infinity()),
            .validate = options.validate,
            .searches = searches};
}

}  // namespace

static_assert(ShortestPathsResult::kNoDistance == unreached<std::int64_t>());

double ShortestPathsResult::distance(std::int64_t i) const
{
    return std::visit(
        [i]<typename T>(const std::vector<T>& all) {
            if (i < 0 || static_cast<std::size_t>(i) >= all.size())
                throw InputError("there is no distance " + std::to_string(i) + " in a result of " +
                                 std::to_string(all.size()));
            const T found = all[static_cast<std::size_t>(i)];
            return found == unreached<T>() ? unreached<double>() : static_cast<double>(found);
        },
        distances);
}

struct ShortestPaths::State : ObjectSearches<session::SsspSearches, ShortestPathsOptions>
{
    using ObjectSearches::ObjectSearches;

    bool floats = false;  // the weights

    /// Searches, and fills in all of the result but its source. Collective.
    void search_from(const Start& start, const ShortestPathsArrays& arrays, ShortestPathsResult& result);
    template <typename Distance>
    void search_from(const Start& start, const ShortestPathsArrays& arrays, std::vector<Distance>& distances,
                     ShortestPathsResult& result);
    /// The same with a result in GPU memory.
    void search_on_device(const Start& start, DeviceShortestPathsResult& result);
    /// Searches, and fills in the time. Returns null if there is a cycle of negative length. Collective.
    template <typename Result>
    session::SsspSearches* search_into(Result& result, const Start& start);
};

ShortestPaths::ShortestPaths(Graph graph, const ShortestPathsOptions& options)
    : ShortestPaths(std::move(graph), options, std::numeric_limits<std::int64_t>::max())
{
}

ShortestPaths::ShortestPaths(Graph graph, const ShortestPathsOptions& options, std::int64_t searches)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    state_ = run_with_progress(*ranks, options.on_progress, [&] {
        const job::Job& job = ranks->job;
        comm::run_agreed(job.world(), [&] { check(options); });
        auto made = std::make_unique<State>(ranks, options);
        session::SsspRequest request = request_of(options, searches);
        request.single_result = searches == 1;
        const std::optional<plan::EnginePlan> asked = session::asked_engine(job, request.method);
        ReleasableFeed& edges = Graph::State::lend_edges(std::move(graph.state_), true, made->prepared);
        made->floats = is_floating_point(edges.weight_type());
        made->search = session::prepare_sssp_searches(job, request, asked, made->prepared, nullptr);
        if (!made->reads_edges()) edges.release();
        return made;
    });
}

ShortestPaths::ShortestPaths(ShortestPaths&&) noexcept = default;
ShortestPaths& ShortestPaths::operator=(ShortestPaths&&) noexcept = default;
ShortestPaths::~ShortestPaths() = default;

ShortestPathsResult ShortestPaths::run(Vertex source, const ShortestPathsArrays& arrays)
{
    State& state = held(state_, "ShortestPaths");
    return state.result_from<ShortestPathsResult>(
        source, [&](const Start& start, ShortestPathsResult& result) { state.search_from(start, arrays, result); });
}

DeviceShortestPathsResult ShortestPaths::run_on_device(Vertex source)
{
    State& state = held(state_, "ShortestPaths");
    return state.result_from<DeviceShortestPathsResult>(
        source, [&](const Start& start, DeviceShortestPathsResult& result) { state.search_on_device(start, result); });
}

ShortestPathsResult ShortestPaths::run_nearest(std::span<const Vertex> sources)
{
    State& state = held(state_, "ShortestPaths");
    return state.nearest_from<ShortestPathsResult>(
        sources, [&](const Start& start, ShortestPathsResult& result) { state.search_from(start, {}, result); });
}

void ShortestPaths::State::search_from(const Start& start, const ShortestPathsArrays& arrays,
                                       ShortestPathsResult& result)
{
    if (floats)
        search_from(start, arrays, result.distances.emplace<std::vector<double>>(), result);
    else
        search_from(start, arrays, result.distances.emplace<std::vector<std::int64_t>>(), result);
}

template <typename Distance>
void ShortestPaths::State::search_from(const Start& start, const ShortestPathsArrays& arrays,
                                       std::vector<Distance>& distances, ShortestPathsResult& result)
{
    const comm::Communicator& world = ranks->world;
    const Partition& partition = prepared.graph->partition;
    const std::span<Distance>* const given = std::get_if<std::span<Distance>>(&arrays.distances);
    Output<Distance> of_distances(world, partition, options.gather, given ? *given : std::span<Distance>(), distances);
    Output<Vertex> of_parents(world, partition, options.gather, arrays.parents, result.parents);
    Output<Vertex> of_nearest(world, partition, options.gather, {}, result.nearest);
    comm::run_agreed(world, [&] {
        if (given == nullptr && std::visit([](auto span) { return !span.empty(); }, arrays.distances))
            throw InputError(floats ? "distances: expected floating-point numbers, as some weights are"
                                    : "distances: expected whole numbers, as all weights are");
        of_distances.require_length("distances");
        of_parents.require_length("parents");
    });
    const session::SsspSearches* const searches = search_into(result, start);
    if (searches == nullptr) return;
    const algo::SsspResult& found = searches->result();
    result.reached = static_cast<std::int64_t>(found.reached);
    comm::run_agreed(world, [&] {
        std::visit([&](const auto& own) { widen(own, of_distances.own()); }, found.distances);
        input_numbers(prepared.input, found.parents, of_parents.own());
        if (start.nearest) input_numbers(prepared.input, found.nearest, of_nearest.own());
    });
    of_distances.gather();
    of_parents.gather();
    if (start.nearest) of_nearest.gather();
}

void ShortestPaths::State::search_on_device(const Start& start, DeviceShortestPathsResult& result)
{
    const comm::Communicator& world = ranks->world;
    comm::run_agreed(world, [&] { require_device_results(world); });
    const session::SsspSearches* const searches = search_into(result, start);
    if (searches == nullptr) return;
    const auto vertices = static_cast<std::size_t>(prepared.graph->partition.vertex_count());
    const session::SsspOnGpu found = searches->on_gpu();
    const ElementType type = floats ? ElementType::float64 : ElementType::int64;
    comm::run_agreed(world, [&] {
        if (found.distances != nullptr) {
            result.reached = static_cast<std::int64_t>(found.reached);
            result.distances =
                device_array(gpu::wide_distances({found.distances, vertices}, found.floats), vertices, type);
            result.parents = device_array(gpu::wide_parents({found.parents, vertices}, prepared.input.input_number(0)),
                                          vertices, ElementType::int64);
            return;
        }
        const algo::SsspResult& on_host = searches->result();
        result.reached = static_cast<std::int64_t>(on_host.reached);
        const auto copy_distances = [&]<typename Wide>(std::vector<Wide> wide) {
            std::visit([&](const auto& own) { widen(own, std::span<Wide>(wide)); }, on_host.distances);
            result.distances = copied_to_gpu(std::span<const Wide>(wide), type);
        };
        if (floats)
            copy_distances(std::vector<double>(vertices));
        else
            copy_distances(std::vector<std::int64_t>(vertices));
        std::vector<Vertex> parents(vertices);
        input_numbers(prepared.input, on_host.parents, parents);
        result.parents = copied_to_gpu(std::span<const Vertex>(parents), ElementType::int64);
    });
}

template <typename Result>
session::SsspSearches* ShortestPaths::State::search_into(Result& result, const Start& start)
{
    session::SsspSearches& searches = run("ShortestPaths", start, result.seconds, [&] {
        return session::prepare_nearest_sssp(ranks->job, request_of(options, std::numeric_limits<std::int64_t>::max()),
                                             prepared, *search, nearest_result_bytes());
    });
    for (const Vertex vertex : searches.negative_cycle())
        result.negative_cycle.push_back(prepared.input.input_number(vertex));
    if (!result.negative_cycle.empty()) return nullptr;
    if (options.validate) {
        const graph500::Validation validation = searches.check();
        if (validation.violation)
            throw AgreedError(ExitCode::wrong_result, "the search from " + std::to_string(result.source) +
                                                          " is invalid: " + graph500::describe(*validation.violation));
    }
    keep(searches, start);
    return &searches;
}

PairsResult ShortestPaths::between(const Graph& graph, std::span<const std::pair<Vertex, Vertex>> pairs,
                                   bool with_paths, const ShortestPathsOptions& options)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    std::vector<Vertex> cycle;
    const auto answer = [&] {
        const job::Job& job = ranks->job;
        const std::vector<algo::VertexPair> list_pairs = comm::run_agreed(job.world(), [&] {
            check(options);
            if (options.validate) throw InputError("validate: is not possible for pairs");
            return list_numbers(graph.state().input, pairs);
        });
        const session::SsspRequest request = request_of(options, static_cast<std::int64_t>(list_pairs.size()));
        const std::optional<plan::EnginePlan> asked = session::asked_engine(job, request.method);
        session::PreparedGraph prepared;
        const WeightType type = Graph::State::lend_edges(graph.state_, true, prepared).weight_type();
        const std::unique_ptr<session::PairEngine> engine =
            session::prepare_sssp_pairs(job, request, asked, prepared, nullptr);
        return answered(job, *engine, prepared, {list_pairs, with_paths, is_floating_point(type)}, cycle);
    };
    try {
        return run_with_progress(*ranks, options.on_progress, answer);
    } catch (const ResultError& error) {
        if (cycle.empty()) throw;
        throw NegativeCycleError(error.what(), std::move(cycle));
    }
}

std::vector<Vertex> ShortestPaths::path(Vertex target) const
{
    const State& state = held(state_, "ShortestPaths");
    return state.with_last([&](const session::SsspSearches& last) {
        return path_in_tree(*state.ranks, state.prepared, last.result().parents, target);
    });
}

void ShortestPaths::write(const std::string& path) const
{
    const State& state = held(state_, "ShortestPaths");
    state.with_last([&](const session::SsspSearches& last) {
        const auto& [sources, nearest] = state.last_start;
        const algo::SsspResult& found = last.result();
        write_tree(*state.ranks, state.prepared, path,
                   {sources, session::as_values(found.distances), found.parents, nearest ? &found.nearest : nullptr});
    });
}

bool ShortestPaths::reads_edges() const
{
    return held(state_, "ShortestPaths").reads_edges();
}

EngineDescription ShortestPaths::engine() const
{
    return held(state_, "ShortestPaths").engine();
}

std::string ShortestPaths::algorithm() const
{
    return held(state_, "ShortestPaths").search->facts().algorithm;
}

ShortestPathsResult shortest_paths(const Graph& graph, Vertex source, const ShortestPathsOptions& options,
                                   const ShortestPathsArrays& arrays)
{
    return ShortestPaths(graph, options, 1).run(source, arrays);
}

}  // namespace wayfront
