#include "algo/bfs/slot_exchange.hpp"

#include <vector>

#include "support/graphs.hpp"
#include "support/random_numbers.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

TEST(WordsOfSlots, AreThoseOfTheSmallerForm)
{
    const auto words = [](std::int64_t count, std::uint32_t slot_stride) {
        return SlotForm{slot_stride, true}.words(count);
    };
    EXPECT_EQ(words(0, 64), 0);
    EXPECT_EQ(words(1, 64), 1);
    EXPECT_EQ(words(2, 64), 2);
    EXPECT_EQ(words(64, 64), 2);
    EXPECT_EQ(words(31, 1024), 31);
    EXPECT_EQ(words(33, 1024), 32);
    EXPECT_EQ((SlotForm{64, false}.words(64)), 64);
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

    void check(std::uint64_t seed, SlotForm form)
    {
        std::vector<std::uint32_t> slots;
        std::vector<std::uint32_t> expected;
        std::vector<std::int64_t> counts;
        std::vector<std::int64_t> received_counts;
        for (int other = 0; other < ranks; ++other) {
            const std::vector<std::uint32_t> to = sent(seed, rank, other, form.slot_stride);
            slots.insert(slots.end(), to.begin(), to.end());
            counts.push_back(static_cast<std::int64_t>(to.size()));
            const std::vector<std::uint32_t> from = sent(seed, other, rank, form.slot_stride);
            expected.insert(expected.end(), from.begin(), from.end());
            received_counts.push_back(static_cast<std::int64_t>(from.size()));
        }
        const ReceivedSlots sets = exchange_slots(world, form, slots, counts, received_counts);
        std::vector<std::uint32_t> received(expected.size());
        std::size_t first = 0;
        for (std::size_t other = 0; other < received_counts.size(); ++other) {
            ASSERT_EQ(sets.count(other), static_cast<std::size_t>(received_counts[other]));
            sets.for_each(other, [&](std::size_t i, std::uint32_t slot) { received[first + i] = slot; });
            first += sets.count(other);
        }
        EXPECT_EQ(received, expected) << "seed " << seed << ", " << form.slot_stride << " slots";
    }
};

TEST_F(SlotExchange, ReturnsWhatWasSent)
{
    for (const bool between_hosts : {true, false}) {
        for (std::uint64_t seed = 0; seed < 50; ++seed)
            check(seed, {64 * static_cast<std::uint32_t>(1 + seed % 9), between_hosts});
        const ThreadGuard guard(2);
        for (std::uint64_t seed = 50; seed < 54; ++seed) check(seed, {1 << 20, between_hosts});
    }
}

}  // namespace
}  // namespace wayfront::algo
