#include "graph/edge_feed.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "support/thread_guard.hpp"

namespace wayfront {
namespace {

/// Edge e joins e and 3e + 1; its weight is e / 2.
class CountingSource final : public EdgeSource
{
public:
    CountingSource(EdgeCount count, bool weighted) : count_(count), weighted_(weighted) {}

    [[nodiscard]] Vertex vertex_count() const override { return 3 * count_ + 1; }
    [[nodiscard]] EdgeCount edge_count() const override { return count_; }
    [[nodiscard]] bool directed() const override { return true; }
    void edges(EdgeCount first, std::span<PackedEdge> out) const override
    {
        EXPECT_LE(first + static_cast<EdgeCount>(out.size()), count_);
        for (PackedEdge& edge : out) edge = expected(first++);
    }
    bool weights(EdgeCount first, std::span<float> out) const override
    {
        if (!weighted_) return false;
        for (float& weight : out) weight = static_cast<float>(first++) / 2;
        return true;
    }
    static PackedEdge expected(EdgeCount e) { return PackedEdge::pack(e, 3 * e + 1); }

private:
    EdgeCount count_;
    bool weighted_;
};

std::vector<PackedEdge> read_all(const EdgeFeed& feed, std::size_t chunk_edges)
{
    std::vector<PackedEdge> edges;
    std::vector<PackedEdge> scratch(chunk_edges);
    const auto size = static_cast<std::size_t>(feed.size());
    for (std::size_t first = 0; first < size; first += chunk_edges) {
        const std::span<const PackedEdge> chunk =
            feed.chunk(static_cast<EdgeCount>(first), std::min(chunk_edges, size - first), scratch);
        edges.insert(edges.end(), chunk.begin(), chunk.end());
    }
    return edges;
}

TEST(SourceFeed, PartsTogetherAreTheGraph)
{
    for (const EdgeCount count : {0, 1, 5, 64, 9001})
        for (const int parts : {1, 2, 3, 8})
            for (const int threads : {1, 3}) {
                const ThreadGuard guard(threads);
                const CountingSource source(count, false);
                std::vector<PackedEdge> edges;
                for (int part = 0; part < parts; ++part) {
                    const SourceFeed feed(source, part, parts);
                    EXPECT_EQ(feed.vertex_count(), source.vertex_count());
                    EXPECT_TRUE(feed.directed());
                    const std::vector<PackedEdge> own = read_all(feed, 4500);
                    edges.insert(edges.end(), own.begin(), own.end());
                }
                ASSERT_EQ(edges.size(), static_cast<std::size_t>(count)) << parts << " parts";
                for (std::size_t e = 0; e < edges.size(); ++e)
                    ASSERT_EQ(edges[e], CountingSource::expected(static_cast<EdgeCount>(e)));
            }
}

TEST(ListFeed, IsTheListItself)
{
    const CountingSource source(100, false);
    const EdgeList list = generate_share(source, 0, 1, false);
    const ListFeed feed(list);
    EXPECT_EQ(feed.vertex_count(), 301);
    EXPECT_EQ(feed.size(), 100);
    EXPECT_TRUE(feed.directed());
    EXPECT_EQ(feed.chunk(40, 10, {}).data(), list.edges.data() + 40);
    EXPECT_EQ(read_all(feed, 7).size(), 100U);
    EXPECT_TRUE(feed.chunk(100, 0, {}).empty());
}

TEST(GenerateShare, EdgesAndWeightsOfAPart)
{
    for (const EdgeCount count : {0, 2, 20000})
        for (const int parts : {1, 3})
            for (const int threads : {1, 2}) {
                const ThreadGuard guard(threads);
                const CountingSource source(count, true);
                EdgeCount e = 0;
                for (int part = 0; part < parts; ++part) {
                    const EdgeList list = generate_share(source, part, parts, true);
                    EXPECT_EQ(list.vertex_count, source.vertex_count());
                    EXPECT_TRUE(list.directed);
                    const auto& weights = std::get<HostBuffer<float>>(list.weights);
                    ASSERT_EQ(weights.size(), list.edges.size());
                    for (std::size_t i = 0; i < weights.size(); ++i, ++e) {
                        ASSERT_EQ(list.edges[i], CountingSource::expected(e));
                        ASSERT_EQ(weights[i], static_cast<float>(e) / 2);
                    }
                }
                EXPECT_EQ(e, count);
            }
}

TEST(GenerateShare, NoWeightsWhereNoneAreWantedOrThere)
{
    EXPECT_FALSE(generate_share(CountingSource(10, true), 0, 1, false).weighted());
    const ThreadGuard guard(2);
    EXPECT_FALSE(generate_share(CountingSource(10000, false), 0, 1, true).weighted());
}

}  // namespace
}  // namespace wayfront
