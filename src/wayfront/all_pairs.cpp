#include "wayfront/all_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/sparse_rows.hpp"
#include "algo/apsp/summary.hpp"
#include "comm/agreement.hpp"
#include "cpu/apsp/bounded_searches.hpp"
#include "graph/distances.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "plan/apsp/methods.hpp"
#include "plan/apsp/plan.hpp"
#include "session/apsp/diameter.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/apsp/row_job.hpp"
#include "session/apsp/vertex_figures.hpp"
#include "session/apsp/within_job.hpp"
#include "session/output/matrix_file.hpp"
#include "session/output/sparse_file.hpp"
#include "session/output/vertex_text.hpp"
#include "session/rates_file.hpp"
#include "wayfront/all_pairs_parts.hpp"
#include "wayfront/call_progress.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

/// Passes rows to the caller, with the input's numbers.
class RowsToCaller final : public algo::RowConsumer
{
public:
    RowsToCaller(const AllPairs::TakeRows& take, const session::LoadedGraph& input) : take_(take), input_(input) {}

    void consume(const algo::RowBatch& batch) override
    {
        const auto to_input_number = [this](auto vertex) { return input_.input_number(vertex); };
        sources_.clear();
        std::ranges::transform(batch.sources, std::back_inserter(sources_), to_input_number);
        predecessors_.clear();
        std::ranges::transform(batch.parents, std::back_inserter(predecessors_), to_input_number);
        take_({batch.first, sources_, batch.columns, batch.distances, predecessors_});
    }

private:
    const AllPairs::TakeRows& take_;
    const session::LoadedGraph& input_;
    std::vector<Vertex> sources_;
    std::vector<Vertex> predecessors_;
};

/// Calls gather_pairs(). If there is a cycle of negative length, `cycle` gets its vertices, with the
/// input's numbers.
void gather(const job::Job& job, const plan::ApspMethodOptions& method, session::PreparedPairs& pairs,
            std::vector<Vertex>& cycle)
{
    try {
        session::gather_pairs(job, method, pairs);
    } catch (const Agreed&) {
        cycle = pairs.outside_cycle();
        throw;
    }
}

static_assert(algo::kNoParent == kUnreached);

/// Adds rows behind those of `result`, with the input's numbers.
void append(const algo::SparseRows& rows, const session::LoadedGraph& input, RowsWithin& result)
{
    const std::uint64_t before = result.targets.size();
    for (std::size_t row = 1; row <= rows.rows(); ++row) result.begins.push_back(before + rows.begins[row]);
    for (const std::uint32_t target : rows.targets) result.targets.push_back(input.input_number(target));
    std::visit(
        [&result]<typename T>(const std::vector<T>& distances) {
            std::vector<T>& all = std::get<std::vector<T>>(result.distances);
            all.insert(all.end(), distances.begin(), distances.end());
        },
        rows.distances);
}

/// No rows yet, whose distances will have the type.
RowsWithin no_rows(algo::DistanceType type, std::size_t first)
{
    RowsWithin rows{first, {0}, {}, {}};
    algo::with_distance_type(type, [&rows]<typename T>(T) { rows.distances.emplace<std::vector<T>>(); });
    return rows;
}

}  // namespace

double DistanceRows::distance(std::size_t row, std::size_t column) const
{
    return element_of(distances, sources.size(), columns, row, column);
}

double DistanceMatrix::distance(std::size_t row, std::size_t column) const
{
    return element_of(distances, sources.size(), columns, row, column);
}

double RowsWithin::distance(std::size_t entry) const
{
    if (entry >= targets.size())
        throw InputError("there is no entry " + std::to_string(entry) + " of " + std::to_string(targets.size()));
    return std::visit([entry](const auto& all) { return static_cast<double>(all[entry]); }, distances);
}

struct AllPairs::State
{
    std::shared_ptr<const Ranks> ranks;
    bool predecessors = false;
    bool validate = false;
    OnProgress on_progress{};
    plan::ApspMethodOptions method;
    std::vector<Vertex> sources;  // with the input's numbers
    session::PreparedPairs pairs;

    /// Plans for this use, and computes the rows. `use` has no member `validate`.
    void compute(session::PairsUse use,
                 const std::function<session::RowJob(algo::RowProducer& producer, job::Progress& progress)>& make_job)
    {
        const job::Job& job = ranks->job;
        use.validate = validate;
        session::plan_pairs(job, method, use, pairs);
        job::Progress progress(job, "all pairs");
        const std::unique_ptr<algo::RowProducer> producer = session::make_pair_rows(job, pairs, progress.listener());
        session::RowJob rows = make_job(*producer, progress);
        rows.share = session::pair_rows_of(job, pairs);
        rows.targets = pairs.targets;
        rows.validator = pairs.validator.get();
        session::run_rows(job, rows);
    }

    /// The summary of all rows; `caller` names the function that needs it.
    [[nodiscard]] algo::Summary summarise(const char* caller, algo::SummaryDetail detail)
    {
        comm::run_agreed(ranks->world, [&] {
            if (pairs.targets)
                throw InputError(std::string(caller) +
                                 ": a summary needs the distances to all vertices, not to targets");
        });
        std::optional<algo::Summary> computed;
        compute({.done = {}, .full_summary = detail == algo::SummaryDetail::full},
                [&](algo::RowProducer& producer, job::Progress& progress) {
                    return session::RowJob{.sources = pairs.sources,
                                           .producer = producer,
                                           .summary = &computed.emplace(pairs.sources.size(), pairs.plan.whole, detail),
                                           .progress = progress};
                });
        return std::move(*computed);
    }

    /// Whether searches on the cores may find a figure of the whole graph, instead of rows.
    [[nodiscard]] bool may_choose_searches() const
    {
        return method.is_automatic() && method.engine.engine != Engine::gpu && !validate && !pairs.targets &&
               !pairs.negative_weights && pairs.all_sources();
    }

    /// The searches up to a limit; `caller` names the function that needs them.
    [[nodiscard]] session::WithinPlan plan_within(const std::string& caller, double limit) const
    {
        comm::run_agreed(ranks->world, [&] {
            if (!(std::isfinite(limit) && limit >= 0))
                throw InputError(caller + ": expected a finite limit from 0 on, found " + std::to_string(limit));
            if (pairs.targets) throw InputError(caller + ": the vertices are those within the limit, not targets");
            if (method.engine.engine == Engine::gpu) throw InputError(caller + ": the searches run on the CPU's cores");
        });
        return session::plan_within(ranks->job, method, limit, pairs);
    }

    /// Searches up to a limit from this rank's sources. begin(type, position of the first source) returns the function
    /// that takes the rows. Collective.
    template <typename Begin>
    void search_within(const std::string& caller, double limit, Begin&& begin)
    {
        const job::Job& job = ranks->job;
        const session::WithinPlan plan = plan_within(caller, limit);
        job::Progress progress(job, "searches");
        comm::run_agreed(job.world(), [&] {
            const IndexRange own = session::rows_within_of_rank(job, pairs);
            progress.begin("search", own.size());
            const auto searches = cpu::make_bounded_searches(*pairs.whole.graph, plan.searches);
            session::for_rows_within(*searches, pairs.sources, own, progress, begin(plan.searches.type, own.first));
        });
    }

    [[nodiscard]] session::FiguresOfVertices figures_of(const algo::Summary& summary) const
    {
        return {summary, pairs.sources, pairs.input.list.vertex_count, pairs.input.numbers()};
    }
};

AllPairs::AllPairs(const Graph& graph, AllPairsOptions options)
{
    const std::shared_ptr<const Ranks> ranks = graph.state().ranks;
    std::vector<Vertex> cycle;
    try {
        state_ = run_with_progress(*ranks, options.on_progress, [&] {
            const job::Job& job = ranks->job;
            auto made = std::make_unique<State>();
            made->ranks = ranks;
            made->predecessors = options.predecessors;
            made->validate = options.validate;
            made->on_progress = options.on_progress;
            made->method = comm::run_agreed(job.world(), [&] { return method_of(options); });
            made->method.rates = session::rates_of(job);
            session::PreparedPairs& pairs = made->pairs;
            pairs.engine = plan::choose_apsp_engine(job, made->method);
            const session::LoadedGraph& input = graph.state().input;
            pairs.input = facts_of(input);
            name_vertices(job, options, pairs);
            pairs.input.list = comm::run_agreed(job.world(), [&] { return graph.state().copied_edges(); });
            gather(job, made->method, pairs, cycle);
            if (options.validate) session::require_pairs_validation_memory(job, pairs);
            session::construct_pairs(job, pairs);
            if (!options.validate) session::release_edges(pairs);
            if (options.sources.empty()) session::take_all_sources(pairs);
            std::ranges::transform(pairs.sources, std::back_inserter(made->sources),
                                   [&pairs](Vertex v) { return pairs.input.input_number(v); });
            return made;
        });
    } catch (const ResultError& error) {
        if (cycle.empty()) throw;
        throw NegativeCycleError(error.what(), std::move(cycle));
    }
}

AllPairs::AllPairs(AllPairs&&) noexcept = default;
AllPairs& AllPairs::operator=(AllPairs&&) noexcept = default;
AllPairs::~AllPairs() = default;

const std::vector<Vertex>& AllPairs::sources() const
{
    return held(state_, "AllPairs").sources;
}

void AllPairs::rows(const TakeRows& take)
{
    State& state = held(state_, "AllPairs");
    run_with_progress(*state.ranks, state.on_progress, [&] {
        RowsToCaller consumer(take, state.pairs.input);
        state.compute({.done = {}, .rows = true, .parents = state.predecessors}, [&](algo::RowProducer& producer,
                                                                                     job::Progress& progress) {
            return session::RowJob{
                .sources = state.pairs.sources, .producer = producer, .consumers = {&consumer}, .progress = progress};
        });
    });
}

std::vector<Vertex> AllPairs::columns() const
{
    const session::PreparedPairs& pairs = held(state_, "AllPairs").pairs;
    std::vector<Vertex> columns = pairs.targets.value_or(std::vector<Vertex>());
    if (!pairs.targets) {
        columns.resize(static_cast<std::size_t>(pairs.input.list.vertex_count));
        std::iota(columns.begin(), columns.end(), Vertex{0});
    }
    for (Vertex& vertex : columns) vertex = pairs.input.input_number(vertex);
    return columns;
}

AllPairsSummary AllPairs::summary()
{
    State& state = held(state_, "AllPairs");
    return run_with_progress(*state.ranks, state.on_progress, [&] {
        return summary_of(state.pairs, state.summarise("summary", algo::SummaryDetail::brief));
    });
}

double AllPairs::diameter()
{
    State& state = held(state_, "AllPairs");
    return run_with_progress(*state.ranks, state.on_progress, [&] {
        const session::PreparedPairs& pairs = state.pairs;
        if (state.may_choose_searches()) {
            job::Progress progress(state.ranks->job, "all pairs");
            const std::optional<std::int64_t> found = comm::run_agreed(
                state.ranks->world, [&] { return session::diameter_by_searches(*pairs.whole.graph, progress); });
            if (found) return static_cast<double>(*found);
        }
        return algo::figures_of(state.summarise("diameter", algo::SummaryDetail::brief).rows()).diameter;
    });
}

VertexFigures AllPairs::vertex_figures()
{
    State& state = held(state_, "AllPairs");
    return run_with_progress(*state.ranks, state.on_progress, [&] {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        const algo::Summary computed = state.summarise("vertex_figures", algo::SummaryDetail::full);
        const session::FiguresOfVertices of_sources = state.figures_of(computed);
        VertexFigures figures{summary_of(state.pairs, computed), {}, {}, none};
        if (!computed.whole()) figures.distance_sums = std::vector<double>();
        for (std::size_t i = 0; i < of_sources.size(); ++i) {
            const session::VertexFigures own = of_sources[i];
            if (auto* const whole = std::get_if<std::vector<std::int64_t>>(&figures.distance_sums))
                whole->push_back(own.whole_sum);
            else
                std::get<std::vector<double>>(figures.distance_sums).push_back(own.sum);
            figures.harmonic_closeness.push_back(own.harmonic.value_or(none));
        }
        if (state.pairs.all_sources())
            figures.global_efficiency = algo::global_efficiency_of(computed, of_sources.vertices).value_or(none);
        return figures;
    });
}

void AllPairs::write_vertex_figures(const std::string& path)
{
    State& state = held(state_, "AllPairs");
    run_with_progress(*state.ranks, state.on_progress, [&] {
        const job::Job& job = state.ranks->job;
        comm::run_agreed(job.world(), [&] { session::check_figures_extension("write_vertex_figures", path); });
        const session::LoadedGraph& input = state.pairs.input;
        session::require_figures_space(job, path, state.pairs.sources.size(),
                                       session::most_vertex_bytes(input.numbers(), input.list.vertex_count));
        const algo::Summary computed = state.summarise("write_vertex_figures", algo::SummaryDetail::full);
        session::write_figures(job, path, state.figures_of(computed));
    });
}

void AllPairs::write(const std::string& distances, const std::string& predecessors)
{
    State& state = held(state_, "AllPairs");
    run_with_progress(*state.ranks, state.on_progress, [&] {
        const job::Job& job = state.ranks->job;
        comm::run_agreed(job.world(), [&] {
            session::check_matrix_extension("distances", distances);
            if (!predecessors.empty()) session::check_matrix_extension("predecessors", predecessors);
        });
        const session::PreparedPairs& pairs = state.pairs;
        std::vector<std::unique_ptr<session::MatrixFile>> files;
        state.compute({.done = {}, .rows = true, .parents = !predecessors.empty()},
                      [&](algo::RowProducer& producer, job::Progress& progress) {
                          const auto open = [&](const std::string& path, session::MatrixContent content) {
                              files.push_back(std::make_unique<session::MatrixFile>(
                                  job, session::MatrixFileOptions{path, content, pairs.plan.type}, pairs.shape()));
                          };
                          open(distances, session::MatrixContent::distances);
                          if (!predecessors.empty()) open(predecessors, session::MatrixContent::parents);
                          session::RowJob rows{.sources = pairs.sources, .producer = producer, .progress = progress};
                          for (const auto& file : files) rows.files.push_back(file.get());
                          return rows;
                      });
        for (const auto& file : files) file->commit(job);
    });
}

RowsWithin AllPairs::within(double limit)
{
    State& state = held(state_, "AllPairs");
    return run_with_progress(*state.ranks, state.on_progress, [&] {
        RowsWithin result;
        state.search_within("within", limit, [&](algo::DistanceType type, std::size_t first) {
            result = no_rows(type, first);
            return [&](const algo::SparseRows& rows, std::size_t) { append(rows, state.pairs.input, result); };
        });
        return result;
    });
}

void AllPairs::rows_within(double limit, const TakeRowsWithin& take)
{
    State& state = held(state_, "AllPairs");
    run_with_progress(*state.ranks, state.on_progress, [&] {
        state.search_within("rows_within", limit, [&](algo::DistanceType type, std::size_t) {
            return [&state, &take, type](const algo::SparseRows& rows, std::size_t first) {
                RowsWithin batch = no_rows(type, first);
                append(rows, state.pairs.input, batch);
                take(batch);
            };
        });
    });
}

void AllPairs::write_within(double limit, const std::string& path)
{
    State& state = held(state_, "AllPairs");
    run_with_progress(*state.ranks, state.on_progress, [&] {
        const job::Job& job = state.ranks->job;
        comm::run_agreed(job.world(), [&] { session::check_sparse_extension("write_within", path); });
        const session::WithinPlan plan = state.plan_within("write_within", limit);
        session::SparseFile file(job, path, session::shape_within(state.pairs, plan));
        const auto searches = comm::run_agreed(
            job.world(), [&] { return cpu::make_bounded_searches(*state.pairs.whole.graph, plan.searches); });
        session::write_within(job, *searches, state.pairs, file, plan.kept_bytes);
    });
}

std::string AllPairs::algorithm() const
{
    const State& state = held(state_, "AllPairs");
    return state.pairs.work.name.empty() ? "" : state.pairs.plan.in_words();
}

}  // namespace wayfront
