// Expand and fold in each form, compared with sets that all ranks know.
#include "comm/frontier_exchange.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/bitmap.hpp"
#include "support/random_numbers.hpp"
#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

using FrontierExchange = GridTest;
using Slots = std::set<std::uint32_t>;

constexpr std::uint32_t kStride = 256;
constexpr std::size_t kWords = kStride / 64;

/// The set of rank `rank` among `size` slots. Ranks have sets of different sizes; some are empty.
Slots slots_of(int rank, std::uint32_t size, double share, std::uint64_t seed)
{
    RandomNumbers random(seed + static_cast<std::uint64_t>(rank));
    Slots slots;
    if (rank % 3 == 2) return slots;
    for (std::uint32_t slot = 0; slot < size; ++slot)
        if (random.chance(share)) slots.insert(slot);
    return slots;
}

void put(SlotSet& set, const Slots& slots, bool as_list)
{
    set.clear();
    for (const std::uint32_t slot : slots) set.list[set.count++] = slot;
    if (as_list) return;
    set.need_bitmap();
    set.has_list = false;
    std::ranges::fill(set.list, 0xFFFFFFFFU);  // must not be read
}

const std::vector<double> kShares{0.0, 0.01, 0.1, 1.0};
const std::vector<ExchangeFormat> kFormats{ExchangeFormat::automatic, ExchangeFormat::bitmap, ExchangeFormat::list};

TEST_F(FrontierExchange, ExpandGathersAllSlots)
{
    const Expand expand(world, kStride);
    for (const double share : kShares)
        for (const ExchangeFormat format : kFormats)
            for (const bool from_list : {true, false}) {
                SCOPED_TRACE(testing::Message() << "share " << share << ", format " << static_cast<int>(format)
                                                << (from_list ? ", list" : ", bitmap"));
                Slots wanted;
                std::vector<std::size_t> counts;
                for (int k = 0; k < ranks; ++k) {
                    const Slots slots = slots_of(k, kStride, share, 5);
                    counts.push_back(slots.size());
                    for (const std::uint32_t slot : slots)
                        wanted.insert(static_cast<std::uint32_t>(k) * kStride + slot);
                }
                SlotSet own(kStride);
                SlotSet all(std::size_t{kStride} * static_cast<std::size_t>(ranks));
                put(own, slots_of(rank, kStride, share, 5), from_list);
                expand.run(format, counts, own, all);
                if (ranks > 1 && format != ExchangeFormat::automatic) {
                    EXPECT_EQ(all.has_list, format == ExchangeFormat::list);
                }
                EXPECT_EQ(all.count, wanted.size());
                all.need_list();
                all.need_bitmap();
                EXPECT_EQ(Slots(all.members().begin(), all.members().end()), wanted);
                Slots bits;
                for_each_bit(all.bitmap.data(), 0, all.bitmap.size(),
                             [&](std::size_t i) { bits.insert(static_cast<std::uint32_t>(i)); });
                EXPECT_EQ(bits, wanted);
            }
}

TEST_F(FrontierExchange, ExpandedSetsLeaveNoTrace)
{
    const Expand expand(world, kStride);
    SlotSet own(kStride);
    SlotSet all(std::size_t{kStride} * static_cast<std::size_t>(ranks));
    for (const double share : {1.0, 0.0, 0.1})
        for (const ExchangeFormat format : kFormats) {
            std::vector<std::size_t> counts;
            std::size_t total = 0;
            for (int k = 0; k < ranks; ++k) {
                counts.push_back(slots_of(k, kStride, share, 9).size());
                total += counts.back();
            }
            put(own, slots_of(rank, kStride, share, 9), true);
            expand.run(format, counts, own, all);
            all.need_bitmap();
            std::size_t bits = 0;
            for_each_bit(all.bitmap.data(), 0, all.bitmap.size(), [&](std::size_t) { ++bits; });
            EXPECT_EQ(bits, total);
        }
}

TEST_F(FrontierExchange, FoldBringsEachRowToItsOwner)
{
    const std::uint32_t rows = kStride * static_cast<std::uint32_t>(ranks);
    Fold fold(world, kStride);
    for (const double share : kShares)
        for (const ExchangeFormat format : kFormats)
            for (const bool from_list : {true, false}) {
                SCOPED_TRACE(testing::Message() << "share " << share << ", format " << static_cast<int>(format)
                                                << (from_list ? ", list" : ", bitmap"));
                SlotSet found(rows);
                put(found, slots_of(rank, rows, share, 77), from_list);
                fold.run(format, found);
                if (format != ExchangeFormat::automatic) {
                    EXPECT_EQ(fold.as_lists(), format == ExchangeFormat::list);
                }
                std::size_t position = 0;
                for (std::size_t finder = 0; finder < static_cast<std::size_t>(ranks); ++finder) {
                    Slots wanted;
                    for (const std::uint32_t row : slots_of(static_cast<int>(finder), rows, share, 77))
                        if (row / kStride == static_cast<std::uint32_t>(rank)) wanted.insert(row % kStride);
                    Slots came;
                    if (fold.as_lists()) {
                        const auto count = static_cast<std::size_t>(fold.list_counts()[finder]);
                        EXPECT_EQ(count, wanted.size());
                        for (std::size_t i = 0; i < count; ++i) came.insert(fold.slots()[position++]);
                    } else {
                        for_each_bit(fold.bitmaps().data() + finder * kWords, 0, kWords,
                                     [&](std::size_t i) { came.insert(static_cast<std::uint32_t>(i)); });
                    }
                    EXPECT_EQ(came, wanted) << "from rank " << finder;
                }
                EXPECT_EQ(position, fold.slots().size());
            }
}

}  // namespace
}  // namespace wayfront::comm
