// Random graphs and their parts: counters, permutations, distributions.
#include "graph/generators/random_graphs.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/generators/formula_source.hpp"
#include "graph/generators/hash.hpp"
#include "graph/generators/permutation.hpp"

namespace wayfront {
namespace {

TEST(Hash, FollowsSplitMix64)
{
    // The first words of SplitMix64 with the seed 1234567, from its authors' program.
    EXPECT_EQ(random_word(1234567, 0), 6457827717110365317U);
    EXPECT_EQ(random_word(1234567, 1), 3203168211198807973U);
    EXPECT_EQ(random_word(1234567, 2), 9817491932198370423U);
}

TEST(Hash, MultiplyHighIsTheUpperHalf)
{
    std::uint64_t a = 1;
    std::uint64_t b = UINT64_MAX;
    for (int i = 0; i < 1000; ++i) {
        const auto product = static_cast<unsigned __int128>(a) * b;
        ASSERT_EQ(multiply_high(a, b), static_cast<std::uint64_t>(product >> 64));
        a = mix64(a + 1);
        b = i % 3 == 0 ? ~a : mix64(b);
    }
    EXPECT_EQ(multiply_high(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
}

TEST(Hash, KeysOfSeedsAndPurposesDiffer)
{
    std::set<std::uint64_t> keys;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        for (const RandomPurpose purpose :
             {RandomPurpose::rmat_edges, RandomPurpose::random_edges, RandomPurpose::weights}) {
            for (std::uint64_t stream = 0; stream < 4; ++stream) keys.insert(random_key(seed, purpose, stream));
        }
    }
    EXPECT_EQ(keys.size(), 600U);
}

TEST(Permutation, EveryNumberOnceForEverySize)
{
    for (std::uint64_t size = 1; size < 300; ++size) {
        const KeyedPermutation permutation(size, 99);
        std::vector<int> hit(size, 0);
        for (std::uint64_t i = 0; i < size; ++i) {
            ASSERT_LT(permutation(i), size);
            ++hit[permutation(i)];
        }
        for (std::uint64_t i = 0; i < size; ++i) ASSERT_EQ(hit[i], 1) << "size " << size << ", number " << i;
    }
}

TEST(Permutation, LargeOnesAreBijectionsInSample)
{
    for (const std::uint64_t size :
         {(std::uint64_t{1} << 48), (std::uint64_t{1} << 47) + 1, std::uint64_t{1000000007}}) {
        const KeyedPermutation permutation(size, 5);
        std::set<std::uint64_t> images;
        for (std::uint64_t i = 0; i < 20000; ++i) images.insert(permutation(size / 2 + i));
        EXPECT_EQ(images.size(), 20000U);
        EXPECT_LT(*images.rbegin(), size);
    }
}

TEST(Permutation, KeysGiveOtherPermutationsThatLookUniform)
{
    // The images of 0 in permutations of 0 to 9, for 20,000 keys. Chi squared with 9 degrees of
    // freedom exceeds 33.7 only once in 10,000 times.
    std::vector<double> counts(10, 0);
    for (std::uint64_t key = 0; key < 20000; ++key) counts[KeyedPermutation(10, mix64(key))(0)] += 1;
    double chi_squared = 0;
    for (const double count : counts) chi_squared += (count - 2000) * (count - 2000) / 2000;
    EXPECT_LT(chi_squared, 33.7);
}

TEST(RandomGraph, EndsAreUniformAndDiffer)
{
    const RandomGraph graph(10, 90000, 3, false);
    std::map<std::pair<Vertex, Vertex>, double> counts;
    for (EdgeCount e = 0; e < graph.edge_count(); ++e) {
        const Edge edge = graph.edge(e);
        ASSERT_NE(edge.source, edge.target);
        counts[{edge.source, edge.target}] += 1;
    }
    ASSERT_EQ(counts.size(), 90U);
    double chi_squared = 0;
    for (const auto& [pair, count] : counts) chi_squared += (count - 1000) * (count - 1000) / 1000;
    EXPECT_LT(chi_squared, 146.7);  // 89 degrees of freedom: exceeded once in 10,000 times
}

TEST(RegularGraph, EveryVertexHasItsDegree)
{
    for (const auto& [n, d] : std::vector<std::pair<Vertex, Vertex>>{
             {2, 1}, {3, 2}, {8, 3}, {8, 7}, {41, 6}, {100, 5}, {1024, 4}, {10, 1}, {6, 0}}) {
        const RegularGraph graph(n, d, 17);
        ASSERT_EQ(graph.edge_count(), n * d / 2);
        std::vector<Vertex> degree(static_cast<std::size_t>(n), 0);
        for (EdgeCount e = 0; e < graph.edge_count(); ++e) {
            const Edge edge = graph.edge(e);
            ASSERT_NE(edge.source, edge.target);
            ++degree[static_cast<std::size_t>(edge.source)];
            ++degree[static_cast<std::size_t>(edge.target)];
        }
        for (const Vertex count : degree) EXPECT_EQ(count, d) << "n " << n << ", d " << d;
    }
}

TEST(RegularGraph, ItsPartsAreDifferentCycles)
{
    const RegularGraph graph(1000, 6, 17);
    int same = 0;
    for (EdgeCount e = 0; e < 1000; ++e)
        same += graph.edge(e) == graph.edge(e + 1000) || graph.edge(e) == graph.edge(e + 2000) ? 1 : 0;
    EXPECT_LT(same, 5);
}

/// The shares of all edges that the four squares of the top level have.
std::vector<double> top_squares(const RmatGraph& graph, Vertex half)
{
    std::vector<double> shares(4, 0);
    for (EdgeCount e = 0; e < graph.edge_count(); ++e) {
        const Edge edge = graph.edge(e);
        shares[(edge.source >= half ? 2U : 0U) + (edge.target >= half ? 1U : 0U)] +=
            1 / static_cast<double>(graph.edge_count());
    }
    return shares;
}

TEST(RmatGraph, SquaresHaveTheirProbabilities)
{
    const RmatGraph graph({.scale = 11, .edges = 200000, .a = 0.45, .b = 0.25, .c = 0.1, .permuted = false}, 4);
    const std::vector<double> shares = top_squares(graph, 1024);
    const std::vector<double> expected = {0.45, 0.25, 0.1, 0.2};
    // Five standard deviations.
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(shares[i], expected[i], 0.006) << "square " << i;
    // The shares at the lowest level.
    std::vector<double> low(4, 0);
    for (EdgeCount e = 0; e < graph.edge_count(); ++e)
        low[static_cast<std::size_t>((graph.edge(e).source & 1) * 2 + (graph.edge(e).target & 1))] += 1 / 200000.0;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(low[i], expected[i], 0.006) << "square " << i;
}

TEST(RmatGraph, CertainSquaresAreCertain)
{
    const RmatGraph all_d({.scale = 5, .edges = 100, .a = 0, .b = 0, .c = 0, .permuted = false}, 4);
    const RmatGraph all_b({.scale = 5, .edges = 100, .a = 0, .b = 1, .c = 0, .permuted = false}, 4);
    const RmatGraph all_c({.scale = 5, .edges = 100, .a = 0, .b = 0, .c = 1, .permuted = false}, 4);
    for (EdgeCount e = 0; e < 100; ++e) {
        EXPECT_EQ(all_d.edge(e), (Edge{31, 31}));
        EXPECT_EQ(all_b.edge(e), (Edge{0, 31}));
        EXPECT_EQ(all_c.edge(e), (Edge{31, 0}));
    }
}

TEST(RmatGraph, PermutingRenamesVerticesAndNothingElse)
{
    const RmatGraph plain({.scale = 8, .edges = 5000, .permuted = false}, 4);
    const RmatGraph permuted({.scale = 8, .edges = 5000}, 4);
    std::map<Vertex, Vertex> name;
    std::set<Vertex> names;
    int moved = 0;
    for (EdgeCount e = 0; e < 5000; ++e) {
        for (const auto& [from, to] : {std::pair{plain.edge(e).source, permuted.edge(e).source},
                                       std::pair{plain.edge(e).target, permuted.edge(e).target}}) {
            if (!name.contains(from)) {
                EXPECT_TRUE(names.insert(to).second) << "two vertices are called " << to;
                name[from] = to;
                moved += from != to ? 1 : 0;
            }
            ASSERT_EQ(name[from], to);
        }
    }
    EXPECT_GT(moved, 200);
}

}  // namespace
}  // namespace wayfront
