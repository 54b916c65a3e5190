#include "algo/bfs/slot_exchange.hpp"

#include <algorithm>
#include <vector>

#include "support/graphs.hpp"
#include "support/random_numbers.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

TEST(WordsOfSlots, AreThoseOfTheSmallerForm)
{
    EXPECT_EQ(words_of_slots(0, 64), 0);
    EXPECT_EQ(words_of_slots(1, 64), 1);
    EXPECT_EQ(words_of_slots(2, 64), 2);
    EXPECT_EQ(words_of_slots(64, 64), 2);
    EXPECT_EQ(words_of_slots(31, 1024), 31);
    EXPECT_EQ(words_of_slots(33, 1024), 32);
}

class SlotExchange : public GridTest
{
protected:
    /// The slots that rank `from` sends to rank `to`: all, none, a few or many. All ranks know them.
    static std::vector<std::uint32_t> sent(std::uint64_t seed, int from, int to, std::uint32_t slot_stride)
    {
        RandomNumbers random(seed * 10007 + static_cast<std::uint64_t>(from) * 101 + static_cast<std::uint64_t>(to));
        const std::uint32_t chances = random.below(5);
        std::vector<std::uint32_t> slots;
        for (std::uint32_t slot = 0; slot < slot_stride; ++slot)
            if (chances == 4 || (chances > 0 && random.below(64) < (chances == 1 ? 1 : 20 * chances)))
                slots.push_back(slot);
        return slots;
    }

    void check(std::uint64_t seed, std::uint32_t slot_stride)
    {
        std::vector<std::uint32_t> slots;
        std::vector<std::uint32_t> expected;
        std::vector<std::int64_t> counts;
        std::vector<std::int64_t> received_counts;
        for (int other = 0; other < ranks; ++other) {
            const std::vector<std::uint32_t> to = sent(seed, rank, other, slot_stride);
            slots.insert(slots.end(), to.begin(), to.end());
            counts.push_back(static_cast<std::int64_t>(to.size()));
            const std::vector<std::uint32_t> from = sent(seed, other, rank, slot_stride);
            expected.insert(expected.end(), from.begin(), from.end());
            received_counts.push_back(static_cast<std::int64_t>(from.size()));
        }
        const HostBuffer<std::uint32_t> received = exchange_slots(world, slot_stride, slots, counts, received_counts);
        EXPECT_TRUE(std::ranges::equal(received, expected)) << "seed " << seed << ", " << slot_stride << " slots";
    }
};

TEST_F(SlotExchange, ReturnsWhatWasSent)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) check(seed, 64 * static_cast<std::uint32_t>(1 + seed % 9));
    const ThreadGuard guard(2);
    for (std::uint64_t seed = 50; seed < 56; ++seed) check(seed, 1 << 20);
}

}  // namespace
}  // namespace wayfront::algo
