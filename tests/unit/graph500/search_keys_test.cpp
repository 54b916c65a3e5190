// Search keys: equal to those of the reference implementation, in its order.
#include "graph500/search_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "graph/generators/kron.hpp"
#include "oracle/kron_oracle.hpp"

namespace wayfront::graph500 {
namespace {

/// The keys of a Kronecker graph, with degrees counted from its edges.
std::vector<Vertex> keys_of(int scale, EdgeCount edge_factor, std::uint64_t seed1, std::uint64_t seed2)
{
    const KronSource source(scale, edge_factor, seed1, seed2);
    std::vector<PackedEdge> edges(static_cast<std::size_t>(source.edge_count()));
    source.edges(0, edges);
    std::vector<bool> touched(static_cast<std::size_t>(source.vertex_count()), false);
    for (const PackedEdge& edge : edges) {
        if (edge.source() == edge.target()) continue;
        touched[static_cast<std::size_t>(edge.source())] = true;
        touched[static_cast<std::size_t>(edge.target())] = true;
    }
    return choose_search_keys(source.vertex_count(), seed1, seed2, 64, [&](std::span<const Vertex> batch) {
        std::vector<bool> answers;
        for (const Vertex v : batch) answers.push_back(touched[static_cast<std::size_t>(v)]);
        return answers;
    });
}

std::vector<bool> all_have_edges(std::span<const Vertex> batch)
{
    std::vector<bool> all(batch.size(), true);
    return all;
}

TEST(SearchKeys, EqualThoseOfTheReference)
{
    // Printed by the reference implementation.
    const std::vector<Vertex> scale10 = {
        458,  214, 220, 966, 395, 9,   848, 777, 344, 236, 900, 440, 806, 712, 116, 163, 206, 131, 377, 96,  535, 981,
        140,  479, 267, 835, 182, 76,  269, 64,  373, 41,  641, 570, 580, 939, 745, 898, 197, 627, 710, 857, 569, 670,
        1017, 308, 97,  879, 680, 678, 35,  177, 531, 698, 555, 485, 816, 521, 332, 888, 209, 825, 171, 149};
    const std::vector<Vertex> scale9 = {100, 435, 31,  351, 169, 101, 209, 395, 453, 123, 373, 51,  329, 150, 451, 358,
                                        481, 34,  155, 231, 341, 164, 20,  492, 117, 287, 33,  105, 248, 379, 102, 122,
                                        198, 29,  281, 196, 146, 275, 9,   224, 462, 409, 448, 458, 386, 389, 137, 478,
                                        85,  292, 130, 135, 229, 436, 437, 469, 118, 289, 211, 153, 120, 21,  216, 17};
    EXPECT_EQ(keys_of(10, 16, 2, 3), scale10);
    EXPECT_EQ(keys_of(9, 7, 42, 7), scale9);
}

TEST(SearchKeys, CandidatesEqualTheOracles)
{
    for (const Vertex n : {Vertex{1}, Vertex{2}, Vertex{1000}, Vertex{1} << 20, Vertex{1} << 47}) {
        const test::KronOracle oracle(10, 5, 9);
        SearchKeyStream stream(n, 5, 9);
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(100, static_cast<std::uint64_t>(n)); ++i)
            ASSERT_EQ(stream.next(), oracle.key_candidate(2 * i, n)) << "n " << n << ", candidate " << i;
    }
}

TEST(SearchKeys, ThereAreAsManyCandidatesAsVertices)
{
    SearchKeyStream stream(7, 2, 3);
    for (int i = 0; i < 7; ++i) EXPECT_TRUE(stream.next().has_value());
    EXPECT_FALSE(stream.next().has_value());
    EXPECT_FALSE(stream.next().has_value());
}

TEST(SearchKeys, TheOtherVerticesFollowIfCandidatesRunOut)
{
    std::vector<Vertex> expected;
    SearchKeyStream stream(16, 2, 3);
    while (const auto candidate = stream.next())
        if (std::ranges::find(expected, *candidate) == expected.end()) expected.push_back(*candidate);
    ASSERT_LT(expected.size(), 16U) << "some vertices are drawn twice";
    for (Vertex v = 0; v < 16; ++v)
        if (std::ranges::find(expected, v) == expected.end()) expected.push_back(v);
    EXPECT_EQ(choose_search_keys(16, 2, 3, 64, all_have_edges), expected);
    expected.resize(14);
    EXPECT_EQ(choose_search_keys(16, 2, 3, 14, all_have_edges), expected);
    EXPECT_TRUE(
        choose_search_keys(16, 2, 3, 64, [](auto batch) { return std::vector<bool>(batch.size(), false); }).empty());
    EXPECT_TRUE(choose_search_keys(16, 2, 3, 0, all_have_edges).empty());
}

TEST(SearchKeys, VerticesWithoutEdgesArePassedOverInOrder)
{
    const auto odd_only = [](std::span<const Vertex> batch) {
        std::vector<bool> answers;
        for (const Vertex v : batch) answers.push_back(v % 2 == 1);
        return answers;
    };
    std::vector<Vertex> expected;
    SearchKeyStream stream(1 << 12, 2, 3);
    while (expected.size() < 64) {
        const Vertex v = *stream.next();
        if (v % 2 == 1 && std::ranges::find(expected, v) == expected.end()) expected.push_back(v);
    }
    EXPECT_EQ(choose_search_keys(1 << 12, 2, 3, 64, odd_only), expected);
}

}  // namespace
}  // namespace wayfront::graph500
