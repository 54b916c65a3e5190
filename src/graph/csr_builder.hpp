// Construction of compressed sparse rows from edges in any order, sorted and without duplicates.
//
// There are two passes over the edges. The first counts, and the second scatters the edges into
// buckets of consecutive lists, of about 2^16 edges each, so that each bucket can be sorted inside
// a core's cache (radix sort, least significant digit first). This uses 8 bytes per edge beside the
// caller's edges, and 12 bytes after the caller has released its edges; the weight of an edge, if
// there is one, comes on top of both.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/block_weights.hpp"
#include "graph/csr.hpp"

namespace wayfront {

/// Adds 1 to counts[i] for each i that for_each(range, f) passes to f, over ranges that cover [0,
/// size). If the counts of all threads take less memory than the items, each thread has its own;
/// otherwise threads add atomically.
template <typename ForEach>
void count_places(std::size_t size, std::span<std::uint32_t> counts, ForEach&& for_each)
{
    constexpr std::size_t serial_below = 4096;
    const auto threads = static_cast<std::size_t>(thread_count());
    if (size < serial_below || threads == 1) {
        for_each(IndexRange{0, size}, [counts](std::uint32_t place) { ++counts[place]; });
        return;
    }
    if (threads * counts.size() > size) {
        parallel_ranges(size, serial_below, [&](IndexRange range) {
            for_each(range, [counts](std::uint32_t place) {
                std::atomic_ref<std::uint32_t>(counts[place]).fetch_add(1, std::memory_order_relaxed);
            });
        });
        return;
    }
    HostBuffer<std::uint32_t> of_threads(threads * counts.size());
    parallel_parts(threads, [&](std::size_t part) {
        const std::span<std::uint32_t> own = of_threads.span().subspan(part * counts.size(), counts.size());
        std::ranges::fill(own, 0);
        for_each(part_of(size, part, threads), [own](std::uint32_t place) { ++own[place]; });
    });
    parallel_for(counts.size(), serial_below, [&](std::size_t place) {
        for (std::size_t part = 0; part < threads; ++part) counts[place] += of_threads[part * counts.size() + place];
    });
}

namespace detail {

/// Buckets of consecutive lists, of about 2^16 edges each. The table has one entry per granule of 8
/// lists, so that the table stays in cache.
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

/// Sorts `keys`, whose bits from `bits` on are 0. `scratch` is at least as large as `keys`. Pre:
/// there are at most 2^32 - 1 keys.
void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, unsigned bits);

/// Edges in the order of buckets. Keys are list << 32 | neighbour.
template <typename Word>
struct BucketedEdges
{
    static constexpr bool kWeighted = !std::is_same_v<Word, Unweighted>;

    HostBuffer<std::uint64_t> keys;
    HostBuffer<Word> weights;  // of each key; empty without weights

    explicit BucketedEdges(std::size_t size) : keys(size), weights(kWeighted ? size : 0) {}
    void put(std::size_t position, std::uint32_t list, std::uint32_t neighbour, [[maybe_unused]] Word weight)
    {
        keys[position] = (static_cast<std::uint64_t>(list) << 32) | neighbour;
        if constexpr (kWeighted) weights[position] = weight;
    }
};

}  // namespace detail

/// Lists, and the weights of their entries as ordered words.
template <typename Word>
struct WeightedCsr
{
    Csr csr;
    HostBuffer<Word> weights;  // empty without weights
};

namespace detail {

/// Sorts each bucket, drops duplicates except for the one with the smallest weight, and returns the
/// lists. Word is Unweighted (with ListOrder::neighbours), std::uint32_t or std::uint64_t. Throws
/// ResourceError if a bucket has 2^32 keys or more.
template <typename Word>
WeightedCsr<Word> lists_from_buckets(const ListBuckets& buckets, std::span<const std::size_t> bucket_begins,
                                     BucketedEdges<Word> edges, std::uint32_t lists, ListOrder order);

}  // namespace detail

/// list_counts[i] is the number of edges of list i, including duplicates. for_each_edge(part,
/// parts, f) calls f(list, neighbour, weight) for each edge of one of `parts` parts; both passes
/// see the same edges. Several threads call for_each_edge at the same time, for different parts. release() is
/// called once, after the last call of for_each_edge. The entries of each list have the order
/// `order`.
template <typename Word, typename ForEachEdge, typename Release>
WeightedCsr<Word> build_weighted_csr(std::span<const std::uint32_t> list_counts, ListOrder order,
                                     ForEachEdge&& for_each_edge, Release&& release)
{
    const detail::ListBuckets buckets(list_counts);
    const auto parts = static_cast<std::size_t>(thread_count());
    const auto visit = [&](std::size_t part, auto&& f) {
        for_each_edge(part, parts, [&](std::uint32_t list, std::uint32_t neighbour, Word weight) {
            f(buckets.bucket(list), list, neighbour, weight);
        });
    };
    CountingSort sort(buckets.count());
    sort.count(parts, 0, visit);
    detail::BucketedEdges<Word> edges(sort.size());
    sort.place(visit, [&edges](std::size_t position, std::uint32_t list, std::uint32_t neighbour, Word weight) {
        edges.put(position, list, neighbour, weight);
    });
    release();
    return detail::lists_from_buckets(buckets, sort.begins(), std::move(edges),
                                      static_cast<std::uint32_t>(list_counts.size()), order);
}

/// The same without weights: for_each_edge(part, parts, f) calls f(list, neighbour), and the
/// neighbours of each list are in ascending order.
template <typename ForEachEdge, typename Release>
Csr build_csr(std::span<const std::uint32_t> list_counts, ForEachEdge&& for_each_edge, Release&& release)
{
    const auto unweighted = [&](std::size_t part, std::size_t parts, auto&& f) {
        for_each_edge(part, parts,
                      [&](std::uint32_t list, std::uint32_t neighbour) { f(list, neighbour, Unweighted{}); });
    };
    return build_weighted_csr<Unweighted>(list_counts, ListOrder::neighbours, unweighted,
                                          std::forward<Release>(release))
        .csr;
}

template <typename ForEachEdge>
Csr build_csr(std::span<const std::uint32_t> list_counts, ForEachEdge&& for_each_edge)
{
    return build_csr(list_counts, std::forward<ForEachEdge>(for_each_edge), [] {});
}

}  // namespace wayfront
