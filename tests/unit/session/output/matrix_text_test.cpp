#include "session/output/matrix_text.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

using algo::DistanceType;

TEST(MatrixTextTest, BytesByTypeAndLargestDistance)
{
    const std::vector<Vertex> sources(1000);
    MatrixShape shape{sources, 1000, {}, 1, 0};
    const auto bytes_a_number = [&](MatrixContent content, DistanceType type, double most) {
        shape.most_distance = most;
        return static_cast<int>(text_bytes(shape, content, type) / shape.elements());
    };
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::uint16, 7), 4);             // inf
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::int32, 123456), 8);         // -123456
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::int32, 1e12), 12);          // -2147483646
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::float64, 9999999999), 12);  // -9999999999
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::float32, 0), 16);
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::float64, 0), 25);
    EXPECT_EQ(bytes_a_number(MatrixContent::parents, DistanceType::float64, 0), 5);  // 1000
    shape.long_form = true;
    EXPECT_EQ(bytes_a_number(MatrixContent::distances, DistanceType::int32, 123456), 18);  // 1000,1000,-123456
}

}  // namespace
}  // namespace wayfront::session
