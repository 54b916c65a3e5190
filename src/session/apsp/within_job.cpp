#include "session/apsp/within_job.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "job/host_memory.hpp"
#include "plan/apsp/types.hpp"

namespace wayfront::session {

namespace {

/// A part of the memory that is available, which the ranks of a host share.
std::size_t bytes_to_keep(const job::Job& job)
{
    constexpr double least = 1 << 26;  // also if nobody says how much is available
    constexpr double share = 0.25;
    const double available = job::available_bytes().value_or(0);
    return static_cast<std::size_t>(std::max(least, share * available / job.ranks_a_host()));
}

}  // namespace

WithinPlan plan_within(const job::Job& job, const plan::ApspMethodOptions& options, const algo::Cutoff& limit,
                       const PreparedPairs& pairs)
{
    const DistributedGraph& graph = *pairs.whole.graph;
    const WithinPlan plan = run_agreed(job.world(), [&] {
        if (pairs.negative_weights)
            throw InputError(
                fmt::format("--within: {} has negative weights, with which a path may leave the limit and come back",
                            pairs.input.name));
        plan::ApspWork work;
        work.name = pairs.input.name;
        work.weights = pairs.weights;
        const plan::ApspDistances distances = plan::choose_distances_within(limit, options, work, graph);
        return WithinPlan{.searches = {.limit = limit,
                                       .type = distances.type,
                                       .most_distance = distances.most_distance,
                                       .sources = rows_within_of_rank(job, pairs).size()},
                          .whole = distances.whole,
                          .kept_bytes = bytes_to_keep(job)};
    });
    const double bytes =
        cpu::bounded_searches_bytes(static_cast<double>(pairs.input.list.vertex_count),
                                    static_cast<double>(graph.directed_edges), job.threads(), plan.searches);
    const double of_numbers = sizeof(std::int64_t) * (static_cast<double>(pairs.input.list.vertex_count) +
                                                      static_cast<double>(pairs.sources.size()));
    job::require_memory(job, bytes + of_numbers, "searching " + pairs.input.name + " to a limit",
                        [&] { return job.threads() > 1 ? "; fewer --threads need less memory" : ""; });
    return plan;
}

SparseShape shape_within(const PreparedPairs& pairs, const WithinPlan& plan)
{
    return {.sources = pairs.sources,
            .vertices = pairs.input.list.vertex_count,
            .numbers = pairs.input.numbers(),
            .type = plan.searches.type,
            .whole = plan.whole};
}

IndexRange rows_within_of_rank(const job::Job& job, const PreparedPairs& pairs)
{
    return part_of(pairs.sources.size(), static_cast<std::size_t>(job.world().rank()),
                   static_cast<std::size_t>(job.world().size()));
}

void for_rows_within(cpu::BoundedSearches& searches, std::span<const Vertex> sources, IndexRange positions,
                     job::Progress& progress, const std::function<void(algo::SparseRows rows, std::size_t first)>& take)
{
    while (positions.size() > 0) {
        algo::SparseRows rows = searches.rows(sources.subspan(positions.first, positions.size()));
        const std::size_t count = rows.rows();
        take(std::move(rows), positions.first);
        positions.first += count;
        progress.advance(count);
    }
}

void write_within(const job::Job& job, cpu::BoundedSearches& searches, const PreparedPairs& pairs, SparseFile& file,
                  std::size_t kept_bytes)
{
    const IndexRange own = rows_within_of_rank(job, pairs);
    std::vector<SparsePiece> kept;  // the first rows, as long as they fit kept_bytes
    std::size_t kept_rows = 0;
    bool keeps = true;
    SparseSize size;
    job::Progress progress(job, "searches");
    progress.begin("search", own.size());
    run_agreed(job.world(), [&] {
        for_rows_within(searches, pairs.sources, own, progress, [&](algo::SparseRows rows, std::size_t first) {
            SparsePiece piece = file.encode(std::move(rows), first);
            size.add(piece);
            keeps = keeps && piece.bytes() <= kept_bytes;
            if (!keeps) return;
            kept_bytes -= piece.bytes();
            kept_rows += piece.rows;
            kept.push_back(std::move(piece));
        });
    });
    file.begin(job, size);
    progress.begin("write", own.size() - kept_rows);
    run_agreed(job.world(), [&] {
        for (SparsePiece& piece : kept) file.write(std::exchange(piece, {}));
        for_rows_within(
            searches, pairs.sources, {own.first + kept_rows, own.last}, progress,
            [&](algo::SparseRows rows, std::size_t first) { file.write(file.encode(std::move(rows), first)); });
    });
    file.commit(job);
}

}  // namespace wayfront::session
