#include "algo/apsp/row_loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algo/apsp/converted_row.hpp"
#include "base/error.hpp"

namespace wayfront::algo {

void require_fit(const Summary& summary, IndexRange positions, DistanceType type)
{
    const double most = most_distance_of(type, summary.whole());
    const std::span<const RowFacts> rows = summary.rows().subspan(positions.first, positions.size());
    double misfit = 0;
    for (const RowFacts& facts : rows)
        if (std::abs(facts.eccentricity) > most) misfit = farther(misfit, facts.eccentricity);
    if (misfit != 0) fail_to_fit(misfit, type, summary.whole());
    if (std::ranges::any_of(rows, [](const RowFacts& facts) { return facts.whole_sum == RowFacts::kNoWholeSum; }))
        throw InputError("the distances of a vertex add up to more than 64 bits hold; --summary rounds their sum");
}

std::size_t positions_in(std::span<const IndexRange> ranges)
{
    std::size_t count = 0;
    for (const IndexRange range : ranges) count += range.size();
    return count;
}

std::vector<IndexRange> part_of_ranges(std::span<const IndexRange> ranges, std::size_t part, std::size_t parts)
{
    const IndexRange wanted = part_of(positions_in(ranges), part, parts);
    std::vector<IndexRange> result;
    std::size_t before = 0;  // positions in the ranges so far
    for (const IndexRange range : ranges) {
        const std::size_t first = std::max(wanted.first, before);
        const std::size_t last = std::min(wanted.last, before + range.size());
        if (first < last) result.push_back({range.first + first - before, range.first + last - before});
        before += range.size();
    }
    return result;
}

std::vector<IndexRange> ranges_between(std::span<const IndexRange> ranges, std::size_t count)
{
    std::vector<IndexRange> result;
    std::size_t next = 0;
    for (const IndexRange range : ranges) {
        if (next < range.first) result.push_back({next, range.first});
        next = range.last;
    }
    if (next < count) result.push_back({next, count});
    return result;
}

std::vector<IndexRange> joined_ranges(std::vector<IndexRange> ranges)
{
    std::ranges::sort(ranges, {}, &IndexRange::first);
    std::vector<IndexRange> result;
    for (const IndexRange range : ranges) {
        if (range.size() == 0) continue;
        if (!result.empty() && range.first <= result.back().last)
            result.back().last = std::max(result.back().last, range.last);
        else
            result.push_back(range);
    }
    return result;
}

RowLoop::RowLoop(RowProducer& producer, std::span<const Vertex> sources, std::vector<IndexRange> ranges,
                 std::vector<RowConsumer*> consumers, Summary* summary)
    : producer_(producer),
      sources_(sources),
      ranges_(std::move(ranges)),
      consumers_(std::move(consumers)),
      summary_(summary)
{
}

IndexRange RowLoop::next_batch() const
{
    const std::size_t first = ranges_[range_].first + done_in_range_;
    return {first, std::min(ranges_[range_].last, first + producer_.batch_rows())};
}

void RowLoop::advance(std::size_t rows)
{
    done_in_range_ += rows;
    if (done_in_range_ < ranges_[range_].size()) return;
    ++range_;
    done_in_range_ = 0;
}

std::vector<IndexRange> RowLoop::done_ranges() const
{
    std::vector<IndexRange> ranges(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(range_));
    if (done_in_range_ > 0) ranges.push_back({ranges_[range_].first, ranges_[range_].first + done_in_range_});
    return ranges;
}

std::size_t RowLoop::make_batch()
{
    const IndexRange positions = next_batch();
    const std::span<const Vertex> sources = sources_.subspan(positions.first, positions.size());
    const bool in_passing = summary_ != nullptr && (!summary_->is_full() || producer_.summarises_fully());
    if (consumers_.empty() && in_passing) {
        producer_.summarise(positions.first, sources, *summary_);
        require_fit(*summary_, positions, producer_.type());
        advance(positions.size());
        return positions.size();
    }
    if (!launched_) producer_.launch(sources);
    RowBatch batch = producer_.collect();
    batch.first = positions.first;
    advance(positions.size());
    launched_ = !done();
    if (launched_) {
        const IndexRange next = next_batch();
        producer_.launch(sources_.subspan(next.first, next.size()));
    }
    if (summary_ != nullptr) {
        summary_->consume(batch);
        require_fit(*summary_, positions, producer_.type());
    }
    for (RowConsumer* const consumer : consumers_) consumer->consume(batch);
    return positions.size();
}

}  // namespace wayfront::algo
