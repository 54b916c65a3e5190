// All pairs on the cores by the elimination of vertices (algo/apsp/elimination.hpp), from 16 sources at
// once, each in a lane of vectors.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/elimination.hpp"
#include "algo/apsp/rows.hpp"

namespace wayfront::cpu {

struct EliminationRowsOptions
{
    algo::DistanceType type = algo::DistanceType::int32;  // of the rows
    bool rows = true;                                     // they are wanted; otherwise only summaries, in larger batches
    std::size_t batch_bytes = std::size_t{4} << 20;       // of rows; a batch has at least 16 rows a thread
};

/// Each thread makes 16 rows at a time. Distances that do not fit the type throw InputError in
/// collect(); summaries are made without rows. The tree is not null.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_elimination_rows(std::shared_ptr<const algo::Elimination> tree,
                                                                       const EliminationRowsOptions& options);

/// The bytes that it will allocate besides the tree and the rows, for an estimate beforehand.
[[nodiscard]] double elimination_rows_bytes(double vertices, double height, int threads);

}  // namespace wayfront::cpu
