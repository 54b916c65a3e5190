// The answers to --pairs of wayfront bfs and sssp.

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/search_command.hpp"
#include "app/commands/search_summary.hpp"
#include "app/report/run_facts.hpp"
#include "base/counted.hpp"
#include "base/phase.hpp"
#include "job/host_memory.hpp"
#include "job/progress.hpp"
#include "session/output/pair_file.hpp"
#include "session/output/text_output.hpp"
#include "session/pairs/pair_list.hpp"

namespace wayfront::app {

namespace {

/// Chooses how many pairs have their answers in memory at a time.
class BatchSize
{
public:
    /// `vertices`: of the longest path that there may be; 0 without paths. Collective.
    BatchSize(const job::Job& job, std::size_t vertices) : vertices_(vertices), longest_(vertices)
    {
        constexpr double share = 0.25;
        constexpr double most = 1e18;
        const double available = std::min(share * job::available_bytes().value_or(most), most) / job.ranks_a_host();
        bytes_ = static_cast<std::size_t>(job.world().all_reduce(available, comm::Reduction::min));
    }

    [[nodiscard]] std::size_t next() const
    {
        // A vertex of a path is stored five times: in the answer, in up to three messages, and in the text.
        constexpr std::size_t bytes_of_vertex = 5 * sizeof(Vertex);
        return std::clamp<std::size_t>(bytes_ / bytes_of_vertex / std::max<std::size_t>(longest_, 1), 1, kMost);
    }

    /// The next paths are expected to have at most twice as many vertices as the longest path so far.
    void note(std::span<const algo::PairAnswer> answers)
    {
        for (const algo::PairAnswer& answer : answers) found_ = std::max(found_, answer.path.size());
        longest_ = found_ > 0 ? std::min(vertices_, 2 * found_) : longest_ / 2;
    }

private:
    static constexpr std::size_t kMost = std::size_t{1} << 12;

    std::size_t bytes_ = 0;
    std::size_t vertices_;
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

void SearchCommand::run_pairs(
    const job::Job& job, const session::PreparedGraph& prepared, Trace& trace, bool levels,
    const std::function<std::unique_ptr<session::PairEngine>(std::int64_t pairs)>& prepare) const
{
    const std::vector<algo::VertexPair> pairs = session::read_pairs(job, pairs_.file, prepared.input);
    session::PairFile::require_space(job, outputs_.result, prepared.input, pairs);
    const std::unique_ptr<session::PairEngine> engine = prepare(static_cast<std::int64_t>(pairs.size()));
    const session::Json search = search_facts(job, grid_of_graph(job, prepared), engine->facts(),
                                              {{"algorithm", engine->method()}}, engine->method());
    if (job.first() && !common.quiet)
        print_preparation(prepared.input, search["in_words"], prepared.load_seconds, prepared.construction_seconds);
    const bool paths = !pairs_.no_paths;
    session::PairFile file(job, outputs_.result, prepared.input, {.paths = paths, .levels = levels});
    std::size_t connected = 0;
    double seconds = 0;
    {
        job::Progress progress(job, "search", pairs.size());
        const std::span<const algo::VertexPair> all(pairs);
        BatchSize size(job, paths ? static_cast<std::size_t>(prepared.input.list.vertex_count) : 0);
        for (std::size_t first = 0, count = 0; first < all.size(); first += count) {
            count = std::min(size.next(), all.size() - first);
            const std::span<const algo::VertexPair> batch = all.subspan(first, count);
            std::vector<algo::PairAnswer> answers;
            seconds += session::seconds_of(job.world(), trace.log(), "search",
                                           [&] { answers = engine->answer(batch, paths, progress); });
            connected += static_cast<std::size_t>(
                std::ranges::count_if(answers, [](const auto& answer) { return answer.distance.has_value(); }));
            file.write(batch, answers);
            size.note(answers);
        }
    }
    file.commit();
    if (job.first() && !common.quiet)
        std::cout << fmt::format("{}          {} with a path, {:.6g} s\n", counted(pairs.size(), "pair", "pairs"),
                                 connected, seconds);
    session::Json document = report_head(job, prepared, search);
    document["pairs"] = {{"count", pairs.size()}, {"connected", connected}, {"seconds", seconds}};
    session::write_json(job, outputs_.json, document);
    trace.write(job);
}

}  // namespace wayfront::app
