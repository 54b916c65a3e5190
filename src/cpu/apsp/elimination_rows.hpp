// All pairs on the cores by the elimination of vertices (algo/apsp/elimination.hpp), from 16
// sources at once, each in a lane of vectors.
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
    // Whether rows are wanted. If not, there are only summaries, in larger batches.
    bool rows = true;
    // The bytes of a batch of rows. A batch has at least 16 rows for each thread.
    std::size_t batch_bytes = std::size_t{4} << 20;
};

/// Each thread makes 16 rows at a time. Distances that do not fit the type throw InputError in
/// collect(); summaries are made without rows. The tree is not null.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_elimination_rows(std::shared_ptr<const algo::Elimination> tree,
                                                                       const EliminationRowsOptions& options);

/// An estimate of the bytes that the producer allocates besides the tree and the rows.
[[nodiscard]] double elimination_rows_bytes(double vertices, double height, int threads);

}  // namespace wayfront::cpu
