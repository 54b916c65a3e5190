// The steps of AllPairs that are alike for one graph and for each of many.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <variant>

#include "algo/apsp/summary.hpp"
#include "graph/distances.hpp"
#include "job/job.hpp"
#include "plan/apsp/methods.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "wayfront/all_pairs.hpp"

namespace wayfront {

/// The method that the options ask for, with default rates. Throws InputError.
[[nodiscard]] plan::ApspMethodOptions method_of(const AllPairsOptions& options);

/// Sets the sources and targets of pairs.input that the options name. Throws an AgreedError. Collective.
void name_vertices(const job::Job& job, const AllPairsOptions& options, session::PreparedPairs& pairs);

/// The summary with the input's numbers.
[[nodiscard]] AllPairsSummary summary_of(const session::PreparedPairs& pairs, const algo::Summary& computed);

/// The element of a matrix as a double; infinity if the vertex is not reached. `distances` is a variant of lists.
/// Throws InputError if there is no such row or column.
template <typename Distances>
[[nodiscard]] double element_of(const Distances& distances, std::size_t rows, std::size_t columns, std::size_t row,
                                std::size_t column)
{
    if (row >= rows || column >= columns)
        throw InputError("there is no distance in row " + std::to_string(row) + " and column " +
                         std::to_string(column) + " of " + std::to_string(rows) + " x " + std::to_string(columns));
    return std::visit(
        [i = row * columns + column](const auto& all) {
            const auto found = all[i];
            return found == unreached<std::remove_const_t<decltype(found)>>() ? std::numeric_limits<double>::infinity()
                                                                              : static_cast<double>(found);
        },
        distances);
}

}  // namespace wayfront
