#include "graph/csr.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {
namespace {

constexpr std::size_t kGroup = std::size_t{1} << kOffsetGroupBits;

/// Checks every offset of a Csr with these degrees against their running sum.
void check_offsets(const std::vector<std::uint32_t>& degrees)
{
    SCOPED_TRACE(testing::Message() << degrees.size() << " lists");
    const Csr csr{std::span<const std::uint32_t>(degrees)};
    const CsrView view = csr.view();
    ASSERT_EQ(csr.lists(), degrees.size());
    ASSERT_EQ(view.lists, degrees.size());
    std::uint64_t offset = 0;
    for (std::uint32_t i = 0; i < degrees.size(); ++i) {
        ASSERT_EQ(view.begin(i), offset) << "list " << i;
        offset += degrees[i];
        ASSERT_EQ(view.end(i), offset) << "list " << i;
        ASSERT_EQ(view.degree(i), degrees[i]) << "list " << i;
    }
    EXPECT_EQ(view.begin(view.lists), offset);
    EXPECT_EQ(csr.edges(), offset);
    EXPECT_EQ(csr.neighbours().size(), offset);
    EXPECT_GE(csr.bytes(), 4 * (offset + degrees.size()));
}

TEST(Csr, OffsetsOfListsRoundTheBordersOfGroups)
{
    RandomNumbers random(1);
    for (const std::size_t lists : {std::size_t{0}, std::size_t{1}, std::size_t{2}, kGroup - 1, kGroup, kGroup + 1,
                                    2 * kGroup, 2 * kGroup + 1, 3 * kGroup - 1}) {
        std::vector<std::uint32_t> degrees(lists);
        for (std::uint32_t& degree : degrees) degree = random.below(5);
        check_offsets(degrees);
    }
}

TEST(Csr, EmptyListsBeforeBetweenAndAfter)
{
    check_offsets(std::vector<std::uint32_t>(2 * kGroup, 0));
    std::vector<std::uint32_t> degrees(3 * kGroup, 0);
    degrees[kGroup - 1] = 7;
    degrees[kGroup] = 9;
    degrees[3 * kGroup - 1] = 1;
    check_offsets(degrees);
}

TEST(Csr, OneListHoldsEverything)
{
    std::vector<std::uint32_t> degrees(kGroup + 10, 0);
    degrees[kGroup + 3] = 1 << 20;
    check_offsets(degrees);
}

TEST(Csr, RefusesAGroupPastThirtyTwoBits)
{
    std::vector<std::uint32_t> degrees(kGroup, 0);
    degrees[0] = std::numeric_limits<std::uint32_t>::max();
    degrees[1] = 1;
    EXPECT_THROW(Csr{std::span<const std::uint32_t>(degrees)}, ResourceError);
}

}  // namespace
}  // namespace wayfront
