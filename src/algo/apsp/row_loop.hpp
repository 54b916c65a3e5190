// From a producer of rows to the consumers, batch by batch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

/// Makes the rows of a rank's sources, which have consecutive positions among the sources of the
/// job. All arguments outlive the loop.
class RowLoop
{
public:
    /// `sources` are those of this rank; the first has position `first_position`. The summary, which
    /// may be null, gets all rows. Without consumers the rows need not exist, and the producer
    /// summarises them itself.
    RowLoop(RowProducer& producer, std::size_t first_position, std::span<const Vertex> sources, std::vector<RowConsumer*> consumers,
            Summary* summary);

    /// Counts the first `rows` rows as done.
    void skip(std::size_t rows) { done_ = rows; }
    [[nodiscard]] std::size_t done_rows() const { return done_; }
    [[nodiscard]] bool done() const { return done_ == sources_.size(); }

    /// Makes the next batch, and hands it to the summary and the consumers. Pre: not done().
    void make_batch();

private:
    /// The sources of the batch that begins with row `row` of this rank.
    [[nodiscard]] std::span<const Vertex> batch_from(std::size_t row) const;

    RowProducer& producer_;
    std::size_t first_position_;
    std::span<const Vertex> sources_;
    std::vector<RowConsumer*> consumers_;
    Summary* summary_;
    std::size_t done_ = 0;
    bool launched_ = false;  // the batch after the finished ones
};

}  // namespace wayfront::algo
