#include "app/commands/pair_run.hpp"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/search_session.hpp"
#include "app/commands/search_summary.hpp"
#include "app/report/run_facts.hpp"
#include "base/counted.hpp"
#include "base/phase.hpp"
#include "job/progress.hpp"

namespace wayfront::app {

namespace {

/// The pairs whose answers are in memory at a time.
constexpr std::size_t kBatch = std::size_t{1} << 12;

/// The grid of the ranks that share the graph; no value if each rank has the whole graph.
std::optional<comm::GridShape> grid_of_graph(const job::Job& job, const session::PreparedGraph& prepared)
{
    const comm::GridShape shape = prepared.grid->shape();
    if (shape.rows * shape.columns < job.world().size()) return std::nullopt;
    return shape;
}

}  // namespace

session::Json answer_pairs(const job::Job& job, const PairRun& run, Trace& trace)
{
    const session::EngineFacts facts = run.engine.facts();
    const session::Json search = search_facts(job, grid_of_graph(job, run.prepared), facts,
                                              {{"algorithm", run.engine.method()}}, run.engine.method());
    if (job.first() && !run.quiet)
        print_preparation(run.prepared.input, search["in_words"], run.prepared.load_seconds,
                          run.prepared.construction_seconds);
    session::PairFile file(job, run.output, run.prepared.input, run.columns);
    std::size_t connected = 0;
    double seconds = 0;
    {
        job::Progress progress(job, "search", run.pairs.size());
        const std::span<const algo::VertexPair> all(run.pairs);
        for (std::size_t first = 0; first < all.size(); first += kBatch) {
            const std::span<const algo::VertexPair> batch = all.subspan(first, std::min(kBatch, all.size() - first));
            std::vector<algo::PairAnswer> answers;
            seconds += session::seconds_of(job.world(), trace.log(), "search",
                                           [&] { answers = run.engine.answer(batch, run.columns.paths, progress); });
            connected += static_cast<std::size_t>(
                std::ranges::count_if(answers, [](const auto& answer) { return answer.distance.has_value(); }));
            file.write(batch, answers);
        }
    }
    file.commit();
    if (job.first() && !run.quiet)
        std::cout << fmt::format("{}          {} with a path, {:.6g} s\n", counted(run.pairs.size(), "pair", "pairs"),
                                 connected, seconds);
    session::Json document = search_document(run.head, run.prepared, search);
    document["search"].update(run.limits);
    document["pairs"] = {{"count", run.pairs.size()}, {"connected", connected}, {"seconds", seconds}};
    return document;
}

}  // namespace wayfront::app
