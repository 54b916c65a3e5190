// Pairs of a graph of which each rank has a part of the edges: if there are many pairs, each rank
// gathers the whole graph.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "job/listener.hpp"
#include "session/pairs/pair_engine.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::session {
namespace {

class PairsTest : public GridTest
{
protected:
    template <typename W>
    static oracle::WeightedGraph<OracleWeight<W>> random_graph(std::uint32_t seed, bool directed)
    {
        RandomNumbers random(seed);
        oracle::WeightedGraph<OracleWeight<W>> graph{90, directed, {}};
        for (int i = 0; i < 260; ++i)
            graph.edges.push_back({random.below(90), random.below(90), static_cast<OracleWeight<W>>(random.below(50))});
        return graph;
    }

    static std::vector<algo::VertexPair> random_pairs(std::uint32_t seed, std::size_t count)
    {
        RandomNumbers random(seed);
        std::vector<algo::VertexPair> pairs(count);
        for (algo::VertexPair& pair : pairs) pair = {Vertex{random.below(90)}, Vertex{random.below(90)}};
        return pairs;
    }

    /// The graph has no edges in its list: they are in the feed alone.
    template <typename W>
    void prepare(const oracle::WeightedGraph<OracleWeight<W>>& graph, PreparedGraph& prepared) const
    {
        prepared.input.name = "a graph";
        prepared.input.edges = static_cast<EdgeCount>(graph.edges.size());
        prepared.input.list.vertex_count = graph.vertices;
        prepared.input.list.directed = graph.directed;
        prepared.feed = std::make_unique<ShareFeed<W>>(graph, rank, ranks);
    }

    template <typename W>
    static double length_of_path(const oracle::WeightedGraph<W>& graph, const std::vector<Vertex>& path)
    {
        double length = 0;
        for (std::size_t i = 1; i < path.size(); ++i) {
            double least = std::numeric_limits<double>::infinity();
            graph.for_each_arc([&](std::int64_t u, std::int64_t v, W weight) {
                if (u == path[i - 1] && v == path[i]) least = std::min(least, static_cast<double>(weight));
            });
            length += least;
        }
        return length;
    }

    template <typename W>
    void check(const oracle::WeightedGraph<W>& graph, const std::vector<algo::VertexPair>& pairs, double cutoff,
               const std::vector<algo::PairAnswer>& answers) const
    {
        ASSERT_EQ(answers.size(), pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const W expected = oracle::dijkstra(graph, pairs[i].source)[static_cast<std::size_t>(pairs[i].target)];
            if (expected == oracle::infinity<W>() || static_cast<double>(expected) > cutoff) {
                EXPECT_FALSE(answers[i].distance);
                EXPECT_TRUE(answers[i].path.empty());
                continue;
            }
            ASSERT_TRUE(answers[i].distance);
            const double found =
                std::visit([](auto length) { return static_cast<double>(length); }, *answers[i].distance);
            EXPECT_EQ(found, static_cast<double>(expected));
            ASSERT_FALSE(answers[i].path.empty());
            EXPECT_EQ(answers[i].path.front(), pairs[i].source);
            EXPECT_EQ(answers[i].path.back(), pairs[i].target);
            EXPECT_EQ(length_of_path(graph, answers[i].path), found);
        }
    }

    template <typename W>
    void run(bool directed, double cutoff)
    {
        const auto graph = random_graph<W>(directed ? 3 : 4, directed);
        for (const std::size_t count : {40U, 5U}) {
            SCOPED_TRACE(testing::Message() << count << " pairs, directed " << directed << ", cutoff " << cutoff);
            const std::vector<algo::VertexPair> pairs = random_pairs(9, count);
            PreparedGraph prepared;
            prepare<W>(graph, prepared);
            SsspRequest request;
            request.cutoff = algo::Cutoff(cutoff);
            request.method.cuts_off = request.cutoff.is_finite();
            request.searches = static_cast<std::int64_t>(count);
            const auto engine = prepare_sssp_pairs(job_, request, std::nullopt, prepared, nullptr);
            const bool whole = ranks > 1 && count >= 32;
            EXPECT_EQ(engine->method().find("each rank has the whole graph") != std::string::npos, whole)
                << engine->method();
            job::Progress progress(job_, "pairs", count);
            check(graph, pairs, cutoff, engine->answer(pairs, true, progress));
        }
    }

    const ThreadGuard threads_{1};
    const job::Job job_{world, 1, std::make_shared<job::NoteForwarder>()};
};

TEST_F(PairsTest, AllWeightsOfPartsOfAGraph)
{
    for (const bool directed : {true, false})
        for (const double cutoff : {std::numeric_limits<double>::infinity(), 25.0}) {
            run<std::uint32_t>(directed, cutoff);
            run<std::int64_t>(directed, cutoff);
            run<float>(directed, cutoff);  // whole numbers, whose sums are exact
            run<double>(directed, cutoff);
        }
}

TEST_F(PairsTest, GeneratedEdgesWithoutWeights)
{
    auto graph = random_graph<std::uint32_t>(5, true);
    PreparedGraph prepared;
    for (auto& edge : graph.edges) edge.weight = 1;
    prepare<std::uint32_t>(graph, prepared);
    prepared.feed = nullptr;
    const ShareFeed<std::uint32_t> share(graph, rank, ranks);
    const std::span<const PackedEdge> edges = share.chunk(0, static_cast<std::size_t>(share.size()), {});
    prepared.input.list.edges = HostBuffer<PackedEdge>(edges.size());
    std::ranges::copy(edges, prepared.input.list.edges.data());
    const std::vector<algo::VertexPair> pairs = random_pairs(2, 50);
    BfsRequest request;
    request.search.engine.engine = Engine::cpu;
    request.searches = 50;
    const auto engine = prepare_bfs_pairs(job_, request, asked_engine(job_, request.search), prepared, nullptr);
    EXPECT_EQ(engine->method().find("each rank has the whole graph") != std::string::npos, ranks > 1);
    job::Progress progress(job_, "pairs", pairs.size());
    check(graph, pairs, std::numeric_limits<double>::infinity(), engine->answer(pairs, true, progress));
}

}  // namespace
}  // namespace wayfront::session
