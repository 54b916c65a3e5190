// Sets of slots as lists and bitmaps, and the choice of the form in which they are sent.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/bitmap.hpp"
#include "comm/frontier_exchange.hpp"
#include "support/random_numbers.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::comm {
namespace {

using Slots = std::set<std::uint32_t>;

// Slots; from 2^19 on all threads turn bitmaps into lists.
constexpr std::size_t kLarge = std::size_t{1} << 20;

Slots random_slots(std::size_t slots, std::size_t count, std::uint32_t seed)
{
    RandomNumbers random(seed);
    Slots members;
    for (std::size_t i = 0; i < count; ++i) members.insert(random.below(static_cast<std::uint32_t>(slots)));
    if (slots > 0 && count > 0) members.insert(static_cast<std::uint32_t>(slots - 1));
    return members;
}

void put_list(SlotSet& set, const Slots& members)
{
    set.clear();
    for (const std::uint32_t slot : members) set.list[set.count++] = slot;
    std::reverse(set.list.begin(), set.list.begin() + set.count);  // lists may have any order
}

void put_bitmap(SlotSet& set, const Slots& members, std::size_t slots)
{
    set.clear();
    std::fill_n(set.bitmap.data(), word_count(slots), 0);
    for (const std::uint32_t slot : members) set_bit(set.bitmap.data(), slot);
    set.count = members.size();
    set.has_list = false;
    set.has_bitmap = true;
}

Slots list_members(const SlotSet& set)
{
    return {set.members().begin(), set.members().end()};
}

Slots bitmap_members(const SlotSet& set)
{
    Slots members;
    for_each_bit(set.bitmap.data(), 0, set.bitmap.size(),
                 [&](std::size_t i) { members.insert(static_cast<std::uint32_t>(i)); });
    return members;
}

TEST(SlotSet, ClearedItIsTheEmptySetInEitherForm)
{
    SlotSet set(128);
    set.clear();
    EXPECT_TRUE(set.members().empty());
    set.need_bitmap();
    EXPECT_TRUE(bitmap_members(set).empty());
    set.need_list();
    EXPECT_EQ(set.count, 0U);
}

TEST(SlotSet, ListsAndBitmapsHoldTheSame)
{
    for (const int threads : {1, 2, 3})
        for (const std::size_t slots : {std::size_t{64}, std::size_t{640}, kLarge / 2 - 64, kLarge / 2, kLarge})
            for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{40}, slots / 3}) {
                SCOPED_TRACE(testing::Message() << count << " of " << slots << " slots, " << threads << " threads");
                const ThreadGuard guard(threads);
                const Slots members = random_slots(slots, count, 11);
                SlotSet set(slots);

                put_list(set, members);
                set.need_bitmap();
                ASSERT_TRUE(set.has_list && set.has_bitmap);
                EXPECT_EQ(bitmap_members(set), members);
                EXPECT_EQ(list_members(set), members);

                put_bitmap(set, members, slots);
                set.need_list();
                ASSERT_TRUE(set.has_list && set.has_bitmap);
                EXPECT_EQ(set.members().size(), members.size());
                EXPECT_EQ(list_members(set), members);
                EXPECT_EQ(bitmap_members(set), members);
            }
}

TEST(SlotSet, AnotherSetLeavesNoTraceOfTheLast)
{
    SlotSet set(256);
    put_list(set, {1, 100, 255});
    set.need_bitmap();
    put_list(set, {2, 101});
    set.need_bitmap();
    EXPECT_EQ(bitmap_members(set), (Slots{2, 101}));
    put_bitmap(set, {7}, 256);
    set.need_list();
    EXPECT_EQ(list_members(set), (Slots{7}));
    set.clear();
    set.need_bitmap();
    EXPECT_TRUE(bitmap_members(set).empty());
}

TEST(SlotSet, TheWordBehindTheBitmapStaysZero)
{
    SlotSet set(64);
    ASSERT_EQ(set.bitmap.size(), 2U);
    put_list(set, random_slots(64, 400, 1));
    set.need_bitmap();
    EXPECT_EQ(set.bitmap[0], ~std::uint64_t{0});
    EXPECT_EQ(set.bitmap[1], 0U);
}

TEST(TravelsAsList, WhicheverFormIsFewerBytes)
{
    // 4 chunks of 1024 slots: 512 bytes as a bitmap, 4 bytes per vertex as a list.
    EXPECT_TRUE(travels_as_list(ExchangeFormat::automatic, 0, 4, 1024));
    EXPECT_TRUE(travels_as_list(ExchangeFormat::automatic, 127, 4, 1024));
    EXPECT_FALSE(travels_as_list(ExchangeFormat::automatic, 128, 4, 1024));
    EXPECT_FALSE(travels_as_list(ExchangeFormat::automatic, 4096, 4, 1024));
    EXPECT_FALSE(travels_as_list(ExchangeFormat::automatic, std::uint64_t{1} << 33, 16, std::uint64_t{1} << 30));
    EXPECT_TRUE(travels_as_list(ExchangeFormat::list, 4096, 4, 1024));
    EXPECT_FALSE(travels_as_list(ExchangeFormat::bitmap, 0, 4, 1024));
}

TEST(ParseExchangeFormat, NamesWhatItFound)
{
    EXPECT_EQ(parse_exchange_format("auto"), ExchangeFormat::automatic);
    EXPECT_EQ(parse_exchange_format("bitmap"), ExchangeFormat::bitmap);
    EXPECT_EQ(parse_exchange_format("list"), ExchangeFormat::list);
    for (const std::string text : {"", "lists", "Bitmap", "auto,list"}) {
        try {
            parse_exchange_format(text);
            FAIL() << "'" << text << "' was read";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("'" + text + "'"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace wayfront::comm
