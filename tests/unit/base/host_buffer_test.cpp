#include "base/host_buffer.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront {
namespace {

static_assert(!std::is_copy_constructible_v<HostBuffer<int>> && !std::is_copy_assignable_v<HostBuffer<int>>);
static_assert(std::is_nothrow_move_constructible_v<HostBuffer<int>> &&
              std::is_nothrow_move_assignable_v<HostBuffer<int>>);

bool is_aligned(const void* memory, std::uintptr_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
}

TEST(HostBuffer, IsEmptyAtFirst)
{
    const HostBuffer<double> buffer;
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_TRUE(buffer.empty());
    EXPECT_EQ(buffer.begin(), buffer.end());
    EXPECT_TRUE(HostBuffer<double>(0).empty());
}

TEST(HostBuffer, HoldsWhatIsWritten)
{
    for (const std::size_t size : {1U, 15U, 16U, 1000U, 1U << 20, (1U << 20) + 1}) {
        HostBuffer<std::uint32_t> buffer(size);
        ASSERT_EQ(buffer.size(), size);
        EXPECT_TRUE(is_aligned(buffer.data(), 64));
        for (std::size_t i = 0; i < size; ++i) buffer[i] = static_cast<std::uint32_t>(i * 7);
        for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(std::as_const(buffer)[i], static_cast<std::uint32_t>(i * 7));
        EXPECT_EQ(buffer.span().size(), size);
        EXPECT_EQ(buffer.end() - buffer.begin(), static_cast<std::ptrdiff_t>(size));
    }
}

TEST(HostBuffer, LargeBuffersStartAtHugePages)
{
    EXPECT_TRUE(is_aligned(HostBuffer<char>(std::size_t{1} << 20).data(), std::uintptr_t{2} << 20));
    EXPECT_TRUE(is_aligned(HostBuffer<char>(std::size_t{4} << 20).data(), std::uintptr_t{2} << 20));
    EXPECT_TRUE(is_aligned(HostBuffer<char>((std::size_t{5} << 20) + 1).data(), std::uintptr_t{2} << 20));
}

TEST(HostBuffer, CanBeFilled)
{
    for (const std::size_t size : {std::size_t{77}, std::size_t{200001}}) {
        const HostBuffer<std::int32_t> buffer(size, -5);
        for (const std::int32_t element : buffer) ASSERT_EQ(element, -5);
    }
}

TEST(HostBuffer, MovingLeavesNothingBehind)
{
    HostBuffer<int> first(3, 1);
    const int* const memory = first.data();
    HostBuffer<int> second(std::move(first));
    EXPECT_EQ(second.data(), memory);
    // NOLINTNEXTLINE(bugprone-use-after-move): the test is about the state after a move.
    EXPECT_EQ(first.size(), 0U);
    EXPECT_EQ(first.data(), nullptr);

    HostBuffer<int> third(5, 2);
    third = std::move(second);
    EXPECT_EQ(third.data(), memory);
    EXPECT_EQ(third.size(), 3U);
    third = HostBuffer<int>();
    EXPECT_TRUE(third.empty());
}

TEST(HostBuffer, TruncatesInPlace)
{
    HostBuffer<int> buffer(10, 4);
    const int* const memory = buffer.data();
    buffer.truncate(3);
    EXPECT_EQ(buffer.size(), 3U);
    EXPECT_EQ(buffer.data(), memory);
    EXPECT_EQ(buffer.span().size(), 3U);
}

TEST(HostBuffer, SaysHowMuchWasRequestedIfMemoryIsExhausted)
{
    try {
        const HostBuffer<std::uint64_t> buffer(std::size_t{1} << 58);
        FAIL() << "2^61 bytes were given";
    } catch (const ResourceError& error) {
        EXPECT_NE(std::string(error.what()).find(std::to_string(std::size_t{1} << 58)), std::string::npos)
            << error.what();
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
}

TEST(HostBuffer, SizesThatWrapRoundAreRefused)
{
    // 0 bytes, modulo 2^64.
    EXPECT_THROW(HostBuffer<std::uint64_t>(std::size_t{1} << 61), ResourceError);
    EXPECT_THROW(HostBuffer<std::uint64_t>((std::size_t{1} << 61) + 8), ResourceError);  // 64 bytes
    EXPECT_THROW(HostBuffer<char>{std::numeric_limits<std::size_t>::max()}, ResourceError);
    EXPECT_THROW(HostBuffer<char>(static_cast<std::size_t>(-1) - 63), ResourceError);
}

}  // namespace
}  // namespace wayfront
