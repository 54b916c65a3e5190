#include "algo/strong_components.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::algo {
namespace {

using Arcs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

StrongComponents components_of(std::uint32_t vertices, const Arcs& arcs)
{
    std::vector<std::uint32_t> degrees(vertices, 0);
    for (const auto& [from, to] : arcs) ++degrees[from];
    Csr csr(degrees);
    std::size_t entry = 0;
    for (const auto& [from, to] : arcs) csr.neighbours()[entry++] = to;
    return strong_components(csr.view());
}

/// reaches[u][v]: whether there is a path, by S. Warshall's algorithm.
std::vector<std::vector<bool>> closure(std::uint32_t vertices, const Arcs& arcs)
{
    std::vector<std::vector<bool>> reaches(vertices, std::vector<bool>(vertices, false));
    for (const auto& [from, to] : arcs) reaches[from][to] = true;
    for (std::uint32_t v = 0; v < vertices; ++v) reaches[v][v] = true;
    for (std::uint32_t k = 0; k < vertices; ++k)
        for (std::uint32_t u = 0; u < vertices; ++u)
            for (std::uint32_t v = 0; reaches[u][k] && v < vertices; ++v)
                if (reaches[k][v]) reaches[u][v] = true;
    return reaches;
}

TEST(StrongComponents, RandomGraphs)
{
    std::mt19937 random(3);
    for (int graph = 0; graph < 200; ++graph) {
        const auto vertices = static_cast<std::uint32_t>(1 + random() % 40);
        Arcs arcs;
        for (std::size_t i = random() % (std::size_t{3} * vertices); i > 0; --i)
            arcs.emplace(random() % vertices, random() % vertices);
        const StrongComponents found = components_of(vertices, arcs);
        const auto reaches = closure(vertices, arcs);
        for (std::uint32_t u = 0; u < vertices; ++u)
            for (std::uint32_t v = 0; v < vertices; ++v)
                ASSERT_EQ(found.component[u] == found.component[v], reaches[u][v] && reaches[v][u]);
        for (const auto& [from, to] : arcs) ASSERT_GE(found.component[from], found.component[to]);
        ASSERT_EQ(std::set(found.order.begin(), found.order.end()).size(), vertices);
        for (std::uint32_t i = 1; i < vertices; ++i)
            ASSERT_LE(found.component[found.order[i - 1]], found.component[found.order[i]]);
    }
}

TEST(StrongComponents, LongPathsNeedNoStack)
{
    constexpr std::uint32_t vertices = 1'000'000;
    Arcs path;
    for (std::uint32_t v = 1; v < vertices; ++v) path.emplace_hint(path.end(), v - 1, v);
    EXPECT_EQ(components_of(vertices, path).component[0], vertices - 1);
    path.emplace(vertices - 1, 0);
    EXPECT_EQ(components_of(vertices, path).component[vertices / 2], 0U);
    EXPECT_TRUE(components_of(0, {}).order.empty());
}

}  // namespace
}  // namespace wayfront::algo
