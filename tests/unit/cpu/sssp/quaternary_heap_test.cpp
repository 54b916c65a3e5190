#include "cpu/sssp/quaternary_heap.hpp"

#include <cstdint>
#include <queue>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_numbers.hpp"

namespace wayfront::cpu {
namespace {

TEST(QuaternaryHeap, GivesItsEntriesInAscendingOrder)
{
    RandomNumbers random(3);
    QuaternaryHeap<std::uint64_t> heap;
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> expected;
    for (int i = 0; i < 20000; ++i) {
        // The heap grows first and shrinks later, over and over, down to nothing.
        if (expected.empty() || random.chance(i / 100 % 2 == 0 ? 0.7 : 0.25)) {
            const std::uint64_t entry = random.below(1000);  // with duplicates
            heap.push(entry);
            expected.push(entry);
        } else {
            ASSERT_EQ(heap.pop(), expected.top()) << "step " << i;
            expected.pop();
        }
        ASSERT_EQ(heap.empty(), expected.empty());
    }
    heap.clear();
    EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace wayfront::cpu
