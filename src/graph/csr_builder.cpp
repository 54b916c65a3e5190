#include "graph/csr_builder.hpp"

#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::detail {

namespace {
constexpr std::size_t kMaxBuckets = 1 << 14;
// At 8 bytes each, half a megabyte: a core's share of the cache.
constexpr std::size_t kBucketEdges = 1 << 16;
constexpr unsigned kDigitBits = 11;
}  // namespace

ListBuckets::ListBuckets(std::span<const std::uint32_t> list_counts)
{
    const auto lists = static_cast<std::uint32_t>(list_counts.size());
    std::uint64_t edges = 0;
    for (const std::uint32_t count : list_counts) edges += count;
    const std::uint64_t target = std::max<std::uint64_t>(kBucketEdges, 2 * edges / kMaxBuckets);

    const std::uint32_t granules = (lists + (1U << kGranuleBits) - 1) >> kGranuleBits;
    bucket_of_granule_ = HostBuffer<std::uint16_t>(granules);
    first_list_.push_back(0);
    std::uint64_t in_bucket = 0;
    for (std::uint32_t granule = 0; granule < granules; ++granule) {
        const std::uint32_t first = granule << kGranuleBits;
        const std::uint32_t last = std::min(lists, (granule + 1) << kGranuleBits);
        std::uint64_t in_granule = 0;
        for (std::uint32_t list = first; list < last; ++list) in_granule += list_counts[list];
        if (in_bucket > 0 && in_bucket + in_granule > target) {
            first_list_.push_back(first);
            in_bucket = 0;
        }
        in_bucket += in_granule;
        bucket_of_granule_[granule] = static_cast<std::uint16_t>(first_list_.size() - 1);
    }
    first_list_.push_back(lists);
}

namespace {

/// Sorts items by digits(item), whose bits from `bits` on are 0, and keeps the order of equal
/// items.
template <typename Item, typename Digits>
void radix_sort_by(std::span<Item> items, std::span<Item> scratch, unsigned bits, Digits&& digits)
{
    constexpr std::size_t small = 48;
    if (items.size() <= small) {
        std::stable_sort(items.begin(), items.end(),
                         [&](const Item& a, const Item& b) { return digits(a) < digits(b); });
        return;
    }
    const unsigned passes = std::max(1U, (bits + kDigitBits - 1) / kDigitBits);
    const unsigned digit_bits = (bits + passes - 1) / passes;
    const std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;
    std::span<Item> from = items;
    std::span<Item> to = scratch.first(items.size());
    for (unsigned pass = 0; pass < passes; ++pass) {
        const unsigned shift = pass * digit_bits;
        std::array<std::uint32_t, (1U << kDigitBits)> next{};
        for (const Item& item : from) ++next[(digits(item) >> shift) & digit_mask];
        std::uint32_t position = 0;
        for (std::uint32_t& start : next) position += std::exchange(start, position);
        for (const Item& item : from) to[next[(digits(item) >> shift) & digit_mask]++] = item;
        std::swap(from, to);
    }
    if (from.data() != items.data()) std::ranges::copy(from, items.begin());
}

}  // namespace

void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, unsigned bits)
{
    radix_sort_by(keys, scratch, bits, [](std::uint64_t key) { return key; });
}

namespace {

/// Sorts the keys of the lists [first, last). While they are sorted, the list's number within the
/// bucket and the neighbour are packed into as few bits as possible.
void sort_bucket(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, std::uint32_t first,
                 std::uint32_t last)
{
    std::uint32_t widest = 1;
    for (const std::uint64_t key : keys) widest |= static_cast<std::uint32_t>(key);
    const auto neighbour_bits = static_cast<unsigned>(std::bit_width(widest));
    const auto list_bits = static_cast<unsigned>(std::bit_width(last - first));
    for (std::uint64_t& key : keys) key = (((key >> 32) - first) << neighbour_bits) | (key & 0xFFFFFFFFU);
    radix_sort(keys, scratch, neighbour_bits + list_bits);
    const std::uint64_t neighbour_mask = (std::uint64_t{1} << neighbour_bits) - 1;
    for (std::uint64_t& key : keys) key = (((key >> neighbour_bits) + first) << 32) | (key & neighbour_mask);
}

/// Writes the neighbours of a bucket, 4 bytes each, into the memory of its keys.
class NeighbourWriter
{
public:
    explicit NeighbourWriter(std::span<std::uint64_t> keys) : to_(reinterpret_cast<unsigned char*>(keys.data())) {}

    void add(std::uint32_t neighbour)
    {
        std::copy_n(reinterpret_cast<const unsigned char*>(&neighbour), sizeof neighbour, to_);
        to_ += sizeof neighbour;
    }

private:
    unsigned char* to_;
};

/// The lists [first, last).
struct ListRange
{
    std::uint32_t first;
    std::uint32_t last;
};

/// A thread's memory for sorting a bucket of up to `most` keys without weights.
template <typename Word>
class BucketSorter
{
public:
    explicit BucketSorter(std::size_t most) : scratch_(most) {}

    /// Sorts the bucket of these lists and drops duplicates. Afterwards the neighbours
    /// are at the front of the keys' memory. Adds the lengths of the lists to `degrees`.
    void sort(std::span<std::uint64_t> keys, std::span<Unweighted> /*weights*/, ListRange lists, ListOrder /*order*/,
              std::span<std::uint32_t> degrees)
    {
        sort_bucket(keys, scratch_.span(), lists.first, lists.last);
        NeighbourWriter neighbours(keys);
        std::uint64_t previous = ~std::uint64_t{0};
        for (const std::uint64_t key : keys) {
            if (key == previous) continue;
            previous = key;
            ++degrees[key >> 32];
            neighbours.add(static_cast<std::uint32_t>(key));
        }
    }

private:
    HostBuffer<std::uint64_t> scratch_;
};

/// The same with weights, which are at the front of the weights' memory afterwards.
template <typename Word>
requires(!std::is_same_v<Word, Unweighted>) class BucketSorter<Word>
{
    struct Item
    {
        std::uint32_t list;  // within the bucket
        std::uint32_t neighbour;
        Word weight;
    };

public:
    explicit BucketSorter(std::size_t most) : items_(most), scratch_(most) {}

    void sort(std::span<std::uint64_t> keys, std::span<Word> weights, ListRange lists, ListOrder order,
              std::span<std::uint32_t> degrees)
    {
        const auto [first, last] = lists;
        std::span<Item> items = items_.span().first(keys.size());
        std::uint32_t widest = 1;
        Word heaviest = 1;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            items[i] = {static_cast<std::uint32_t>(keys[i] >> 32) - first, static_cast<std::uint32_t>(keys[i]),
                        weights[i]};
            widest |= items[i].neighbour;
            heaviest |= weights[i];
        }
        const auto list_bits = static_cast<unsigned>(std::bit_width(last - first));
        const auto by_list = [](const Item& item) { return item.list; };
        radix_sort_by(items, scratch_.span(), static_cast<unsigned>(std::bit_width(widest)),
                      [](const Item& item) { return item.neighbour; });
        radix_sort_by(items, scratch_.span(), list_bits, by_list);
        items = items.first(drop_duplicates(items));
        if (order == ListOrder::weights) {
            radix_sort_by(items, scratch_.span(), static_cast<unsigned>(std::bit_width(heaviest)),
                          [](const Item& item) { return item.weight; });
            radix_sort_by(items, scratch_.span(), list_bits, by_list);
        }
        NeighbourWriter neighbours(keys);
        for (std::size_t i = 0; i < items.size(); ++i) {
            ++degrees[first + items[i].list];
            neighbours.add(items[i].neighbour);
            weights[i] = items[i].weight;
        }
    }

private:
    /// Returns the number of items that remain, each with the smallest weight of its duplicates.
    static std::size_t drop_duplicates(std::span<Item> items)
    {
        std::size_t kept = 0;
        for (const Item& item : items) {
            if (kept > 0 && items[kept - 1].list == item.list && items[kept - 1].neighbour == item.neighbour)
                items[kept - 1].weight = std::min(items[kept - 1].weight, item.weight);
            else
                items[kept++] = item;
        }
        return kept;
    }

    HostBuffer<Item> items_;
    HostBuffer<Item> scratch_;
};

}  // namespace

template <typename Word>
WeightedCsr<Word> lists_from_buckets(const ListBuckets& buckets, std::span<const std::size_t> bucket_begins,
                                     BucketedEdges<Word> edges, std::uint32_t lists, ListOrder order)
{
    HostBuffer<std::uint32_t> degrees(lists, 0);
    const std::size_t count = buckets.count();
    std::size_t largest = 0;
    for (std::size_t bucket = 0; bucket < count; ++bucket)
        largest = std::max(largest, bucket_begins[bucket + 1] - bucket_begins[bucket]);
    if (largest > std::numeric_limits<std::uint32_t>::max())
        throw ResourceError("over 2^32 edges in a few consecutive rows of a block; use more ranks");

    // Memory that a thread does not touch costs nothing.
    const int threads = thread_count();
    std::vector<BucketSorter<Word>> sorters;
    sorters.reserve(static_cast<std::size_t>(threads));
    for (int thread = 0; thread < threads; ++thread) sorters.emplace_back(largest);
    const auto weights_of = [&](std::size_t first, std::size_t size) {
        return BucketedEdges<Word>::kWeighted ? edges.weights.span().subspan(first, size) : std::span<Word>();
    };
    const auto sort = [&](std::size_t bucket) {
        const std::size_t first = bucket_begins[bucket];
        const std::size_t size = bucket_begins[bucket + 1] - first;
        sorters[static_cast<std::size_t>(omp_get_thread_num())].sort(
            edges.keys.span().subspan(first, size), weights_of(first, size),
            {buckets.first_list(bucket), buckets.last_list(bucket)}, order, degrees.span());
    };
    parallel_items(count, sort, 1, threads);
    sorters.clear();
    WeightedCsr<Word> made{Csr(degrees.span()), {}};
    if constexpr (BucketedEdges<Word>::kWeighted) made.weights = HostBuffer<Word>(made.csr.edges());
    const CsrView view = made.csr.view();
    std::uint32_t* const neighbours = made.csr.neighbours().data();
    parallel_items(count, [&](std::size_t bucket) {
        const std::uint64_t first = view.begin(buckets.first_list(bucket));
        const std::uint64_t last = view.begin(buckets.last_list(bucket));
        std::copy_n(reinterpret_cast<const unsigned char*>(edges.keys.data() + bucket_begins[bucket]),
                    (last - first) * sizeof(std::uint32_t), reinterpret_cast<unsigned char*>(neighbours + first));
        if constexpr (BucketedEdges<Word>::kWeighted)
            std::copy_n(edges.weights.data() + bucket_begins[bucket], last - first, made.weights.data() + first);
    });
    return made;
}

template WeightedCsr<Unweighted> lists_from_buckets(const ListBuckets&, std::span<const std::size_t>,
                                                    BucketedEdges<Unweighted>, std::uint32_t, ListOrder);
template WeightedCsr<std::uint32_t> lists_from_buckets(const ListBuckets&, std::span<const std::size_t>,
                                                       BucketedEdges<std::uint32_t>, std::uint32_t, ListOrder);
template WeightedCsr<std::uint64_t> lists_from_buckets(const ListBuckets&, std::span<const std::size_t>,
                                                       BucketedEdges<std::uint64_t>, std::uint32_t, ListOrder);

}  // namespace wayfront::detail
