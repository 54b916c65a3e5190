// A stable counting sort by bucket, which may be the rank that an item goes to, the lists that it
// belongs to, or its class.
//
// Each thread takes a part of the items. The first pass counts the items of each part and bucket;
// prefix sums over the buckets, and over the parts within a bucket, turn these counts into
// positions; the second pass assigns each item its position in an array that stores one bucket after
// the other. The caller decides what an item is, and writes it at its position. Only the
// constructor allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront {

class CountingSort
{
public:
    explicit CountingSort(std::size_t buckets, std::size_t most_parts = static_cast<std::size_t>(thread_count()))
        : stride_((buckets + kLineCounters - 1) / kLineCounters * kLineCounters),
          most_parts_(most_parts),
          next_(most_parts * stride_),
          counts_(buckets, 0),
          begins_(buckets + 1, 0)
    {
    }

    /// The first pass. visit(i, f) calls f(bucket, item...) for each item of index i, which may
    /// have none, for i from 0 to indices - 1. Several threads call visit() for indices of different
    /// parts. Below `serial_below` indices there is one part.
    template <typename Visit>
    void count(std::size_t indices, std::size_t serial_below, Visit&& visit)
    {
        indices_ = indices;
        parts_ = indices < serial_below ? 1 : most_parts_;
        for_each_part([&](IndexRange range, std::size_t* counts) {
            std::fill_n(counts, counts_.size(), std::size_t{0});
            for (std::size_t i = range.first; i < range.last; ++i)
                visit(i, [counts](std::size_t bucket, const auto&...) { ++counts[bucket]; });
        });
        std::size_t total = 0;
        for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
            begins_[bucket] = total;
            for (std::size_t part = 0; part < parts_; ++part) total += std::exchange(row(part)[bucket], total);
            counts_[bucket] = static_cast<std::int64_t>(total - begins_[bucket]);
        }
        begins_.back() = total;
    }

    /// The second pass, after count(): calls write(position, item...) for each item of the same
    /// visit.
    template <typename Visit, typename Write>
    void place(Visit&& visit, Write&& write)
    {
        for_each_part([&](IndexRange range, std::size_t* next) {
            for (std::size_t i = range.first; i < range.last; ++i)
                visit(i, [next, &write](std::size_t bucket, const auto&... item) { write(next[bucket]++, item...); });
        });
    }

    /// The number of items in all buckets. Pre, here and below: count() was called.
    [[nodiscard]] std::size_t size() const { return begins_.back(); }
    /// The number of items in each bucket.
    [[nodiscard]] std::span<const std::int64_t> counts() const { return counts_; }
    /// The first positions of the buckets, and size().
    [[nodiscard]] std::span<const std::size_t> begins() const { return begins_; }

private:
    // Parts share no cache line.
    static constexpr std::size_t kLineCounters = 64 / sizeof(std::size_t);

    [[nodiscard]] std::size_t* row(std::size_t part) { return next_.data() + part * stride_; }

    template <typename F>
    void for_each_part(F&& f)
    {
        if (parts_ == 1) {
            f(IndexRange{0, indices_}, row(0));
            return;
        }
        parallel_parts(parts_, [&](std::size_t part) { f(part_of(indices_, part, parts_), row(part)); });
    }

    std::size_t stride_;  // counters of a part
    std::size_t most_parts_;
    std::size_t parts_ = 1;
    std::size_t indices_ = 0;
    // For each part and bucket: the count, then the position of the next item.
    HostBuffer<std::size_t> next_;
    std::vector<std::int64_t> counts_;
    std::vector<std::size_t> begins_;
};

}  // namespace wayfront
