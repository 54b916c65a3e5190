// Edges in any order into compressed sparse rows, sorted and without duplicates.
//
// Two passes over the edges: the first counts, the second scatters them into buckets of consecutive lists, of about 2^16 edges each, so that each
// bucket is then sorted inside a core's cache (radix sort, least significant digit first). 8 bytes an edge beside what the caller holds, and 12 once
// the caller has been told to let go of its edges.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/csr.hpp"

namespace wayfront {

namespace detail {

/// Consecutive lists by bucket: granules of 8 lists, so that the table stays in cache, buckets of about 2^16 edges.
class ListBuckets
{
public:
    explicit ListBuckets(std::span<const std::uint32_t> list_counts);

    [[nodiscard]] std::size_t count() const { return first_list_.size() - 1; }
    [[nodiscard]] std::size_t bucket(std::uint32_t list) const { return bucket_of_granule_[list >> kGranuleBits]; }
    [[nodiscard]] std::uint32_t first_list(std::size_t bucket) const { return first_list_[bucket]; }
    [[nodiscard]] std::uint32_t last_list(std::size_t bucket) const { return first_list_[bucket + 1]; }

private:
    static constexpr std::uint32_t kGranuleBits = 3;
    std::vector<std::uint32_t> first_list_;
    HostBuffer<std::uint16_t> bucket_of_granule_;
};

/// Sorts `keys`, whose bits from `bits` on are 0, with `scratch` of at least the same size. At most 2^32 - 1 keys.
void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, unsigned bits);

/// Sorts each bucket, drops duplicates, and returns the lists; keys are list << 32 | neighbour. Throws ResourceError where a bucket passes 2^32 keys.
Csr lists_from_buckets(const ListBuckets& buckets, std::span<const std::size_t> bucket_begins, HostBuffer<std::uint64_t> keys, std::uint32_t lists);

}  // namespace detail

/// `list_counts[i]`: how many edges list i has, duplicates counted. `for_each_edge(part, parts, f)` calls f(list, neighbour) for each edge of one of
/// `parts` parts, twice the same; it is called by several threads at once, for different parts. release() is called once, when no edge will be asked
/// for any more. Neighbours come out ascending.
template <typename ForEachEdge, typename Release>
Csr build_csr(std::span<const std::uint32_t> list_counts, ForEachEdge&& for_each_edge, Release&& release)
{
    const detail::ListBuckets buckets(list_counts);
    const auto parts = static_cast<std::size_t>(thread_count());
    std::vector<std::vector<std::size_t>> next(parts, std::vector<std::size_t>(buckets.count(), 0));
#pragma omp parallel for schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part)
        for_each_edge(part, parts, [&](std::uint32_t list, std::uint32_t) { ++next[part][buckets.bucket(list)]; });

    std::vector<std::size_t> begins(buckets.count() + 1, 0);
    std::size_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets.count(); ++bucket) {
        begins[bucket] = total;
        for (std::size_t part = 0; part < parts; ++part) {
            const std::size_t count = next[part][bucket];
            next[part][bucket] = total;
            total += count;
        }
    }
    begins[buckets.count()] = total;

    HostBuffer<std::uint64_t> keys(total);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part)
        for_each_edge(part, parts, [&](std::uint32_t list, std::uint32_t neighbour) {
            keys[next[part][buckets.bucket(list)]++] = (static_cast<std::uint64_t>(list) << 32) | neighbour;
        });
    release();
    return detail::lists_from_buckets(buckets, begins, std::move(keys), static_cast<std::uint32_t>(list_counts.size()));
}

template <typename ForEachEdge>
Csr build_csr(std::span<const std::uint32_t> list_counts, ForEachEdge&& for_each_edge)
{
    return build_csr(list_counts, std::forward<ForEachEdge>(for_each_edge), [] {});
}

}  // namespace wayfront
