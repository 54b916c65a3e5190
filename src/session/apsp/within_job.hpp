// The pairs of a source and a vertex within a limit, over all ranks.
//
// Each rank searches from an even part of the sources (cpu/apsp/bounded_searches.hpp). How much there is
// to write is known only after the searches. So they run first to count, and what they find is kept in memory
// as far as there is memory; then the file gets its full size, and the rank writes what it has kept and
// searches again for the rest.
#pragma once

#include <cstddef>
#include <functional>

#include "algo/apsp/sparse_rows.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/bounded_searches.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "plan/apsp/methods.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/output/sparse_file.hpp"

namespace wayfront::session {

struct WithinPlan
{
    cpu::BoundedSearchOptions searches;
    bool whole = false;          // whether distances are whole numbers
    std::size_t kept_bytes = 0;  // the bytes of rows that this rank keeps between counting and writing
};

/// Chooses the type of the distances, and compares the memory with what is available. Throws an
/// AgreedError if weights are negative, if the options do not suit, or if the memory does not suffice.
/// Pre: construct_pairs(). Collective.
[[nodiscard]] WithinPlan plan_within(const job::Job& job, const plan::ApspMethodOptions& options,
                                     const algo::Cutoff& limit, const PreparedPairs& pairs);

/// The shape of the file. The pairs outlive it.
[[nodiscard]] SparseShape shape_within(const PreparedPairs& pairs, const WithinPlan& plan);

/// The positions of the sources that a rank searches from.
[[nodiscard]] IndexRange rows_within_of_rank(const job::Job& job, const PreparedPairs& pairs);

/// Calls take(rows, position of the first one) for all rows at `positions`, in their order. Local.
void for_rows_within(cpu::BoundedSearches& searches, std::span<const Vertex> sources, IndexRange positions,
                     job::Progress& progress,
                     const std::function<void(algo::SparseRows rows, std::size_t first)>& take);

/// Searches, and writes what is found. Throws an AgreedError. Collective.
void write_within(const job::Job& job, cpu::BoundedSearches& searches, const PreparedPairs& pairs, SparseFile& file,
                  std::size_t kept_bytes);

}  // namespace wayfront::session
