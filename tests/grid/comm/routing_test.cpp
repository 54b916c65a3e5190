#include "comm/routing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

class RoutingTest : public GridTest
{
};

TEST_F(RoutingTest, ItemsReachTheirRankInOrderAndAnswersComeBack)
{
    for (const std::size_t items : {std::size_t{0}, std::size_t{5}, 2 * kSerialBelowItems}) {
        SCOPED_TRACE(testing::Message() << items << " items");
        // -1: to no rank.
        const auto goes_to = [this](std::size_t i) {
            return static_cast<int>(i * i % static_cast<std::size_t>(ranks + 1)) - 1;
        };
        const Routing routing(items, ranks, goes_to);
        std::vector<std::int64_t> from;
        const HostBuffer<std::uint64_t> received = routing.send<std::uint64_t>(
            world, from, [this](std::size_t i) { return static_cast<std::uint64_t>(rank) << 32 | i; });

        ASSERT_EQ(from.size(), static_cast<std::size_t>(ranks));
        std::vector<std::uint64_t> wanted;
        for (std::size_t sender = 0; sender < static_cast<std::size_t>(ranks); ++sender) {
            const std::size_t before = wanted.size();
            for (std::size_t i = 0; i < items; ++i)
                if (goes_to(i) == rank) wanted.push_back(sender << 32 | i);
            EXPECT_EQ(from[sender], static_cast<std::int64_t>(wanted.size() - before));
        }
        EXPECT_EQ(std::vector<std::uint64_t>(received.begin(), received.end()), wanted);

        HostBuffer<std::uint64_t> answers(received.size());
        for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = 3 * received[i];
        const HostBuffer<std::uint64_t> answered = routing.reply(world, from, answers);
        for (std::size_t i = 0; i < items; ++i) {
            if (goes_to(i) < 0) continue;
            EXPECT_EQ(answered[routing.position(i)], 3 * (static_cast<std::uint64_t>(rank) << 32 | i));
        }
    }
}

}  // namespace
}  // namespace wayfront::comm
