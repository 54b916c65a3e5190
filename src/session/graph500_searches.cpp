#include "session/graph500_searches.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph500/search_keys.hpp"
#include "graph500/statistics.hpp"
#include "graph500/validate.hpp"
#include "graph500/validate_distances.hpp"
#include "job/progress.hpp"
#include "plan/search_options.hpp"

namespace wayfront::session {

namespace {

std::vector<Vertex> search_keys(const job::Job& job, const Kernel1& kernel1, const Graph500Protocol& protocol)
{
    const auto touched = [&](std::span<const Vertex> vertices) { return kernel1.searches().have_edges(vertices); };
    std::vector<Vertex> keys =
        graph500::choose_search_keys(kernel1.key_range, protocol.seeds.seed1, protocol.seeds.seed2,
                                     static_cast<std::size_t>(protocol.keys), touched);
    run_agreed(job.world(), [&] {
        if (keys.empty())
            throw InputError(
                fmt::format("{}: every possible search key has no edges or only self-loops", kernel1.input.name));
    });
    return keys;
}

/// Prepares the checks of the searches of one kernel. `most_bytes` computes the memory of the
/// validator on the hosts, which is used if the hosts constructed the graph.
template <typename Searches>
void prepare_check(const job::Job& job, const Kernel1& kernel1, bool validate, Searches& searches,
                   ValidatorBytes* most_bytes)
{
    if (validate && !kernel1.on_gpus()) require_validation_memory(job, kernel1.input, most_bytes);
    searches.prepare_check(validate ? Check::validity : Check::edges);
}

/// Checks the last search. Throws an AgreedError if it is invalid. Collective.
template <typename Searches>
void check_search(const job::Job& job, bool validate, Searches& searches, PhaseLog* log, graph500::SearchRecord& record)
{
    if (!validate) {
        record.edges = searches.check().edges;
        return;
    }
    const Phase phase(log, "validate");
    job.world().barrier();
    const Clock::time_point begin = Clock::now();
    const graph500::Validation validation = searches.check();
    record.validate_seconds = job.world().all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);
    if (validation.violation)
        throw AgreedError(ExitCode::wrong_result, fmt::format("the search from key {} is invalid: {}", record.key,
                                                              describe(*validation.violation)));
    record.edges = validation.edges;
}

/// Searches from all keys. `kernel`: "bfs" or "sssp".
template <typename Searches>
std::vector<graph500::SearchRecord> search_all(const job::Job& job, Searches& searches, const char* kernel,
                                               std::span<const Vertex> keys, const Graph500Protocol& protocol,
                                               const Graph500Log& log)
{
    const auto add_search = [&](std::string_view name, std::int64_t number, Vertex key, Clock::time_point begin) {
        if (log.add_search) log.add_search(name, number, key, begin);
    };
    for (int i = 1; i <= protocol.warmups; ++i) {
        const Clock::time_point begin = Clock::now();
        searches.run(keys.front());
        add_search("warm-up", i, keys.front(), begin);
    }
    std::vector<graph500::SearchRecord> records;
    job::Progress progress(job, fmt::format("graph500 {}", kernel), keys.size());
    for (const Vertex key : keys) {
        const Clock::time_point begin = Clock::now();
        graph500::SearchRecord& record =
            records.emplace_back(graph500::SearchRecord{.key = key, .seconds = searches.run(key)});
        add_search(kernel, static_cast<std::int64_t>(records.size()), key, begin);
        check_search(job, protocol.validate, searches, log.phases, record);
        run_agreed(job.world(), [&] { progress.advance(1); });
    }
    return records;
}

}  // namespace

Graph500Records run_graph500_searches(const job::Job& job, const Kernel1& kernel1, const Graph500Protocol& protocol,
                                      const Graph500Log& log)
{
    const std::vector<Vertex> keys = search_keys(job, kernel1, protocol);
    Graph500Records searches;
    if (kernel1.bfs) {
        prepare_check(job, kernel1, protocol.validate, *kernel1.bfs, graph500::BfsValidator::most_bytes);
        searches.bfs = search_all(job, *kernel1.bfs, "bfs", keys, protocol, log);
    }
    if (kernel1.sssp) {
        prepare_check(job, kernel1, protocol.validate, *kernel1.sssp, graph500::SsspValidator::most_bytes);
        searches.sssp = search_all(job, *kernel1.sssp, "sssp", keys, protocol, log);
    }
    return searches;
}

int scale_of(const Kernel1& kernel1)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(kernel1.key_range) - 1));
}

EdgeCount edge_factor_of(const Kernel1& kernel1)
{
    return std::llround(static_cast<double>(kernel1.input.edges) / std::exp2(scale_of(kernel1)));
}

graph500::TepsStatistics teps_of(const std::vector<graph500::SearchRecord>& records)
{
    std::vector<double> edges;
    std::vector<double> seconds;
    for (const graph500::SearchRecord& record : records) {
        edges.push_back(static_cast<double>(record.edges));
        seconds.push_back(record.seconds);
    }
    return graph500::teps_statistics(edges, seconds);
}

plan::EnginePlan choose_graph500_plan(const job::Job& job, Kernel1Options& options)
{
    const plan::SearchOptions& search = options.search;
    options.sssp.engine = search.engine;
    options.sssp.grid = search.grid;
    plan::require_grid_of_all_ranks(job, search.grid);
    if (options.kernels.sssp) options.asked_sssp = asked_engine(job, options.sssp);
    if (!options.kernels.sssp || (options.kernels.bfs && options.asks_gpus_for_sssp()))
        return plan::choose_plan(job, search.grid, search.engine, bfs_requirements());
    return {};
}

}  // namespace wayfront::session
