// Progress, memory of the caller and the benchmark over the ranks of a job.
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "wayfront/graph500.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

class ProgressTest : public testing::Test
{
protected:
    /// Throws at the first report of a step.
    [[nodiscard]] OnProgress ends_at(const std::string& step)
    {
        return [this, step](std::string_view found, std::uint64_t /*done*/, std::uint64_t /*total*/) {
            ++reports;
            if (found == step) throw std::out_of_range("enough");
        };
    }
    /// The first rank throws what on_progress has thrown, the others a ResultError.
    template <typename F>
    void expect_end(F&& f) const
    {
        if (world.rank() == 0)
            EXPECT_THROW(f(), std::out_of_range);
        else
            EXPECT_THROW(f(), ResultError);
    }

    const comm::Communicator world = comm::Communicator::world();
    int reports = 0;
};

TEST_F(ProgressTest, AnExceptionEndsTheWorkOfAllRanks)
{
    const Graph graph = Graph::load("grid:20x20", {.threads = 1});
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (Vertex v = 0; v < 60; ++v) pairs.emplace_back(v, 399 - v);
    for (const auto& [algorithm, step] : {std::pair("dijkstra", "rows"), std::pair("floyd-warshall", "steps")}) {
        AllPairs all(graph, {.algorithm = algorithm, .engine = Engine::cpu, .on_progress = ends_at(step)});
        expect_end([&] { all.rows([](const DistanceRows&) {}); });
        expect_end([&] { static_cast<void>(all.summary()); });
    }
    for (const bool deterministic : {false, true}) {
        expect_end([&] {
            static_cast<void>(
                Bfs::between(graph, pairs, true,
                             {.engine = Engine::cpu, .deterministic = deterministic, .on_progress = ends_at("pairs")}));
        });
        expect_end([&] {
            static_cast<void>(ShortestPaths::between(
                graph, pairs, true,
                {.engine = Engine::cpu, .deterministic = deterministic, .on_progress = ends_at("pairs")}));
        });
    }
    expect_end([&] {
        static_cast<void>(run_graph500(
            7, {.engine = Engine::cpu, .loading = {.threads = 1}, .on_progress = ends_at("graph500 bfs")}));
    });
    if (world.rank() > 0) {
        EXPECT_EQ(reports, 0);
    }
    EXPECT_EQ(bfs(graph, 0, {.engine = Engine::cpu}).depth, 38);  // the ranks work together as before
}

TEST_F(ProgressTest, PairsOfAllRanksAreCounted)
{
    const Graph graph = Graph::load("grid:20x20", {.threads = 1});
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (Vertex v = 0; v < 60; ++v) pairs.emplace_back(v, 399 - v);
    std::uint64_t last = 0;
    std::uint64_t all = 0;
    const PairsResult found = Bfs::between(
        graph, pairs, false,
        {.engine = Engine::cpu,
         .on_progress = [&](std::string_view, std::uint64_t done, std::uint64_t total) { last = done, all = total; }});
    if (world.rank() == 0) {
        EXPECT_EQ(std::pair(last, all), std::pair(std::uint64_t{60}, std::uint64_t{60}));
    }
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(found.distances)[0], 38);
}

TEST_F(ProgressTest, SearchesWriteIntoArrays)
{
    const Graph graph = Graph::load("grid:9x7", {.threads = 1});
    for (const bool gather : {false, true}) {
        const auto size = static_cast<std::size_t>(gather ? graph.vertex_count() : graph.own_count());
        std::vector<std::int32_t> levels(size);
        std::vector<std::int64_t> distances(size);
        std::vector<Vertex> parents(size);
        const BfsOptions options{.engine = Engine::cpu, .deterministic = true, .gather = gather};
        static_cast<void>(bfs(graph, 5, options, {levels, parents}));
        const BfsResult expected = bfs(graph, 5, options);
        EXPECT_EQ(levels, expected.levels);
        EXPECT_EQ(parents, expected.parents);
        const ShortestPathsOptions of_paths{.engine = Engine::cpu, .deterministic = true, .gather = gather};
        static_cast<void>(shortest_paths(graph, 5, of_paths, {std::span(distances), parents}));
        EXPECT_TRUE(std::ranges::equal(distances, levels));
        EXPECT_EQ(parents, expected.parents);
        // The array of one rank is too long.
        if (world.rank() == world.size() - 1) levels.push_back(0);
        EXPECT_THROW(static_cast<void>(bfs(graph, 5, options, {.levels = levels})), InputError);
    }
}

TEST_F(ProgressTest, TheBenchmarkIsEqualOnAllRanks)
{
    const Graph500Result run = run_graph500(8, {.keys = 5, .engine = Engine::cpu, .loading = {.threads = 1}});
    EXPECT_EQ(run.ranks, world.size());
    ASSERT_EQ(run.bfs.value().searches.size(), 5U);
    const std::vector<double> teps = world.all_gather(run.bfs->harmonic_mean_teps);
    EXPECT_EQ(std::ranges::count(teps, teps.front()), world.size());
}

}  // namespace
}  // namespace wayfront
