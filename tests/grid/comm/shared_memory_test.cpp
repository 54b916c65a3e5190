#include "comm/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

using SharedMemoryTest = GridTest;

std::span<std::uint64_t> words_of(const SharedMemory& memory)
{
    return {reinterpret_cast<std::uint64_t*>(memory.bytes().data()), memory.bytes().size() / sizeof(std::uint64_t)};
}

TEST_F(SharedMemoryTest, AllRanksReadWhatEachWrites)
{
    constexpr std::size_t words = 100000;  // a rank writes several pages
    const SharedMemory memory = SharedMemory::among(world, words * sizeof(std::uint64_t));
    ASSERT_EQ(memory.bytes().size(), words * sizeof(std::uint64_t));
    EXPECT_TRUE(std::ranges::all_of(words_of(memory), [](std::uint64_t word) { return word == 0; }));
    world.barrier();
    const auto stride = static_cast<std::size_t>(ranks);
    for (std::size_t i = static_cast<std::size_t>(rank); i < words; i += stride) words_of(memory)[i] = i * i + 1;
    world.barrier();
    for (std::size_t i = 0; i < words; ++i) ASSERT_EQ(words_of(memory)[i], i * i + 1);
}

TEST_F(SharedMemoryTest, AtomicOperationsOfAllRanksCount)
{
    const SharedMemory memory = SharedMemory::among(world, sizeof(std::uint64_t));
    ASSERT_FALSE(memory.empty());
    constexpr std::uint64_t times = 10000;
    for (std::uint64_t i = 0; i < times; ++i) std::atomic_ref(words_of(memory)[0]).fetch_add(1);
    world.barrier();
    EXPECT_EQ(words_of(memory)[0], times * static_cast<std::uint64_t>(ranks));
}

TEST_F(SharedMemoryTest, TheMemoryRemainsUntilTheLastRankHasEnded)
{
    SharedMemory memory = SharedMemory::among(world, 8192);
    ASSERT_FALSE(memory.empty());
    if (rank == 0) words_of(memory)[7] = 42;
    world.barrier();
    if (rank == 0) memory = SharedMemory();
    world.barrier();
    if (rank == 0)
        EXPECT_TRUE(memory.empty());
    else
        EXPECT_EQ(words_of(memory)[7], 42U);
    SharedMemory moved = std::move(memory);
    EXPECT_EQ(moved.empty(), rank == 0);
}

TEST_F(SharedMemoryTest, EachGroupOfRanksHasItsOwn)
{
    for (const GridShape shape : shapes_of(ranks)) {
        const ProcessGrid grid(world, shape);
        const SharedMemory memory = SharedMemory::among(grid.column(), sizeof(std::uint64_t));
        ASSERT_FALSE(memory.empty());
        std::atomic_ref(words_of(memory)[0]).fetch_add(static_cast<std::uint64_t>(grid.column_index()) + 1);
        world.barrier();
        EXPECT_EQ(words_of(memory)[0], static_cast<std::uint64_t>(shape.rows * (grid.column_index() + 1)));
    }
}

TEST_F(SharedMemoryTest, NoBytesAreNoMemory)
{
    EXPECT_TRUE(SharedMemory::among(world, 0).empty());
    EXPECT_TRUE(SharedMemory().empty());
}

}  // namespace
}  // namespace wayfront::comm
