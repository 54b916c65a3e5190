// The sample tells graphs whose searches have many levels from others.
#include "graph/large_diameter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;  // of each vertex

Csr csr_of(const Neighbours& neighbours)
{
    std::vector<std::uint32_t> degrees;
    for (const auto& each : neighbours) degrees.push_back(static_cast<std::uint32_t>(each.size()));
    Csr lists{std::span<const std::uint32_t>(degrees)};
    auto place = lists.neighbours().begin();
    for (const auto& each : neighbours) place = std::ranges::copy(each, place).out;
    return lists;
}

Csr lists_of(const std::string& spec)
{
    const EdgeList list = generate_share(*make_edge_source(spec, {}), 0, 1, false);
    Neighbours neighbours(static_cast<std::size_t>(list.vertex_count));
    for (const PackedEdge edge : list.edges) {
        neighbours[static_cast<std::size_t>(edge.source())].push_back(static_cast<std::uint32_t>(edge.target()));
        if (!list.directed)
            neighbours[static_cast<std::size_t>(edge.target())].push_back(static_cast<std::uint32_t>(edge.source()));
    }
    return csr_of(neighbours);
}

class LargeDiameter : public testing::TestWithParam<std::string>
{
};
class SmallDiameter : public testing::TestWithParam<std::string>
{
};

TEST_P(LargeDiameter, IsSeen)
{
    EXPECT_TRUE(has_large_diameter(lists_of(GetParam()).view()));
}

TEST_P(SmallDiameter, IsSeen)
{
    EXPECT_FALSE(has_large_diameter(lists_of(GetParam()).view()));
}

TEST(SampledLevels, AreThoseOfASearch)
{
    EXPECT_EQ(sampled_levels(lists_of("star:1000").view(), 100), 2);
    EXPECT_EQ(sampled_levels(lists_of("complete:50").view(), 100), 2);
    EXPECT_EQ(sampled_levels(lists_of("ring:1000").view(), 10000), 501);
    EXPECT_EQ(sampled_levels(lists_of("ring:1000").view(), 100), 100);
    EXPECT_EQ(sampled_levels(CsrView{}, 100), 0);
}

TEST(Clustered, AreCliquesThatFewArcsJoin)
{
    constexpr std::size_t size = 100;
    const auto chain = [](std::size_t cliques) {
        Neighbours neighbours(cliques * size);
        for (std::size_t v = 0; v < cliques * size; ++v)
            for (std::size_t i = 0; i < size; ++i)
                if (const std::size_t other = v / size * size + i; other != v)
                    neighbours[v].push_back(static_cast<std::uint32_t>(other));
        for (std::size_t c = 1; c < cliques; ++c) {
            neighbours[c * size].push_back(static_cast<std::uint32_t>(c * size - 1));
            neighbours[c * size - 1].push_back(static_cast<std::uint32_t>(c * size));
        }
        return csr_of(neighbours);
    };
    EXPECT_TRUE(is_clustered(chain(4).view(), 4096));
    EXPECT_TRUE(is_clustered(chain(20).view(), 4096));
    EXPECT_FALSE(is_clustered(chain(1).view(), 4096));
    EXPECT_FALSE(is_clustered(chain(4).view(), 50)) << "a part has more vertices";
    for (const char* const spec : {"kron:10", "kron:14", "random:2000,20000", "star:1000", "complete:100"})
        EXPECT_FALSE(is_clustered(lists_of(spec).view(), 4096)) << spec;
    EXPECT_FALSE(is_clustered(CsrView{}, 4096));
}

INSTANTIATE_TEST_SUITE_P(Graphs, LargeDiameter,
                         testing::Values("grid:500x500", "path:300", "ring:100000", "grid:300x300", "grid:4x2000"));
INSTANTIATE_TEST_SUITE_P(Graphs, SmallDiameter,
                         testing::Values("kron:14", "random:100000,200000", "random:1000,500", "star:70000",
                                         "complete:2000", "star:1500000", "path:1", "path:60",
                                         "random:20000,100000,directed=1"));

TEST(SampleSearch, EndsWithTheGraphOrTheLimit)
{
    const SearchSample ring = sample_search(lists_of("ring:1000").view(), 4096);
    EXPECT_EQ(ring.vertices, 1000);
    EXPECT_EQ(ring.levels, 501);
    EXPECT_TRUE(ring.complete);
    const SearchSample grid = sample_search(lists_of("grid:300x300").view(), 4096);
    EXPECT_EQ(grid.vertices, 4096);
    EXPECT_GT(grid.levels, 40);
    EXPECT_FALSE(grid.complete);
    EXPECT_TRUE(sample_search(CsrView{}, 4096).complete);
}

/// A clique with `tails` paths of `length` vertices each, at different vertices of it.
Csr clique_with_tails(std::uint32_t clique, std::uint32_t tails, std::uint32_t length)
{
    Neighbours neighbours(clique + tails * length);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    };
    for (std::uint32_t a = 0; a < clique; ++a)
        for (std::uint32_t b = 0; b < a; ++b) join(a, b);
    for (std::uint32_t tail = 0; tail < tails; ++tail)
        for (std::uint32_t i = 0; i < length; ++i)
            join(clique + tail * length + i, i == 0 ? tail : clique + tail * length + i - 1);
    return csr_of(neighbours);
}

// The arcs of a few vertices of the clique are more than a sample has.
TEST(SampleSearch, PassesThroughADensePart)
{
    const SearchSample long_tail = sample_search(clique_with_tails(200, 1, 800).view(), 256);
    EXPECT_GT(long_tail.levels, 100);
    EXPECT_FALSE(long_tail.complete);
    const SearchSample many_tails = sample_search(clique_with_tails(200, 30, 20).view(), 256);
    EXPECT_GE(many_tails.vertices, 200) << "not those of a tail alone";
    EXPECT_FALSE(many_tails.complete);
}

// The search from the clique finds enough vertices in a few levels; one from a tail walks along it.
TEST(SampleSearch, HubsDoNotHideTails)
{
    const SearchSample sample = sample_search(clique_with_tails(300, 40, 60).view(), 256);
    EXPECT_LE(sample.levels, 4);
    EXPECT_GE(sample.most_levels, 15);
    EXPECT_LE(sample.most_levels, 64);
}

TEST(SampleSearch, IsCompleteInSmallComponents)
{
    Neighbours paths(1000);  // of ten vertices each
    for (std::uint32_t v = 0; v < paths.size(); ++v) {
        if (v % 10 > 0) paths[v].push_back(v - 1);
        if (v % 10 < 9) paths[v].push_back(v + 1);
    }
    const Csr lists = csr_of(paths);
    const SearchSample sample = sample_search(lists.view(), 256);
    EXPECT_EQ(sample.vertices, 10);
    EXPECT_TRUE(sample.complete);
}

// A fifth of the vertices is in one component, which the first four sources are not in.
TEST(SampleSearch, FindsTheLargeComponentBetweenSmallOnes)
{
    constexpr std::uint32_t kVertices = 10000;
    constexpr std::uint32_t kFirst = 4000;
    constexpr std::uint32_t kLast = 6000;
    Neighbours neighbours(kVertices);
    for (std::uint32_t v = kFirst; v + 1 < kLast; ++v) {
        neighbours[v].push_back(v + 1);
        neighbours[v + 1].push_back(v);
    }
    const SearchSample sample = sample_search(csr_of(neighbours).view(), 256);
    EXPECT_EQ(sample.vertices, 256);
    EXPECT_FALSE(sample.complete);
}

// Each vertex of a square is a neighbour of the eight around it. The first list is that of the middle,
// so that the sample has as few levels as one of a mesh has.
TEST(DiameterOfMeshes, IsLargeSeenFromTheMiddle)
{
    constexpr std::uint32_t kSide = 401;
    constexpr std::uint32_t kVertices = kSide * kSide;
    constexpr std::uint32_t kMiddle = kVertices / 2;
    std::vector<std::uint32_t> degrees(kVertices);
    std::vector<std::uint32_t> neighbours;
    for (std::uint32_t list = 0; list < kVertices; ++list) {
        const std::uint32_t vertex = (list + kMiddle) % kVertices;
        const std::uint32_t row = vertex / kSide;
        const std::uint32_t column = vertex % kSide;
        for (std::uint32_t r = row - std::min(row, 1U); r <= std::min(row + 1, kSide - 1); ++r) {
            for (std::uint32_t c = column - std::min(column, 1U); c <= std::min(column + 1, kSide - 1); ++c) {
                if (r == row && c == column) continue;
                neighbours.push_back((r * kSide + c + kVertices - kMiddle) % kVertices);
                ++degrees[list];
            }
        }
    }
    Csr lists{std::span<const std::uint32_t>(degrees)};
    std::ranges::copy(neighbours, lists.neighbours().begin());
    EXPECT_TRUE(has_large_diameter(lists.view()));
}

// So it is from a corner of a cube, whose searches near-far does faster, too.
TEST(DiameterOfMeshes, OfThreeDimensionsIsLargeSeenFromACorner)
{
    constexpr std::uint32_t kSide = 80;
    constexpr std::uint32_t kVertices = kSide * kSide * kSide;
    std::vector<std::uint32_t> degrees(kVertices);
    std::vector<std::uint32_t> neighbours;
    for (std::uint32_t vertex = 0; vertex < kVertices; ++vertex)
        for (const std::uint32_t step : {1U, kSide, kSide * kSide}) {
            const std::uint32_t place = vertex / step % kSide;
            if (place > 0) neighbours.push_back(vertex - step);
            if (place + 1 < kSide) neighbours.push_back(vertex + step);
            degrees[vertex] += (place > 0 ? 1U : 0U) + (place + 1 < kSide ? 1U : 0U);
        }
    Csr lists{std::span<const std::uint32_t>(degrees)};
    std::ranges::copy(neighbours, lists.neighbours().begin());
    EXPECT_TRUE(has_large_diameter(lists.view()));
}

TEST(DiameterOfComponents, ASmallComponentSaysNothing)
{
    // The first list is a triangle's; a path of 300 vertices follows.
    std::vector<std::uint32_t> degrees{2, 2, 2, 1};
    degrees.insert(degrees.end(), 298, 2);
    degrees.push_back(1);
    Csr lists{std::span<const std::uint32_t>(degrees)};
    const CsrView view = lists.view();
    const auto set = [&](std::uint32_t list, std::vector<std::uint32_t> neighbours) {
        std::ranges::copy(neighbours, lists.neighbours().begin() + static_cast<std::ptrdiff_t>(view.begin(list)));
    };
    set(0, {1, 2});
    set(1, {0, 2});
    set(2, {0, 1});
    set(3, {4});
    for (std::uint32_t i = 4; i < 302; ++i) set(i, {i - 1, i + 1});
    set(302, {301});
    EXPECT_TRUE(has_large_diameter(lists.view()));
}

TEST(DiameterOfComponents, NoVerticesHaveASmallOne)
{
    EXPECT_FALSE(has_large_diameter(Csr(std::span<const std::uint32_t>()).view()));
}

}  // namespace
}  // namespace wayfront
