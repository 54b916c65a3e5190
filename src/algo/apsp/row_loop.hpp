// The loop over the batches of rows: a producer makes a batch, and the consumers receive it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

/// The number of positions in ranges that are disjoint.
[[nodiscard]] std::size_t positions_in(std::span<const IndexRange> ranges);

/// Part `part` of `parts` nearly equal parts of the positions in `ranges`, in their order.
[[nodiscard]] std::vector<IndexRange> part_of_ranges(std::span<const IndexRange> ranges, std::size_t part,
                                                     std::size_t parts);

/// The positions in [0, count) that are in none of `ranges`, which are ascending and disjoint.
[[nodiscard]] std::vector<IndexRange> ranges_between(std::span<const IndexRange> ranges, std::size_t count);

/// Sorts ranges, and joins those that touch or overlap.
[[nodiscard]] std::vector<IndexRange> joined_ranges(std::vector<IndexRange> ranges);

/// Throws InputError if a distance of the rows in `positions` does not fit `type`, or if the sum of
/// whole distances that a summary in full detail has does not fit 64 bits. Only the largest distance
/// of each row is known, so negative distances are not checked.
void require_fit(const Summary& summary, IndexRange positions, DistanceType type);

/// Makes the rows of a rank's sources. All arguments outlive the loop.
class RowLoop
{
public:
    /// `sources` are those of the whole job, by position; the rank makes the rows of the positions
    /// in `ranges`, one range after the other. The summary, which may be null, gets all rows. If
    /// there are no consumers, the producer may summarise the rows without making them.
    RowLoop(RowProducer& producer, std::span<const Vertex> sources, std::vector<IndexRange> ranges,
            std::vector<RowConsumer*> consumers, Summary* summary);

    [[nodiscard]] bool done() const { return range_ == ranges_.size(); }
    /// The positions whose rows are done.
    [[nodiscard]] std::vector<IndexRange> done_ranges() const;

    /// Makes the next batch, hands it to the summary and the consumers, and returns the number of
    /// its rows. Throws InputError if a distance does not fit the producer's type, also if the rows
    /// are only summarised. Pre: not done().
    std::size_t make_batch();
    /// Notes that all rows have been summarised without the loop. Pre: make_batch() has not been
    /// called.
    void finish() { range_ = ranges_.size(); }

private:
    /// The positions of the next batch.
    [[nodiscard]] IndexRange next_batch() const;
    void advance(std::size_t rows);

    RowProducer& producer_;
    std::span<const Vertex> sources_;
    std::vector<IndexRange> ranges_;  // none is empty
    std::vector<RowConsumer*> consumers_;
    Summary* summary_;
    std::size_t range_ = 0;          // the first range that is not done
    std::size_t done_in_range_ = 0;  // rows
    bool launched_ = false;          // the next batch
};

}  // namespace wayfront::algo
