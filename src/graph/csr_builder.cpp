#include "graph/csr_builder.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace wayfront::detail {

namespace {
constexpr std::size_t kMaxBuckets = 1 << 14;
// 8 bytes each: half a megabyte, a core's share of the cache.
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

void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, unsigned bits)
{
    constexpr std::size_t small = 48;
    if (keys.size() <= small) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    const unsigned passes = std::max(1U, (bits + kDigitBits - 1) / kDigitBits);
    const unsigned digit_bits = (bits + passes - 1) / passes;
    const std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;
    std::span<std::uint64_t> from = keys;
    std::span<std::uint64_t> to = scratch.first(keys.size());
    for (unsigned pass = 0; pass < passes; ++pass) {
        const unsigned shift = pass * digit_bits;
        std::array<std::uint32_t, (1U << kDigitBits)> next{};
        for (const std::uint64_t key : from) ++next[(key >> shift) & digit_mask];
        std::uint32_t position = 0;
        for (std::uint32_t& start : next) position += std::exchange(start, position);
        for (const std::uint64_t key : from) to[next[(key >> shift) & digit_mask]++] = key;
        std::swap(from, to);
    }
    if (from.data() != keys.data()) std::ranges::copy(from, keys.begin());
}

namespace {

/// Sorts the keys of the lists [first, last). While they are sorted, the list's number within the
/// bucket and the neighbour are packed into as few bits as possible.
void sort_bucket(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, std::uint32_t first, std::uint32_t last)
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

/// Drops the duplicates of sorted keys and writes the neighbours, 4 bytes each, to the front of the
/// same memory. Adds the lengths of the lists to `degrees`.
void compact_bucket(std::span<std::uint64_t> keys, std::uint32_t* degrees)
{
    auto* const neighbours = reinterpret_cast<unsigned char*>(keys.data());
    std::uint64_t previous = ~std::uint64_t{0};
    std::size_t kept = 0;
    for (const std::uint64_t key : keys) {
        if (key == previous) continue;
        previous = key;
        ++degrees[key >> 32];
        const auto neighbour = static_cast<std::uint32_t>(key);
        std::copy_n(reinterpret_cast<const unsigned char*>(&neighbour), sizeof neighbour, neighbours + kept * sizeof neighbour);
        ++kept;
    }
}

}  // namespace

Csr lists_from_buckets(const ListBuckets& buckets, std::span<const std::size_t> bucket_begins, HostBuffer<std::uint64_t> keys, std::uint32_t lists)
{
    HostBuffer<std::uint32_t> degrees(lists, 0);
    const std::size_t count = buckets.count();
    std::size_t largest = 0;
    for (std::size_t bucket = 0; bucket < count; ++bucket) largest = std::max(largest, bucket_begins[bucket + 1] - bucket_begins[bucket]);
    if (largest > std::numeric_limits<std::uint32_t>::max())
        throw ResourceError("over 2^32 edges in a few consecutive rows of a block; use more ranks");

    // The memory is allocated here, since an exception cannot leave a parallel region. Memory that
    // a thread does not touch costs nothing.
    const int threads = thread_count();
    std::vector<HostBuffer<std::uint64_t>> scratch;
    scratch.reserve(static_cast<std::size_t>(threads));
    for (int thread = 0; thread < threads; ++thread) scratch.emplace_back(largest);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < count; ++bucket) {
        const std::span<std::uint64_t> own = keys.span().subspan(bucket_begins[bucket], bucket_begins[bucket + 1] - bucket_begins[bucket]);
        sort_bucket(own, scratch[static_cast<std::size_t>(omp_get_thread_num())].span(), buckets.first_list(bucket), buckets.last_list(bucket));
        compact_bucket(own, degrees.data());
    }
    Csr csr(degrees.span());
    const CsrView view = csr.view();
    std::uint32_t* const neighbours = csr.neighbours().data();
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < count; ++bucket) {
        const std::uint64_t first = view.begin(buckets.first_list(bucket));
        const std::uint64_t last = view.begin(buckets.last_list(bucket));
        std::copy_n(reinterpret_cast<const unsigned char*>(keys.data() + bucket_begins[bucket]), (last - first) * sizeof(std::uint32_t),
                    reinterpret_cast<unsigned char*>(neighbours + first));
    }
    return csr;
}

}  // namespace wayfront::detail
