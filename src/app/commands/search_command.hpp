// The parts that the subcommands bfs and sssp share: the graph, the sources of searches or the pairs in their place,
// the searches one after the other, and their report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "app/cli/subcommand.hpp"
#include "app/commands/search_summary.hpp"
#include "app/options/graph_options.hpp"
#include "app/options/pair_options.hpp"
#include "app/options/search_outputs.hpp"
#include "app/options/source_options.hpp"
#include "app/report/trace_file.hpp"
#include "job/progress.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/named_files.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

/// The state that all searches of one run share.
template <typename Searches>
struct SearchSession
{
    job::Job& job;
    const session::LoadedGraph& input;
    const DistributedGraph& graph;
    Searches& searches;
    std::optional<Vertex> target;
    Trace& trace;
    bool nearest;      // whether a search starts from all sources
    bool only_search;  // whether there is no other one
};

class SearchCommand : public Subcommand
{
public:
    using Subcommand::Subcommand;

    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph}}; }

protected:
    /// Adds the options that name sources, a target and pairs, --nearest, and the direction of the edges.
    void add_sources(OptionGroup& group);
    void add_validate(OptionGroup& group);
    void add_deterministic(OptionGroup& group);

    // All functions below are collective.

    /// Checks the files, before the graph is loaded.
    void check_files(const job::Job& job);
    /// Loads the graph. `weighted`: whether it must have weights.
    void load(const job::Job& job, bool weighted, Trace& trace, session::PreparedGraph& prepared) const;
    /// Adds the random sources to `sources`, and checks the files of the results. Returns the sources of each search.
    [[nodiscard]] std::vector<std::span<const Vertex>> settle_sources(const job::Job& job,
                                                                      const session::PreparedGraph& prepared,
                                                                      std::vector<Vertex>& sources) const;

    /// Calls search(number, sources) for the sources of each search, with numbers from 1, and print(outcome) for each
    /// outcome as soon as it is known. Then prints the times, which are the outcomes' `seconds`.
    template <typename Search, typename Print>
    auto search_from_all(const job::Job& job, const std::vector<std::span<const Vertex>>& sources, Search&& search,
                         Print&& print) const
    {
        std::vector<std::invoke_result_t<Search, std::int64_t, std::span<const Vertex>>> outcomes;
        std::vector<double> seconds;
        {
            job::Progress progress(job, "search", sources.size());
            for (std::size_t i = 0; i < sources.size(); ++i) {
                outcomes.push_back(search(static_cast<std::int64_t>(i) + 1, sources[i]));
                seconds.push_back(outcomes.back().seconds);
                progress.clear();
                print(outcomes.back());
                progress.advance(1);
            }
        }
        if (job.first() && !common.quiet) print_times(std::move(seconds));
        return outcomes;
    }

    /// Answers the pairs of --pairs, some thousands at a time, writes them, the report and the trace, and prints a
    /// summary. `prepare` makes the engine for a number of pairs. `levels`: whether distances are levels.
    void run_pairs(const job::Job& job, const session::PreparedGraph& prepared, Trace& trace, bool levels,
                   const std::function<std::unique_ptr<session::PairEngine>(std::int64_t pairs)>& prepare) const;

    /// The --json file without its searches. `search` is the object "search".
    [[nodiscard]] session::Json report_head(const job::Job& job, const session::PreparedGraph& prepared,
                                            session::Json search) const;
    /// The facts of the report that identify a search: its source or, with --nearest, its sources; and its seconds.
    [[nodiscard]] session::Json facts_of_start(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                               double seconds) const;
    /// The object "search" has these facts, too.
    [[nodiscard]] virtual session::Json limits() const = 0;

    session::GraphOptions graph_;
    SourceOptions sources_;
    PairOptions pairs_;
    SearchOutputs outputs_;
    bool validate_ = false;
    bool deterministic_ = false;

private:
    [[nodiscard]] session::NamedFiles inputs() const;
};

/// The vertices of a path, with the input's numbers or names.
[[nodiscard]] session::Json vertices_as_json(const session::LoadedGraph& input, std::span<const Vertex> vertices);

}  // namespace wayfront::app
