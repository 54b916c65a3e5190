#include "graph/io/declared_graph.hpp"

#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io::DeclaredGraph;

TEST(DeclaredGraph, TakesMoreEdgesThanExpected)
{
    constexpr std::size_t edges = 5000;
    std::size_t announced_bytes = 0;
    ReadOptions options;
    options.before_memory = [&](std::size_t bytes) { announced_bytes = std::max(announced_bytes, bytes); };
    DeclaredGraph graph("file", options, {2, 3});
    graph.add_vertex("a", {});
    graph.add_vertex("b", {});
    for (std::size_t i = 0; i < edges; ++i)
        graph.add_edge(i % 3 == 0 ? "a" : "b", "a", std::to_string(i), {static_cast<long>(i), 1});
    EXPECT_GE(announced_bytes, edges * sizeof(PackedEdge));

    const GraphShare share = graph.finish(true);
    ASSERT_EQ(share.list.edges.size(), edges);
    const std::vector<std::int32_t> weights = io_testing::integers_of(share.list);
    ASSERT_EQ(weights.size(), edges);
    for (std::size_t i = 0; i < edges; ++i) {
        EXPECT_EQ(share.names.place_of(share.list.edges[i].source()), i % 3 == 0 ? 0U : 1U);
        EXPECT_EQ(share.names.place_of(share.list.edges[i].target()), 0U);
        EXPECT_EQ(weights[i], static_cast<std::int32_t>(i));
    }
}

/// The sizes that the reader of a text announces.
std::size_t announced(FileFormat format, const std::string& text)
{
    std::size_t bytes = 0;
    ReadOptions options;
    options.before_memory = [&](std::size_t more) { bytes = std::max(bytes, more); };
    static_cast<void>(parse_text(format, text, "file", options));
    return bytes;
}

TEST(DeclaredGraph, AnnouncesMemoryOfVertices)
{
    constexpr std::size_t vertices = 1000;
    std::string gml = "graph [\n";
    std::string graphml = "<graphml><graph edgedefault=\"directed\">";
    for (std::size_t i = 0; i < vertices; ++i) {
        gml += "node [ id " + std::to_string(i) + " ]\n";
        graphml += "<node id=\"" + std::to_string(i) + "\"/>";
    }
    constexpr std::size_t record_bytes = 128;  // of a node in GML
    EXPECT_GE(announced(FileFormat::gml, gml + "]\n"), vertices * (record_bytes + 2 * sizeof(std::size_t)));
    EXPECT_GE(announced(FileFormat::graphml, graphml + "</graph></graphml>"), vertices * 2 * sizeof(std::size_t));
}

TEST(DeclaredGraph, CountsWords)
{
    EXPECT_EQ(io::count_words("edge [ edge[ edges edge\n<edge a/> edge", "edge"), 4U);
    EXPECT_EQ(io::count_words("", "edge"), 0U);
}

}  // namespace
}  // namespace wayfront
