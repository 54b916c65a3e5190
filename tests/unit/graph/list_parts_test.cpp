#include "graph/list_parts.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(ListParts, HaveAboutEquallyManyEntries)
{
    const Csr lists(std::vector<std::uint32_t>{0, 5, 1, 1, 0, 1, 2, 0});
    const CsrView view = lists.view();
    EXPECT_EQ(first_list_of_part(view, 0, 2), 0U);
    EXPECT_EQ(first_list_of_part(view, 1, 2), 2U);
    EXPECT_EQ(first_list_of_part(view, 2, 2), 8U);
    for (const std::size_t parts : {1U, 3U, 10U, 100U})
        for (std::size_t part = 0; part < parts; ++part)
            EXPECT_LE(first_list_of_part(view, part, parts), first_list_of_part(view, part + 1, parts));
    const Csr none(std::vector<std::uint32_t>{});
    EXPECT_EQ(first_list_of_part(none.view(), 1, 3), 0U);
}

}  // namespace
}  // namespace wayfront
