// Plans of device memory: the predicted size is the size of the layout.
#include "gpu/runtime/memory_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::gpu {
namespace {

struct ThreeArrays : MemoryPlan
{
    constexpr explicit ThreeArrays(std::size_t count, MemoryPlan plan = {})
        : MemoryPlan(std::move(plan)),
          bytes_array(array<std::uint8_t>("bytes", count)),
          words(array<std::uint64_t>("words", count, 2)),
          none(array<std::uint32_t>("none", 0))
    {
    }

    PlannedArray<std::uint8_t> bytes_array;
    PlannedArray<std::uint64_t> words;
    PlannedArray<std::uint32_t> none;
};

static_assert(ThreeArrays(5).bytes() == 5 + 5 * 2 * 8, "plans are constant expressions");

TEST(MemoryPlan, SumsWhatIsAllocatedArrayByArray)
{
    const ThreeArrays plan(5);
    ASSERT_EQ(plan.arrays().size(), 3U);
    std::size_t sum = 0;
    for (const MemoryPlan::Array& array : plan.arrays()) sum += array.bytes;
    EXPECT_EQ(plan.bytes(), sum);
    EXPECT_EQ(plan.arrays()[plan.words.index].bytes, plan.words.bytes());
    EXPECT_EQ(plan.words.count, 10U);
    EXPECT_EQ(std::string(plan.arrays()[plan.words.index].name), "words");
}

TEST(MemoryPlan, ArraysOfASlabAreAlignedApartAndInside)
{
    constexpr std::size_t page = 4096;
    for (const std::size_t count : {0U, 1U, 255U, 256U, 257U, 1000U}) {
        const ThreeArrays plan(count, MemoryPlan::slab(page));
        EXPECT_EQ(plan.bytes() % page, 0U);
        EXPECT_EQ(plan.bytes_array.offset, 0U);
        EXPECT_EQ(plan.words.offset % MemoryPlan::kSlabAlignment, 0U);
        EXPECT_GE(plan.words.offset, plan.bytes_array.bytes());
        EXPECT_GE(plan.none.offset, plan.words.offset + plan.words.bytes());
        EXPECT_LE(plan.none.offset, plan.bytes());
        EXPECT_LT(plan.bytes(), plan.none.offset + page);  // no more than a page is lost

        std::vector<std::byte> slab(plan.bytes());
        EXPECT_EQ(reinterpret_cast<std::byte*>(plan.words.in(slab.data())), slab.data() + plan.words.offset);
    }
}

TEST(MemoryPlan, RefusesNumbersOfBytesThatDoNotFit)
{
    struct Matrix : MemoryPlan
    {
        Matrix(std::int64_t rows, std::int64_t columns) { array<std::uint32_t>("distances", rows, columns); }
    };
    EXPECT_EQ(Matrix(std::int64_t{1} << 30, std::int64_t{1} << 30).bytes(), std::size_t{1} << 62);
    try {
        const Matrix matrix(std::int64_t{1} << 32, std::int64_t{1} << 32);  // wraps round to 0
        FAIL() << "2^66 bytes were planned as " << matrix.bytes();
    } catch (const ResourceError& error) {
        EXPECT_NE(std::string(error.what()).find("\"distances\""), std::string::npos) << error.what();
    }
    // The count fits 64 bits, the bytes do not.
    EXPECT_THROW(Matrix(std::int64_t{1} << 32, std::int64_t{1} << 30), ResourceError);
    EXPECT_THROW(Matrix(-1, 5), ResourceError);
    EXPECT_NO_THROW(Matrix(std::int64_t{1} << 62, 0));

    struct TwoLarge : MemoryPlan
    {
        TwoLarge()
        {
            array<std::byte>("first", std::size_t{1} << 62);
            array<std::byte>("second", std::size_t{1} << 62);
        }
    };
    EXPECT_THROW(TwoLarge(), ResourceError);
    const Matrix large(std::int64_t{1} << 30, std::int64_t{1} << 30);
    EXPECT_THROW((void)bytes_of(large, large, large, large), ResourceError);
}

TEST(MemoryPlan, APeakIsTheLargestOfItsSteps)
{
    const ThreeArrays stays(10);
    const ThreeArrays first(1000);
    const ThreeArrays second(100);
    EXPECT_EQ(bytes_of(), 0U);
    EXPECT_EQ(bytes_of(stays, first), stays.bytes() + first.bytes());
    EXPECT_EQ(std::max({bytes_of(stays, first), bytes_of(stays, second), bytes_of(stays)}),
              stays.bytes() + first.bytes());
}

}  // namespace
}  // namespace wayfront::gpu
