#include "session/output/vertex_text.hpp"

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

TEST(VertexText, LeastBytes)
{
    for (const Vertex first : {Vertex{0}, Vertex{1}, Vertex{9}, Vertex{95}, Vertex{1000}}) {
        double bytes = 0;
        for (Vertex vertices = 0; vertices < 1200; ++vertices) {
            EXPECT_EQ(least_bytes_of_vertices(VertexNumbers(first), vertices), bytes) << first << ' ' << vertices;
            bytes += static_cast<double>(std::to_string(first + vertices).size());
        }
    }
    constexpr Vertex largest = 9'223'372'036'854'775'806;
    EXPECT_EQ(least_bytes_of_vertices(VertexNumbers(largest), 1), 19);
    const std::array<Vertex, 3> listed{7, 80, 1'000'000};
    const double of_list = least_bytes_of_vertices(VertexNumbers(listed), 3);
    EXPECT_GE(of_list, 3);
    EXPECT_LE(of_list, 10);
    const VertexNames names(std::array<std::string_view, 2>{"Oslo", "Bergen"});
    EXPECT_EQ(least_bytes_of_vertices(VertexNumbers(names), 2), 10);
}

}  // namespace
}  // namespace wayfront::session
