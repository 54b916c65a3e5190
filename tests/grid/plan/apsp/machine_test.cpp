// The agreement of ranks that have different machines before they choose how to compute all pairs.
#include "plan/apsp/machine.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"

namespace wayfront::plan {
namespace {

ApspMachine machine_of(int rank)
{
    return {.threads = 2.0 + rank, .threads_of_rank = 2 + rank, .bytes = 1000.0 - rank, .wide_vectors = true};
}

TEST(ApspMachineTest, IsTheSameOnAllRanks)
{
    const comm::Communicator world = comm::Communicator::world();
    const int ranks = world.size();
    const ApspMachine common = common_machine(world, machine_of(world.rank()));
    EXPECT_EQ(common.threads, 2.0 * ranks + ranks * (ranks - 1) / 2.0);
    EXPECT_EQ(common.threads_of_rank, 1 + ranks);
    EXPECT_EQ(common.bytes, std::optional(1001.0 - ranks));
    EXPECT_TRUE(common.wide_vectors);
}

TEST(ApspMachineTest, OneRankHasLess)
{
    const comm::Communicator world = comm::Communicator::world();
    const bool last = world.rank() == world.size() - 1;
    ApspMachine own = machine_of(world.rank());
    if (last) own.wide_vectors = false;
    EXPECT_FALSE(common_machine(world, own).wide_vectors);
    if (last) own.bytes.reset();
    EXPECT_EQ(common_machine(world, own).bytes, std::nullopt);
}

}  // namespace
}  // namespace wayfront::plan
