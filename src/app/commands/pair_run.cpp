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
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/output/text_output.hpp"

namespace wayfront::app {

namespace {

/// Chooses how many pairs have their answers in memory at a time.
class BatchSize
{
public:
    /// Collective.
    BatchSize(const job::Job& job, const PairRun& run)
        : vertices_(run.columns.paths ? static_cast<std::size_t>(run.prepared.input.list.vertex_count) : 0),
          longest_(vertices_)
    {
        constexpr double share = 0.25;
        constexpr double most = 1e18;
        const double available = std::min(share * job::available_bytes().value_or(most), most) / job.ranks_a_host();
        bytes_ = static_cast<std::size_t>(job.world().all_reduce(available, comm::Reduction::min));
    }

    [[nodiscard]] std::size_t next() const
    {
        // In the answer, in up to three messages, and in the text.
        constexpr std::size_t bytes_of_vertex = 5 * sizeof(Vertex);
        return std::clamp<std::size_t>(bytes_ / bytes_of_vertex / std::max<std::size_t>(longest_, 1), 1, kMost);
    }

    /// The next paths are expected to have at most twice as many vertices as the longest of all before.
    void note(std::span<const algo::PairAnswer> answers)
    {
        for (const algo::PairAnswer& answer : answers) found_ = std::max(found_, answer.path.size());
        longest_ = found_ > 0 ? std::min(vertices_, 2 * found_) : longest_ / 2;
    }

private:
    static constexpr std::size_t kMost = std::size_t{1} << 12;

    std::size_t bytes_ = 0;
    std::size_t vertices_;   // of the longest path that there may be; 0 without paths
    std::size_t longest_;    // path that is expected
    std::size_t found_ = 0;  // the longest path
};

/// The grid of the ranks that share the graph; no value if each rank has the whole graph.
std::optional<comm::GridShape> grid_of_graph(const job::Job& job, const session::PreparedGraph& prepared)
{
    const comm::GridShape shape = prepared.grid->shape();
    if (shape.rows * shape.columns < job.world().size()) return std::nullopt;
    return shape;
}

}  // namespace

void answer_pairs(const job::Job& job, const PairRun& run, Trace& trace)
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
        BatchSize size(job, run);
        for (std::size_t first = 0, count = 0; first < all.size(); first += count) {
            count = std::min(size.next(), all.size() - first);
            const std::span<const algo::VertexPair> batch = all.subspan(first, count);
            std::vector<algo::PairAnswer> answers;
            seconds += session::seconds_of(job.world(), trace.log(), "search",
                                           [&] { answers = run.engine.answer(batch, run.columns.paths, progress); });
            connected += static_cast<std::size_t>(
                std::ranges::count_if(answers, [](const auto& answer) { return answer.distance.has_value(); }));
            file.write(batch, answers);
            size.note(answers);
        }
    }
    file.commit();
    if (job.first() && !run.quiet)
        std::cout << fmt::format("{}          {} with a path, {:.6g} s\n", counted(run.pairs.size(), "pair", "pairs"),
                                 connected, seconds);
    session::Json document = search_document(run.head, run.prepared, search);
    document["search"].update(run.limits);
    document["pairs"] = {{"count", run.pairs.size()}, {"connected", connected}, {"seconds", seconds}};
    session::write_json(job, run.report, document);
    trace.write(job);
}

}  // namespace wayfront::app
