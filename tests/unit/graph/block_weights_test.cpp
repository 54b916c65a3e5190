#include "graph/block_weights.hpp"

#include <type_traits>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(WeightType, FloatingPointTypesAreThoseOfTheirElements)
{
    for (const WeightType type :
         {WeightType::none, WeightType::uint32, WeightType::int64, WeightType::float32, WeightType::float64}) {
        const bool expected =
            with_weight_type(type, [](auto weight) { return std::is_floating_point_v<decltype(weight)>; });
        EXPECT_EQ(is_floating_point(type), expected) << name_of(type);
    }
}

}  // namespace
}  // namespace wayfront
