// The facts that an edge list gives besides its edges: headers of several programs, column names,
// attributes, timestamps.
#include "graph/io/edge_list_header.hpp"

#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::edges_of;
using io_testing::floats_of;
using io_testing::input_error;
using io_testing::integers_of;
using io_testing::parse_whole;
using EdgeVector = std::vector<Edge>;

GraphShare parse(std::string_view text)
{
    return parse_whole(FileFormat::edge_list, text);
}

/// The message without "file:".
std::string fault(std::string_view text)
{
    const std::string message = input_error([&] { parse(text); });
    return message.starts_with("file:") ? message.substr(5) : message;
}

TEST(EdgeListHeader, ContainsTheDirection)
{
    EXPECT_FALSE(parse("# Undirected graph: ../../data/output/youtube.ungraph.txt\n0 1\n").list.directed);
    EXPECT_FALSE(parse("# comment\n\n#undirected Graph\n0 1\n").list.directed);
    EXPECT_TRUE(
        parse("# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n0 1\n").list.directed);
    EXPECT_TRUE(parse("# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n0 1\n")
                    .facts.direction_known);
    for (const char* const silent :
         {"0 1\n", "# a graph\n0 1\n", "# an undirected graph is meant\n0 1\n", "0 1\n# Undirected graph\n"}) {
        EXPECT_TRUE(parse(silent).list.directed) << silent;
        EXPECT_FALSE(parse(silent).facts.direction_known) << silent;
    }
}

TEST(EdgeListHeader, ContainsTheNumberOfVertices)
{
    EXPECT_EQ(parse("# Nodes: 7 Edges: 1\n0 1\n").list.vertex_count, 7);
    EXPECT_EQ(parse("# Nodes:\t7\tEdges: 1\n0 1\n").list.vertex_count, 7);
    EXPECT_EQ(parse("# Nodes: 7 Edges: 1\n0 9\n").list.vertex_count, 10) << "SNAP counts those with edges";
    EXPECT_EQ(parse("# Nodes: many\n0 1\n").list.vertex_count, 2);
    EXPECT_EQ(parse("# Nodes: 99999999999999999999\n0 1\n").list.vertex_count, 2);
    EXPECT_EQ(parse("# Nodes: 7 Edges: 0\n").list.vertex_count, 7);
    EXPECT_TRUE(parse("# Nodes: 7 Edges: 0\n").list.edges.empty());
    EXPECT_EQ(parse("# only a comment\n").list.vertex_count, 0);
    EXPECT_EQ(fault("# Nodes: 7 Edges: 2\n0 1\n"), "1: expected 2 edges, as the header says, found 1");
}

TEST(EdgeListHeader, ContainsTheFirstVertexWhichOptionsOverride)
{
    constexpr std::string_view kText = "# Nodes: 3 Edges: 1\n# Vertices are numbered from 1\n1 2\n";
    const GraphShare share = parse(kText);
    EXPECT_EQ(share.facts.first_vertex, 1);
    EXPECT_EQ(share.list.vertex_count, 3);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}}));
    const GraphShare zero = parse_text(FileFormat::edge_list, kText, "file", {.first_vertex = 0});
    EXPECT_EQ(zero.facts.first_vertex, 0);
    EXPECT_EQ(edges_of(zero.list), (EdgeVector{{1, 2}}));
    const GraphShare one = parse_text(FileFormat::edge_list, "1 2\n3 1\n", "file", {.first_vertex = 1});
    EXPECT_EQ(edges_of(one.list), (EdgeVector{{0, 1}, {2, 0}}));
    EXPECT_EQ(one.list.vertex_count, 3);
    EXPECT_EQ(input_error([] { parse_text(FileFormat::edge_list, "1 2\n0 1\n", "file", {.first_vertex = 1}); }),
              "file:2:1: expected a vertex from 1 to 281474976710656, found '0'");
}

TEST(EdgeListHeader, OfKonect)
{
    const GraphShare sym = parse("% sym unweighted\n% 2 5 5\n1 2\n2 3\n");
    EXPECT_FALSE(sym.list.directed);
    EXPECT_EQ(sym.facts.first_vertex, 1);
    EXPECT_EQ(sym.list.vertex_count, 5);
    EXPECT_EQ(edges_of(sym.list), (EdgeVector{{0, 1}, {1, 2}}));
    EXPECT_TRUE(parse("% asym positive\n1 2 3\n").list.directed);
    EXPECT_TRUE(parse("% asym positive\n1 2 3\n").facts.direction_known);
    EXPECT_FALSE(parse("% symbols of all kinds\n1 2 3\n").facts.direction_known);
    EXPECT_EQ(fault("% sym\n0 1\n"),
              "2:1: expected a vertex (KONECT numbers them from 1; --zero-based allows 0) from 1 to 281474976710656, "
              "found '0'");
}

TEST(EdgeListHeader, OfABipartiteGraphKeepsTheSidesApart)
{
    const GraphShare share = parse("% bip unweighted\n% 3 2 4\n1 1\n2 3\n2 4\n");
    EXPECT_FALSE(share.list.directed);
    EXPECT_EQ(share.list.vertex_count, 6);
    EXPECT_EQ(share.facts.right_vertices, 4);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 2}, {1, 4}, {1, 5}}));
    EXPECT_EQ(
        fault("% bip unweighted\n1 1\n"),
        "1:1: expected a line `% EDGES LEFT RIGHT`, the numbers of a bipartite graph, after this one, found none");
    EXPECT_EQ(
        fault("% bip unweighted\n% 3 2 4\n3 1\n"),
        " expected vertices up to 2 on the left and up to 4 on the right, as the header says, found the edge 3 1");
    EXPECT_NE(fault("% bip unweighted\n% 3 2 4\n2 5\n"), "no error");
}

TEST(EdgeListHeader, ColumnNames)
{
    const EdgeVector edges = {{0, 1}, {1, 2}};
    EXPECT_EQ(edges_of(parse("source,target\n0,1\n1,2\n").list), edges);
    EXPECT_EQ(edges_of(parse("\"Source\",\"Target\"\r\n0,1\r\n1,2\r\n").list), edges);
    EXPECT_EQ(edges_of(parse("\xEF\xBB\xBFid_1,id_2\n0,1\n1,2\n").list), edges);
    EXPECT_EQ(edges_of(parse("\xEF\xBB\xBF"
                             "0,1\n1,2\n")
                           .list),
              edges);
    EXPECT_EQ(edges_of(parse("from\tto\n0\t1\n1\t2\n").list), edges);
    EXPECT_EQ(integers_of(parse("source,target,weight\n0,1,5\n1,2,7\n").list), (std::vector<std::int32_t>{5, 7}));
    EXPECT_EQ(floats_of(parse("# x\nsource,target,weight\n0,1,5\n1,2,7.5\n").list), (std::vector<float>{5, 7.5}));
    EXPECT_EQ(parse("source,target\n").list.vertex_count, 0);
    EXPECT_EQ(edges_of(parse(",source,target\n0,0,1\n1,1,2\n").list), edges) << "pandas writes its index";
    EXPECT_EQ(edges_of(parse("weight,source,target\n5,0,1\n7,1,2\n").list), edges);
    EXPECT_EQ(integers_of(parse("weight;target;source\n5;1;0\n7;2;1\n").list), (std::vector<std::int32_t>{5, 7}));
    EXPECT_EQ(edges_of(parse("target,source\n1,0\n2,1\n").list), edges);
    EXPECT_EQ(edges_of(parse("source target\n0 1\n1 2\n").list), edges);
    EXPECT_EQ(floats_of(parse("u,v,key,\"length\"\n0,1,0,\"12.5\"\n1,2,0,7.25\n").list),
              (std::vector<float>{12.5, 7.25}));
    EXPECT_EQ(fault("u,v,length,cost\n0,1,2,3\n"),
              "1:1: expected one column of this kind, or --weight-column NAME, found 'length' and 'cost'");
    EXPECT_EQ(fault("source,name,kind\n0,1,2\n"),
              "1:1: expected a column of targets, or --target-column NAME, found 'source,name,kind'");
    EXPECT_EQ(fault("source;target\n0;1;2\n"), "2:1: expected 2 columns, as in the first line, found 3");
    EXPECT_EQ(fault("source\ttarget\tweight\n0\t1\t0,5\n"),
              "2:5: expected a number with a decimal point, not a comma, found '0,5'");
    EXPECT_TRUE(parse("alice,bob\nbob,carol\n").facts.named);
    EXPECT_EQ(
        fault("0,1\nsource,target\n"),
        "2:1: expected a vertex from 0 to 281474976710655 (--names reads names instead of numbers), found 'source'");
}

TEST(EdgeListReader, SkipsTimestamps)
{
    const GraphShare share = parse("0 1 5 1082040961\n1 2 7 1082155839.5\n2 0 -1\n");
    EXPECT_TRUE(share.facts.notes.timestamps);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {1, 2}, {2, 0}}));
    EXPECT_EQ(integers_of(share.list), (std::vector<std::int32_t>{5, 7, -1}));
    EXPECT_FALSE(parse("0 1 5\n").facts.notes.timestamps);
    // Far from the end of the text, lines are parsed by the fast functions.
    std::string many;
    for (int i = 0; i < 100; ++i) many += "0 1 " + std::to_string(i) + " 1082040961\r\n";
    EXPECT_EQ(parse(many).list.edges.size(), 100U);
    EXPECT_EQ(integers_of(parse(many).list).back(), 99);
}

TEST(EdgeListReader, ReadsAttributesOfNetworkX)
{
    const EdgeVector edges = {{0, 1}, {1, 2}};
    EXPECT_EQ(edges_of(parse("0 1 {}\n1 2 {}\n").list), edges);
    EXPECT_FALSE(parse("0 1 {}\n1 2 {}\n").list.weighted());
    EXPECT_EQ(integers_of(parse("0 1 {'weight': 5}\n1 2 {'weight': -7}\n").list), (std::vector<std::int32_t>{5, -7}));
    EXPECT_EQ(floats_of(parse("0 1 {'weight': 5}\n1 2 {\"weight\":0.5}\n").list), (std::vector<float>{5, 0.5}));
    EXPECT_EQ(fault("0 1 {}\n1 2 {'weight': 5}\n"), "2:5: expected `{}` as after the first edge, found '{'weight':'");
    EXPECT_EQ(fault("0 1 {'weight': 5}\n1 2 {}\n"),
              "2:5: expected `{'weight': NUMBER}` as after the first edge, found '{}'");
    EXPECT_EQ(fault("0 1 {'weight': 5}\n1 2 {'weight': x}\n"), "2:16: expected a weight, found 'x}'");
    const std::string message = fault("0 1 {'weight': 5, 'color': 'red'}\n");
    EXPECT_TRUE(
        message.starts_with("1:5: expected `{}` or `{'weight': NUMBER}` (NetworkX writes the weights alone with "))
        << message;
}

TEST(EdgeListReader, RefusesXml)
{
    EXPECT_THROW(static_cast<void>(parse_text(FileFormat::edge_list, "<?xml version='1.0'?>\n<graphml>\n", "g")),
                 InputError);
    const std::string message = fault("<?xml version='1.0'?>\n<gexf>\n");
    EXPECT_TRUE(message.starts_with("1:1: expected an edge")) << message;
    EXPECT_NE(message.find("nx.write_edgelist(G, 'graph.wel', data=['weight'])"), std::string::npos) << message;
}

/// The facts that the header determines apply to all shares, including those that do not read the
/// header.
TEST(EdgeListShares, AgreeOnTheHeader)
{
    std::string edges;
    for (int i = 1; i < 300; ++i) edges += std::to_string(i) + ' ' + std::to_string(i + 1) + '\n';
    for (const std::string header : {"% sym unweighted\n% 299 310 310\n", "% bip unweighted\n% 299 305 306\n",
                                     "# Undirected graph\n# Nodes: 310 E\n"}) {
        const std::string text = header + edges;
        const GraphShare whole = parse(text);
        EdgeVector joined;
        ShareFacts all;
        for (int part = 0; part < 3; ++part) {
            const GraphShare share = parse_text(FileFormat::edge_list, text, "file", {.part = part, .parts = 3});
            EXPECT_FALSE(share.list.directed);
            EXPECT_EQ(share.facts.first_vertex, whole.facts.first_vertex);
            const EdgeVector some = edges_of(share.list);
            joined.insert(joined.end(), some.begin(), some.end());
            all = merge(all, share.facts);
        }
        EXPECT_EQ(joined, edges_of(whole.list)) << header;
        EXPECT_EQ(all.vertex_count, whole.list.vertex_count);
        EXPECT_TRUE(all.direction_known);
    }
}

}  // namespace
}  // namespace wayfront
