// Sorted lists without duplicates, made of edges, compared with a std::map of std::sets.
#include "graph/csr_builder.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_numbers.hpp"
#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // list, neighbour

constexpr std::uint32_t kGroup = 1U << kOffsetGroupBits;

void check_lists(std::uint32_t lists, const Pairs& edges)
{
    std::map<std::uint32_t, std::set<std::uint32_t>> expected;
    std::vector<std::uint32_t> counts(lists, 0);
    for (const auto& [list, neighbour] : edges) {
        expected[list].insert(neighbour);
        ++counts[list];
    }
    for (const int threads : {1, 2, 3, 5}) {
        SCOPED_TRACE(testing::Message() << lists << " lists, " << edges.size() << " edges, " << threads << " threads");
        const ThreadGuard guard(threads);
        const Csr csr =
            build_csr(std::span<const std::uint32_t>(counts), [&](std::size_t part, std::size_t parts, auto&& f) {
                const IndexRange range = part_of(edges.size(), part, parts);
                for (std::size_t i = range.first; i < range.last; ++i) f(edges[i].first, edges[i].second);
            });
        ASSERT_EQ(csr.lists(), lists);
        const CsrView view = csr.view();
        std::size_t total = 0;
        for (std::uint32_t list = 0; list < lists; ++list) {
            const std::vector<std::uint32_t> found(view.neighbours + view.begin(list),
                                                   view.neighbours + view.end(list));
            const auto entry = expected.find(list);
            const std::vector<std::uint32_t> wanted =
                entry == expected.end() ? std::vector<std::uint32_t>()
                                        : std::vector<std::uint32_t>(entry->second.begin(), entry->second.end());
            ASSERT_EQ(found, wanted) << "list " << list;
            total += wanted.size();
        }
        EXPECT_EQ(csr.edges(), total);
    }
}

Pairs random_edges(std::size_t count, std::uint32_t lists, std::uint32_t neighbours, std::uint32_t seed)
{
    RandomNumbers random(seed);
    Pairs edges(count);
    for (auto& [list, neighbour] : edges) {
        list = random.below(lists);
        neighbour = random.below(neighbours);
    }
    return edges;
}

TEST(CsrBuilder, NoListsAndNoEdges)
{
    check_lists(0, {});
    check_lists(1, {});
    check_lists(3 * kGroup, {});
}

TEST(CsrBuilder, OneList)
{
    check_lists(1, {{0, 0}});
    check_lists(1, {{0, 5}, {0, 3}, {0, 5}, {0, 4}});
    check_lists(1, random_edges(200000, 1, 50000, 2));
}

TEST(CsrBuilder, RandomEdgesWithDuplicates)
{
    check_lists(1000, random_edges(20000, 1000, 100, 3));
    check_lists(2 * kGroup + 1, random_edges(30000, 2 * kGroup + 1, 5000, 4));
}

TEST(CsrBuilder, ManyBuckets)
{
    check_lists(50000, random_edges(700000, 50000, 50000, 5));
}

TEST(CsrBuilder, SkewedDegrees)
{
    RandomNumbers random(6);
    Pairs edges;
    for (int i = 0; i < 300000; ++i) {
        const std::uint32_t square = random.below(3000) * random.below(3000) / 3000;
        edges.emplace_back(square, random.below(3000));
    }
    check_lists(3000, edges);
}

TEST(CsrBuilder, AHubLargerThanABucketBetweenEmptyLists)
{
    Pairs edges = random_edges(150000, 1, 1U << 31, 7);
    for (auto& edge : edges) edge.first = kGroup;
    edges.emplace_back(2 * kGroup - 1, 1);
    edges.emplace_back(0, 9);
    check_lists(2 * kGroup, edges);
}

TEST(CsrBuilder, TheSameEdgeOverAndOver)
{
    check_lists(kGroup, Pairs(100000, {kGroup - 1, 12345}));
    check_lists(20, Pairs(40, {19, 0}));
}

TEST(CsrBuilder, NeighboursOfAllThirtyTwoBits)
{
    Pairs edges;
    for (std::uint32_t i = 0; i < 5000; ++i) edges.emplace_back(i % 7, 0xFFFFFFFFU - (i * 2654435761U) % 40000U);
    edges.emplace_back(3, 0);
    edges.emplace_back(6, 0xFFFFFFFFU);
    edges.emplace_back(0, 0xFFFFFFFFU);
    check_lists(7, edges);
}

TEST(CsrBuilder, DescendingInput)
{
    Pairs edges;
    for (std::uint32_t list = 2000; list-- > 0;)
        for (std::uint32_t neighbour = 100; neighbour-- > 0;) edges.emplace_back(list, neighbour * 3);
    check_lists(2000, edges);
}

TEST(CsrBuilder, SizesRoundTheChangeOfSortingMethod)
{
    for (const std::size_t count : {47U, 48U, 49U, 50U})
        check_lists(5, random_edges(count, 5, 1000, static_cast<std::uint32_t>(count)));
}

TEST(CsrBuilder, EdgesMayGoOnceTheyAreRead)
{
    const ThreadGuard guard(2);
    const std::vector<std::uint32_t> counts{1, 2, 1};
    Pairs edges{{1, 5}, {0, 2}, {2, 2}, {1, 4}};
    int releases = 0;
    const auto for_each_edge = [&](std::size_t part, std::size_t parts, auto&& f) {
        EXPECT_EQ(releases, 0);
        const IndexRange range = part_of(edges.size(), part, parts);
        for (std::size_t i = range.first; i < range.last; ++i) f(edges[i].first, edges[i].second);
    };
    const Csr csr = build_csr(std::span<const std::uint32_t>(counts), for_each_edge, [&] {
        ++releases;
        edges = {};
    });
    EXPECT_EQ(releases, 1);
    EXPECT_EQ(std::vector<std::uint32_t>(csr.neighbours().begin(), csr.neighbours().end()),
              (std::vector<std::uint32_t>{2, 4, 5, 2}));
}

TEST(RadixSort, SortsKeysOfAnyWidth)
{
    RandomNumbers random(8);
    for (const unsigned bits : {0U, 1U, 10U, 11U, 12U, 22U, 23U, 32U, 33U, 44U, 55U, 63U, 64U})
        for (const std::size_t size : {0U, 1U, 47U, 48U, 49U, 100U, 5000U, 70000U}) {
            std::vector<std::uint64_t> keys(size);
            for (std::uint64_t& key : keys)
                key = bits == 64 ? random.next() : random.next() & ((std::uint64_t{1} << bits) - 1);
            std::vector<std::uint64_t> wanted = keys;
            std::sort(wanted.begin(), wanted.end());
            std::vector<std::uint64_t> scratch(size + 3);
            detail::radix_sort(keys, scratch, bits);
            EXPECT_EQ(keys, wanted) << size << " keys of " << bits << " bits";
        }
}

TEST(ListBuckets, EachListLiesInOneBucketAndBucketsAreOfBoundedSize)
{
    RandomNumbers random(9);
    for (const std::uint32_t lists : {0U, 1U, 7U, 8U, 9U, 1000U, 100003U})
        for (const std::uint32_t most : {0U, 1U, 40U, 3000U}) {
            std::vector<std::uint32_t> counts(lists);
            std::uint64_t edges = 0;
            for (std::uint32_t& count : counts) edges += count = random.below(most + 1);
            const detail::ListBuckets buckets{std::span<const std::uint32_t>(counts)};
            SCOPED_TRACE(testing::Message() << lists << " lists of up to " << most);
            ASSERT_GE(buckets.count(), 1U);
            EXPECT_LE(buckets.count(), 2 * edges / (1 << 16) + 1);
            EXPECT_EQ(buckets.first_list(0), 0U);
            EXPECT_EQ(buckets.last_list(buckets.count() - 1), lists);
            for (std::size_t bucket = 0; bucket < buckets.count(); ++bucket) {
                EXPECT_EQ(buckets.first_list(bucket), bucket == 0 ? 0 : buckets.last_list(bucket - 1));
                std::uint64_t size = 0;
                for (std::uint32_t list = buckets.first_list(bucket); list < buckets.last_list(bucket); ++list) {
                    ASSERT_EQ(buckets.bucket(list), bucket) << "list " << list;
                    size += counts[list];
                }
                EXPECT_LE(size, std::max<std::uint64_t>(1 << 16, std::uint64_t{8} * most));
            }
        }
}

}  // namespace
}  // namespace wayfront
