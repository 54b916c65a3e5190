#include "session/output/row_checkpoint.hpp"

#include <string>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

RowCheckpoint example()
{
    return {"a graph",
            "a job",
            "an algorithm",
            {{0, 2}, {5, 6}},
            -7,
            {1, 2, 3},
            {4},
            {{1, 2.5, 3}, {4, 5, 6}, {7, 8, 9}},
            {12, 13},
            {{10, 11}},
            {{6, 1}, {4, 0}}};
}

TEST(RowCheckpointTest, IsReadAsItWasWritten)
{
    const std::optional<RowCheckpoint> read = decode(encode(example()));
    ASSERT_TRUE(read);
    EXPECT_EQ(encode(*read), encode(example()));
    EXPECT_EQ(read->done_rows(), 3U);
    EXPECT_EQ(read->facts[2].sum, 9);
    EXPECT_EQ(read->algorithm, "an algorithm");
    EXPECT_EQ(read->matrices[0].steps, 6U);
    EXPECT_EQ(read->checksums[1], 13U);
}

TEST(RowCheckpointTest, EveryDamageIsFound)
{
    const std::string good = encode(example());
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string damaged = good;
        damaged[i] = static_cast<char>(damaged[i] ^ 4);
        EXPECT_FALSE(decode(damaged)) << "byte " << i;
        EXPECT_FALSE(decode(good.substr(0, i))) << "cut at " << i;
    }
    EXPECT_FALSE(decode(good + "x"));
}

}  // namespace
}  // namespace wayfront::session
