// AllPairs::of_many(): a bulk job (session/apsp/bulk_job.hpp) whose graphs are those of the library.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algo/apsp/bulk.hpp"
#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/rows.hpp"
#include "base/byte_text.hpp"
#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "plan/apsp/plan.hpp"
#include "session/apsp/bulk_job.hpp"
#include "session/apsp/bulk_pairs.hpp"
#include "session/output/row_hash.hpp"
#include "session/rates_file.hpp"
#include "wayfront/all_pairs.hpp"
#include "wayfront/all_pairs_parts.hpp"
#include "wayfront/call_progress.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

/// Keeps rows in memory, with the input's numbers.
class MatrixKeeper final : public algo::RowConsumer
{
public:
    /// Call allocate() when `pairs` are planned.
    explicit MatrixKeeper(const session::PreparedPairs& pairs) : pairs_(pairs) {}

    /// Throws an AgreedError if the memory does not suffice for the rows and the planned work. Allocates
    /// before the work, so that the plans of the next graphs count the memory as used.
    void allocate(const job::Job& job)
    {
        matrix_.columns = static_cast<std::size_t>(pairs_.input.list.vertex_count);
        const std::size_t elements = pairs_.sources.size() * matrix_.columns;
        const std::size_t bytes_each = algo::bytes_of(pairs_.plan.type) + (pairs_.work.parents ? sizeof(Vertex) : 0);
        const double bytes = static_cast<double>(elements) * static_cast<double>(bytes_each);
        job::require_memory(job, pairs_.plan.offer.bytes + bytes, "the matrix of all pairs of " + pairs_.input.name);
        std::ranges::transform(pairs_.sources, std::back_inserter(matrix_.sources),
                               [this](Vertex vertex) { return pairs_.input.input_number(vertex); });
        algo::with_distance_type(pairs_.plan.type,
                                 [&]<typename T>(T) { matrix_.distances.emplace<std::vector<T>>().resize(elements); });
        if (pairs_.work.parents) matrix_.predecessors.resize(elements);
    }
    void consume(const algo::RowBatch& batch) override
    {
        const auto first = static_cast<std::ptrdiff_t>(batch.first * matrix_.columns);
        std::visit(
            [&]<typename T>(std::span<const T> rows) {
                std::ranges::copy(rows, std::get<std::vector<T>>(matrix_.distances).begin() + first);
            },
            batch.distances);
        std::ranges::transform(batch.parents, matrix_.predecessors.begin() + (batch.parents.empty() ? 0 : first),
                               [this](Vertex vertex) { return pairs_.input.input_number(vertex); });
    }
    /// Pre: all rows were taken.
    [[nodiscard]] DistanceMatrix release() { return std::move(matrix_); }

private:
    const session::PreparedPairs& pairs_;
    DistanceMatrix matrix_;
};

/// Throws an AgreedError unless all ranks have the same names. Ranks compare a hash of each name.
/// Collective.
void require_same_names(const comm::Communicator& world, std::span<const std::string> names)
{
    comm::require_alike(world, "the number of graphs", std::to_string(names.size()));
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint64_t> hashes_of_first;
    comm::run_agreed(world, [&] {
        for (std::size_t i = 0; i < names.size(); ++i)
            hashes.push_back(session::hash_of_row(i, std::as_bytes(std::span(names[i]))));
        hashes_of_first = hashes;
    });
    world.broadcast(std::span<std::uint64_t>(hashes_of_first), 0);
    const auto alike = static_cast<std::uint64_t>(std::ranges::mismatch(hashes, hashes_of_first).in1 - hashes.begin());
    const std::uint64_t first =
        world.all_reduce(alike, comm::Reduction::min);  // the first graph that differs on a rank
    if (first < names.size()) comm::require_alike(world, "graph " + std::to_string(first), names[first]);
}

/// Writes the results of a graph that ranks send each other, in the order in which take_facts() reads them.
void put_facts(ByteWriter& bytes, const PairsOfGraph& graph)
{
    bytes.put(graph.vertex_count);
    bytes.put(graph.first_vertex);
    bytes.put(graph.edge_count);
    bytes.put(std::string_view(graph.algorithm));
    bytes.put(graph.notes.size());
    for (const std::string& note : graph.notes) bytes.put(std::string_view(note));
    const AllPairsSummary& summary = graph.summary;
    bytes.put(summary.reachable_pairs);
    for (const double figure : {summary.average, summary.diameter, summary.radius}) bytes.put(figure);
    bytes.put(summary.reached);
    bytes.put(summary.eccentricities);
    bytes.put(summary.closeness);
    bytes.put(summary.center);
    bytes.put(summary.periphery);
}

void take_facts(ByteReader bytes, PairsOfGraph& graph)
{
    bytes.take(graph.vertex_count);
    bytes.take(graph.first_vertex);
    bytes.take(graph.edge_count);
    bytes.take(graph.algorithm);
    std::size_t notes = 0;
    bytes.take(notes);
    graph.notes.resize(notes);
    for (std::string& note : graph.notes) bytes.take(note);
    AllPairsSummary& summary = graph.summary;
    bytes.take(summary.reachable_pairs);
    for (double* const figure : {&summary.average, &summary.diameter, &summary.radius}) bytes.take(*figure);
    bytes.take(summary.reached);
    bytes.take(summary.eccentricities);
    bytes.take(summary.closeness);
    bytes.take(summary.center);
    bytes.take(summary.periphery);
}

/// The exception that the header documents; null if there is no failure.
std::exception_ptr error_of(session::BulkOutcome& outcome)
{
    if (!outcome.failure) return nullptr;
    try {
        if (!outcome.negative_cycle.empty())
            throw NegativeCycleError(outcome.failure->message, std::move(outcome.negative_cycle));
        throw_documented(outcome.failure->code, outcome.failure->message);
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace

/// The graphs of one call, and the requested results.
struct AllPairs::ManyGraphs
{
    std::size_t count = 0;
    std::function<std::string(std::size_t number)> name;
    /// Loads a graph with all its edges. This process is the only rank of `job`. Any thread may call.
    std::function<session::LoadedGraph(std::size_t number, const job::Job& job)> load;
    bool with_matrices = false;
    const AllPairsOptions& options;

    plan::ApspMethodOptions method{};
    plan::EnginePlan engine{};
    std::vector<std::optional<DistanceMatrix>> matrices{};  // the matrices of this rank, by the number of the graph

    /// Collective.
    [[nodiscard]] std::vector<PairsOfGraph> compute(const Ranks& ranks);
};

class AllPairs::BulkMember final : public session::BulkPairs
{
public:
    BulkMember(ManyGraphs& all, std::size_t number) : all_(all), number_(number) { pairs_.engine = all.engine; }

    [[nodiscard]] std::string facts() const override
    {
        PairsOfGraph graph;
        graph.vertex_count = pairs_.input.list.vertex_count;
        graph.first_vertex = pairs_.input.first_vertex;
        graph.edge_count = pairs_.input.edges;
        graph.algorithm = pairs_.plan.in_words();
        graph.notes = notes();
        graph.summary = summary_of(pairs_, summary());
        ByteWriter bytes;
        put_facts(bytes, graph);
        return std::move(bytes).take();
    }

private:
    [[nodiscard]] session::PreparedPairs& pairs() override { return pairs_; }
    [[nodiscard]] const session::PreparedPairs& pairs() const override { return pairs_; }

    void gather(const job::Job& job) override
    {
        pairs_.input = all_.load(number_, job);
        name_vertices(job, all_.options, pairs_);
        session::gather_pairs(job, all_.method, pairs_);
        if (all_.options.validate) session::require_pairs_validation_memory(job, pairs_);
    }
    void plan(const job::Job& job) override
    {
        session::construct_pairs(job, pairs_);
        if (all_.options.sources.empty()) session::take_all_sources(pairs_);
        session::plan_pairs(job, all_.method,
                            {.done = {},
                             .rows = all_.with_matrices,
                             .parents = all_.with_matrices && all_.options.predecessors,
                             .in_bulk_job = true,
                             .validate = all_.options.validate},
                            pairs_);
        session::release_edges(pairs_);
        if (all_.with_matrices) rows_.allocate(job);
    }
    [[nodiscard]] std::vector<algo::RowConsumer*> consumers() override
    {
        if (!all_.with_matrices) return {};
        return {&rows_};
    }
    void finish(const job::Job& /*job*/) override
    {
        if (all_.with_matrices) all_.matrices[number_] = rows_.release();
    }

    ManyGraphs& all_;
    std::size_t number_;
    session::PreparedPairs pairs_;
    MatrixKeeper rows_{pairs_};
};

std::vector<PairsOfGraph> AllPairs::ManyGraphs::compute(const Ranks& ranks)
{
    const job::Job& job = ranks.job;
    method = comm::run_agreed(job.world(), [&] {
        if (!options.targets.empty()) throw InputError("targets: the rows of many graphs have all vertices");
        return method_of(options);
    });
    method.rates = session::rates_of(job);
    engine = plan::choose_apsp_engine(job, method);
    comm::run_agreed(job.world(), [&] { matrices.resize(count); });
    const std::unique_ptr<algo::BulkEngine> bulk = session::make_bulk_engine(job, engine);
    job::Progress progress(job, "all pairs");
    std::vector<session::BulkOutcome> outcomes = session::run_bulk(
        job, {.graphs = count,
              .make = [this](std::size_t number) { return std::make_unique<BulkMember>(*this, number); },
              .engine = *bulk,
              .progress = progress,
              .outcomes_on = session::OutcomesOn::all_ranks});
    return comm::run_agreed(job.world(), [&] {
        std::vector<PairsOfGraph> results(count);
        for (std::size_t i = 0; i < count; ++i) {
            PairsOfGraph& graph = results[i];
            graph.name = name(i);
            graph.rank = static_cast<int>(i % static_cast<std::size_t>(job.world().size()));
            graph.error = error_of(outcomes[i]);
            if (graph.error) continue;
            take_facts(ByteReader(outcomes[i].facts), graph);
            graph.matrix = std::move(matrices[i]);
        }
        return results;
    });
}

std::vector<PairsOfGraph> AllPairs::of_many(std::span<const std::string> graphs, bool with_matrices,
                                            const AllPairsOptions& options, const LoadOptions& loading)
{
    const ThreadsRestored threads;
    const std::shared_ptr<const Ranks> ranks = make_ranks(loading);
    return run_with_progress(*ranks, options.on_progress, [&] {
        require_same_names(ranks->world, graphs);
        const auto load = [&](std::size_t number, const job::Job& job) {
            session::LoadedGraph loaded = load_input(job, graphs[number], loading);
            session::LoadedGraph input = facts_of(loaded);
            input.list = std::move(loaded.list);
            return input;
        };
        const auto name = [&](std::size_t number) { return graphs[number]; };
        return ManyGraphs{graphs.size(), name, load, with_matrices, options}.compute(*ranks);
    });
}

std::vector<PairsOfGraph> AllPairs::of_many(std::span<const Graph> graphs, bool with_matrices,
                                            const AllPairsOptions& options)
{
    for (std::size_t i = 0; i < graphs.size(); ++i)
        if (graphs[i].ranks() > 1)
            throw InputError("graph " + std::to_string(i) + " is distributed over " +
                             std::to_string(graphs[i].ranks()) +
                             " ranks; each of many graphs is computed by one rank, which makes it alone "
                             "(LoadOptions::alone)");
    const ThreadsRestored threads;
    const std::shared_ptr<const Ranks> ranks =
        make_ranks({.threads = graphs.empty() ? 1 : graphs.front().threads(), .alone = true});
    return run_with_progress(*ranks, options.on_progress, [&] {
        const auto copy = [&](std::size_t number, const job::Job& /*job*/) {
            session::LoadedGraph input = facts_of(graphs[number].state().input);
            input.list = graphs[number].state().copied_edges();
            return input;
        };
        const auto name = [&](std::size_t number) { return graphs[number].name(); };
        return ManyGraphs{graphs.size(), name, copy, with_matrices, options}.compute(*ranks);
    });
}

}  // namespace wayfront
