#include "base/counted.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(Counted, OnlyOneIsSingular)
{
    EXPECT_EQ(counted(0, "vertex", "vertices"), "0 vertices");
    EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
    EXPECT_EQ(counted(std::uint64_t{2}, "vertex", "vertices"), "2 vertices");
}

}  // namespace
}  // namespace wayfront
