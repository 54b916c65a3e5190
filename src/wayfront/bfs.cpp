#include "wayfront/bfs.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "algo/pairs.hpp"
#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "graph/partition.hpp"
#include "graph500/validate.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/search_options.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "session/reported_result.hpp"
#include "wayfront/call_progress.hpp"
#include "wayfront/device_results.hpp"
#include "wayfront/graph_state.hpp"
#include "wayfront/object_searches.hpp"

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

session::BfsRequest request_of(const BfsOptions& options, std::int64_t searches)
{
    return {.search = search_options(options),
            .smallest_parents = options.deterministic,
            .max_level = options.cutoff.value_or(algo::kNoMaxLevel),
            .validate = options.validate,
            .searches = searches};
}

}  // namespace

struct Bfs::State : ObjectSearches<session::HostGraphBfs, BfsOptions>
{
    using ObjectSearches::ObjectSearches;

    /// Throws an AgreedError if the result of the last search is invalid. Collective.
    void check_last(session::HostGraphBfs& searches, Vertex source, std::int32_t depth) const;
    /// Searches, and fills in the time and the number of reached vertices. Collective.
    template <typename Result>
    session::HostGraphBfs& search_into(Result& result, const Start& start);
    /// Searches, and fills in all of the result but its source. Collective.
    void search_from(const Start& start, const BfsArrays& arrays, BfsResult& result);
    /// The same with a result in GPU memory.
    void search_on_device(const Start& start, DeviceBfsResult& result);
};

Bfs::Bfs(Graph graph, const BfsOptions& options)
    : Bfs(std::move(graph), options, std::numeric_limits<std::int64_t>::max())
{
}

Bfs::Bfs(Graph graph, const BfsOptions& options, std::int64_t searches)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    state_ = run_with_progress(*ranks, options.on_progress, [&] {
        const job::Job& job = ranks->job;
        comm::run_agreed(job.world(), [&] { check(options); });
        auto made = std::make_unique<State>(ranks, options);
        const session::BfsRequest request = request_of(options, searches);
        const std::optional<plan::EnginePlan> asked = session::asked_engine(job, request.search);
        ReleasableFeed& edges = Graph::State::lend_edges(std::move(graph.state_), false, made->prepared);
        made->search = session::prepare_bfs_searches(job, request, asked, made->prepared, nullptr);
        if (!made->reads_edges()) edges.release();
        return made;
    });
}

Bfs::Bfs(Bfs&&) noexcept = default;
Bfs& Bfs::operator=(Bfs&&) noexcept = default;
Bfs::~Bfs() = default;

BfsResult Bfs::run(Vertex source, const BfsArrays& arrays)
{
    State& state = held(state_, "Bfs");
    return state.result_from<BfsResult>(
        source, [&](const Start& start, BfsResult& result) { state.search_from(start, arrays, result); });
}

DeviceBfsResult Bfs::run_on_device(Vertex source)
{
    State& state = held(state_, "Bfs");
    return state.result_from<DeviceBfsResult>(
        source, [&](const Start& start, DeviceBfsResult& result) { state.search_on_device(start, result); });
}

BfsResult Bfs::run_nearest(std::span<const Vertex> sources)
{
    State& state = held(state_, "Bfs");
    return state.nearest_from<BfsResult>(
        sources, [&](const Start& start, BfsResult& result) { state.search_from(start, {}, result); });
}

template <typename Result>
session::HostGraphBfs& Bfs::State::search_into(Result& result, const Start& start)
{
    session::HostGraphBfs& searches = run("Bfs", start, result.seconds, [&] {
        return session::prepare_nearest_bfs(ranks->job, request_of(options, std::numeric_limits<std::int64_t>::max()),
                                            prepared, *search, nearest_result_bytes());
    });
    result.reached = static_cast<std::int64_t>(searches.reached());
    return searches;
}

void Bfs::State::search_from(const Start& start, const BfsArrays& arrays, BfsResult& result)
{
    const comm::Communicator& world = ranks->world;
    const Partition& partition = prepared.graph->partition;
    Output<std::int32_t> of_levels(world, partition, options.gather, arrays.levels, result.levels);
    Output<Vertex> of_parents(world, partition, options.gather, arrays.parents, result.parents);
    Output<Vertex> of_nearest(world, partition, options.gather, {}, result.nearest);
    comm::run_agreed(world, [&] {
        of_levels.require_length("levels");
        of_parents.require_length("parents");
    });
    session::HostGraphBfs& searches = search_into(result, start);
    const std::span<const std::int32_t> levels = searches.levels();
    const std::int64_t deepest = levels.empty() ? 0 : std::max(*std::ranges::max_element(levels), 0);
    result.depth = static_cast<std::int32_t>(world.all_reduce(deepest, comm::Reduction::max));
    if (options.validate) check_last(searches, result.source, result.depth);
    const VertexArray& parents = searches.parents();
    const VertexArray* const nearest_sources = start.nearest ? &searches.nearest() : nullptr;
    comm::run_agreed(world, [&] {
        std::ranges::copy(levels, of_levels.own().begin());
        input_numbers(prepared.input, parents, of_parents.own());
        if (nearest_sources != nullptr) input_numbers(prepared.input, *nearest_sources, of_nearest.own());
    });
    of_levels.gather();
    of_parents.gather();
    if (start.nearest) of_nearest.gather();
    keep(searches, start);
}

void Bfs::State::search_on_device(const Start& start, DeviceBfsResult& result)
{
    const comm::Communicator& world = ranks->world;
    comm::run_agreed(world, [&] { require_device_results(world); });
    session::HostGraphBfs& searches = search_into(result, start);
    const auto vertices = static_cast<std::size_t>(prepared.graph->partition.vertex_count());
    const session::BfsOnGpu found = searches.on_gpu();
    comm::run_agreed(world, [&] {
        if (found.levels != nullptr) {
            const std::span levels(found.levels, vertices);
            result.depth = gpu::deepest_level(levels);
            result.levels = copied_to_gpu(levels, ElementType::int32);
            result.parents = device_array(gpu::wide_parents({found.parents, vertices}, prepared.input.input_number(0)),
                                          vertices, ElementType::int64);
            return;
        }
        const std::span<const std::int32_t> levels = searches.levels();
        result.depth = levels.empty() ? 0 : std::max(*std::ranges::max_element(levels), 0);
        result.levels = copied_to_gpu(levels, ElementType::int32);
        std::vector<Vertex> parents(vertices);
        input_numbers(prepared.input, searches.parents(), parents);
        result.parents = copied_to_gpu(std::span<const Vertex>(parents), ElementType::int64);
    });
    if (options.validate) check_last(searches, result.source, result.depth);
    keep(searches, start);
}

void Bfs::State::check_last(session::HostGraphBfs& searches, Vertex source, std::int32_t depth) const
{
    const graph500::BfsValidation validation = searches.check();
    const std::vector<algo::LevelRecord> records = searches.level_records();
    const std::string fault = session::fault_of(ranks->world, prepared.graph->partition,
                                                {searches.levels(), searches.reached(), depth, records}, validation);
    if (!fault.empty())
        throw AgreedError(ExitCode::wrong_result,
                          "the search from " + std::to_string(source) + " is invalid: " + fault);
}

PairsResult Bfs::between(const Graph& graph, std::span<const std::pair<Vertex, Vertex>> pairs, bool with_paths,
                         const BfsOptions& options)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    return run_with_progress(*ranks, options.on_progress, [&] {
        const job::Job& job = ranks->job;
        const std::vector<algo::VertexPair> list_pairs = comm::run_agreed(job.world(), [&] {
            check(options);
            if (options.validate) throw InputError("validate: is not possible for pairs");
            return list_numbers(graph.state().input, pairs);
        });
        const session::BfsRequest request = request_of(options, static_cast<std::int64_t>(list_pairs.size()));
        session::PreparedGraph prepared;
        const std::optional<plan::EnginePlan> asked = session::asked_engine(job, request.search);
        Graph::State::lend_edges(graph.state_, false, prepared);
        const std::unique_ptr<session::PairEngine> engine =
            session::prepare_bfs_pairs(job, request, asked, prepared, nullptr);
        std::vector<Vertex> no_cycle;
        return answered(job, *engine, prepared, {list_pairs, with_paths}, no_cycle);
    });
}

std::vector<Vertex> Bfs::path(Vertex target) const
{
    const State& state = held(state_, "Bfs");
    return state.with_last([&](session::HostGraphBfs& last) {
        return path_in_tree(*state.ranks, state.prepared, last.parents(), target);
    });
}

void Bfs::write(const std::string& path) const
{
    const State& state = held(state_, "Bfs");
    state.with_last([&](session::HostGraphBfs& last) {
        const auto& [sources, nearest] = state.last_start;
        write_tree(*state.ranks, state.prepared, path,
                   {sources, session::as_values(last.levels()), last.parents(), nearest ? &last.nearest() : nullptr});
    });
}

bool Bfs::reads_edges() const
{
    return held(state_, "Bfs").reads_edges();
}

EngineDescription Bfs::engine() const
{
    return held(state_, "Bfs").engine();
}

BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options, const BfsArrays& arrays)
{
    return Bfs(graph, options, 1).run(source, arrays);
}

}  // namespace wayfront
