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

/// The searches of one run. All member functions are collective.
class Run
{
public:
    Run(const job::Job& job, const Kernel1& kernel1, const Graph500Protocol& protocol, const Graph500Log& log)
        : job_(job), kernel1_(kernel1), protocol_(protocol), log_(log), keys_(search_keys())
    {
    }

    /// Searches from all keys. `kernel`: "bfs" or "sssp". `most_bytes` computes the memory of the
    /// validator on the hosts, which is used if the hosts constructed the graph.
    template <typename Searches>
    [[nodiscard]] std::vector<graph500::SearchRecord> records(const char* kernel, Searches& searches,
                                                              ValidatorBytes* most_bytes) const
    {
        if (protocol_.validate && !kernel1_.on_gpus()) require_validation_memory(job_, kernel1_.input, most_bytes);
        searches.prepare_check(protocol_.validate ? Check::validity : Check::edges);
        for (int i = 1; i <= protocol_.warmups; ++i) {
            const Clock::time_point begin = Clock::now();
            searches.run(keys_.front());
            add_search("warm-up", i, keys_.front(), begin);
        }
        std::vector<graph500::SearchRecord> records;
        job::Progress progress(job_, fmt::format("graph500 {}", kernel), keys_.size());
        for (const Vertex key : keys_) {
            const Clock::time_point begin = Clock::now();
            graph500::SearchRecord& record =
                records.emplace_back(graph500::SearchRecord{.key = key, .seconds = searches.run(key)});
            add_search(kernel, static_cast<std::int64_t>(records.size()), key, begin);
            check(searches, record);
            run_agreed(job_.world(), [&] { progress.advance(1); });
        }
        return records;
    }

private:
    [[nodiscard]] std::vector<Vertex> search_keys() const
    {
        const auto touched = [this](std::span<const Vertex> vertices) {
            return kernel1_.searches().have_edges(vertices);
        };
        std::vector<Vertex> keys =
            graph500::choose_search_keys(kernel1_.key_range, protocol_.seeds.seed1, protocol_.seeds.seed2,
                                         static_cast<std::size_t>(protocol_.keys), touched);
        run_agreed(job_.world(), [&] {
            if (keys.empty())
                throw InputError(
                    fmt::format("{}: every possible search key has no edges or only self-loops", kernel1_.input.name));
        });
        return keys;
    }

    void add_search(std::string_view name, std::int64_t number, Vertex key, Clock::time_point begin) const
    {
        if (log_.add_search) log_.add_search(name, number, key, begin);
    }

    /// Checks the last search. Throws an AgreedError if it is invalid.
    template <typename Searches>
    void check(Searches& searches, graph500::SearchRecord& record) const
    {
        if (!protocol_.validate) {
            record.edges = searches.check().edges;
            return;
        }
        const Phase phase(log_.phases, "validate");
        job_.world().barrier();
        const Clock::time_point begin = Clock::now();
        const graph500::Validation validation = searches.check();
        record.validate_seconds = job_.world().all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);
        if (validation.violation)
            throw AgreedError(ExitCode::wrong_result, fmt::format("the search from key {} is invalid: {}", record.key,
                                                                  describe(*validation.violation)));
        record.edges = validation.edges;
    }

    const job::Job& job_;
    const Kernel1& kernel1_;
    const Graph500Protocol& protocol_;
    const Graph500Log& log_;
    std::vector<Vertex> keys_;
};

}  // namespace

Graph500Records run_graph500_searches(const job::Job& job, const Kernel1& kernel1, const Graph500Protocol& protocol,
                                      const Graph500Log& log)
{
    const Run run(job, kernel1, protocol, log);
    Graph500Records searches;
    if (kernel1.bfs) searches.bfs = run.records("bfs", *kernel1.bfs, graph500::BfsValidator::most_bytes);
    if (kernel1.sssp) searches.sssp = run.records("sssp", *kernel1.sssp, graph500::SsspValidator::most_bytes);
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
