#include "graph/vertex_array.hpp"

#include <type_traits>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

constexpr Vertex kLargestNarrow = Vertex{1} << 31;

TEST(VertexArray, IsNarrowWhileAllNumbersFitThirtyOneBits)
{
    EXPECT_TRUE(VertexArray(1, 0).narrow());
    EXPECT_TRUE(VertexArray(1, kLargestNarrow).narrow());
    EXPECT_FALSE(VertexArray(1, kLargestNarrow + 1).narrow());
    EXPECT_FALSE(VertexArray(1, kMaxVertices).narrow());
}

TEST(VertexArray, HoldsTheLargestVertexAndUnreached)
{
    for (const Vertex n : {Vertex{1}, Vertex{1000}, kLargestNarrow, kLargestNarrow + 1, kMaxVertices}) {
        VertexArray array(3, n);
        ASSERT_EQ(array.size(), 3U);
        array.set(0, n - 1);
        array.set(1, kUnreached);
        array.set(2, 0);
        EXPECT_EQ(array[0], n - 1);
        EXPECT_EQ(array[1], kUnreached);
        EXPECT_EQ(array[2], 0);
    }
}

TEST(VertexArray, WideElementsAreNotTakenForNarrowOnes)
{
    VertexArray narrow(2, kLargestNarrow);
    narrow.narrow_elements()[1] = 7;
    EXPECT_EQ(narrow[1], 7);
    VertexArray wide(2, kLargestNarrow + 1);
    EXPECT_THROW((void)wide.narrow_elements(), std::bad_variant_access);
    EXPECT_THROW((void)std::as_const(wide).narrow_elements(), std::bad_variant_access);
}

TEST(VertexArray, VisitShowsTheElementsThemselves)
{
    for (const Vertex n : {Vertex{10}, kMaxVertices}) {
        VertexArray array(2, n);
        array.visit([n](auto elements) {
            using Id = typename decltype(elements)::value_type;
            EXPECT_EQ(sizeof(Id), n == 10 ? 4U : 8U);
            elements[0] = 5;
            elements[1] = static_cast<Id>(kUnreached);
        });
        const VertexArray& view = array;
        EXPECT_EQ(view.visit([](auto elements) {
            static_assert(std::is_const_v<typename decltype(elements)::element_type>);
            return static_cast<Vertex>(elements[0]) + static_cast<Vertex>(elements[1]);
        }),
                  4);
    }
}

}  // namespace
}  // namespace wayfront
