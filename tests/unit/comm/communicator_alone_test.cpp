// A communicator of one process that has not initialised MPI.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "comm/session.hpp"

namespace wayfront::comm {
namespace {

TEST(CommunicatorAlone, CollectiveCallsCopyWithoutMpi)
{
    ASSERT_FALSE(mpi_is_active());
    EXPECT_FALSE(cuda_aware());
    const Communicator alone = Communicator::alone();
    EXPECT_EQ(alone.rank(), 0);
    EXPECT_EQ(alone.size(), 1);
    EXPECT_EQ(alone.split(3, 4).size(), 1);
    EXPECT_EQ(alone.split_by_host().size(), 1);
    alone.barrier();
    EXPECT_EQ(alone.all_reduce(std::int64_t{7}, Reduction::sum), 7);
    EXPECT_EQ(alone.exclusive_sum(7), 0);
    EXPECT_EQ(alone.broadcast("words", 0), "words");
    EXPECT_EQ(alone.all_gather(5), std::vector<int>{5});
    const std::array<std::int64_t, 2> values{1, 2};
    const std::array<std::int64_t, 1> counts{2};
    std::array<std::int64_t, 2> received{};
    alone.all_to_all_v(std::span<const std::int64_t>(values), counts, std::span<std::int64_t>(received), counts);
    EXPECT_EQ(received, values);
    received = {};
    const std::array<std::int64_t, 1> bytes{sizeof(values)};
    alone.exchange_pieces(std::as_bytes(std::span(values)), bytes, std::as_writable_bytes(std::span(received)), bytes);
    EXPECT_EQ(received, values);
    received = {};
    const std::array<std::int64_t, 1> of_first{sizeof(values[0])};
    alone.exchange_parts_of_pieces(std::as_bytes(std::span(values)), of_first,
                                   std::as_writable_bytes(std::span(received)));
    EXPECT_EQ(received, (std::array<std::int64_t, 2>{1, 0}));
    const ProcessGrid grid(alone, {1, 1});
    EXPECT_EQ(grid.row().size(), 1);
    EXPECT_EQ(grid.column().size(), 1);
}

}  // namespace
}  // namespace wayfront::comm
