#include "base/counting_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

using Item = std::pair<std::size_t, std::size_t>;  // bucket, number

std::vector<Item> made_items(std::size_t items, std::size_t buckets)
{
    std::vector<Item> made;
    std::uint64_t state = 12345;
    for (std::size_t i = 0; i < items; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        made.emplace_back((state >> 33) % buckets, i);
    }
    return made;
}

TEST(CountingSort, SortsStablyInAnyNumberOfParts)
{
    for (const std::size_t buckets : {1U, 2U, 7U, 8U, 9U, 1000U}) {
        for (const std::size_t parts : {1U, 2U, 5U}) {
            CountingSort sort(buckets, parts);
            // One object sorts several times, in one part below 100 items.
            for (const std::size_t items : {0U, 1U, 3U, 100U, 5000U}) {
                SCOPED_TRACE(testing::Message() << items << " items, " << buckets << " buckets, " << parts << " parts");
                const std::vector<Item> unsorted = made_items(items, buckets);
                const auto visit = [&](std::size_t i, auto&& f) { f(unsorted[i].first, unsorted[i].second); };
                std::vector<Item> wanted = unsorted;
                std::ranges::stable_sort(wanted, {}, &Item::first);

                sort.count(items, 100, visit);
                ASSERT_EQ(sort.size(), items);
                std::vector<std::size_t> sorted(items);
                sort.place(visit, [&](std::size_t position, std::size_t number) { sorted[position] = number; });
                for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(sorted[i], wanted[i].second);

                ASSERT_EQ(sort.counts().size(), buckets);
                ASSERT_EQ(sort.begins().size(), buckets + 1);
                for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
                    EXPECT_EQ(sort.counts()[bucket], std::ranges::count(wanted, bucket, &Item::first));
                    EXPECT_EQ(sort.begins()[bucket],
                              std::ranges::lower_bound(wanted, bucket, {}, &Item::first) - wanted.begin());
                }
                EXPECT_EQ(sort.begins().back(), items);
            }
        }
    }
}

TEST(CountingSort, AnIndexMayStandForNoItemOrForSeveral)
{
    CountingSort sort(2, 3);
    const auto visit = [](std::size_t i, auto&& f) {
        for (std::size_t copy = 0; copy < i % 3; ++copy) f(copy, i);
    };
    sort.count(9, 0, visit);
    std::vector<std::size_t> sorted(sort.size());
    sort.place(visit, [&](std::size_t position, std::size_t i) { sorted[position] = i; });
    EXPECT_EQ(sorted, (std::vector<std::size_t>{1, 2, 4, 5, 7, 8, 2, 5, 8}));
}

}  // namespace
}  // namespace wayfront
