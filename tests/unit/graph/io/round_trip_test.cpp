// Graphs that are written are read back equal: in every format, with and without weights,
// compressed and not, in pieces and at once.
#include "graph/io/graph_writer.hpp"
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::edges_of;
using io_testing::floats_of;
using io_testing::input_error;
using io_testing::integers_of;
using io_testing::make_list;
using io_testing::message_of;
using io_testing::TemporaryFolder;
using io_testing::write_graph;
using EdgeVector = std::vector<Edge>;

constexpr Vertex kVertices = 3000;

/// Edges of a graph, with self-loops and repetitions, too. The last vertex has an edge, so that it
/// is counted by formats without a vertex count.
EdgeVector test_edges(bool loops)
{
    EdgeVector edges;
    std::uint64_t state = 5;
    const auto vertex = [&] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Vertex>((state >> 33) % kVertices);
    };
    while (edges.size() < 9000) {
        const Edge edge{vertex(), vertex()};
        if (loops || edge.source != edge.target) edges.push_back(edge);
    }
    edges.push_back({0, kVertices - 1});
    if (loops) edges.push_back({7, 7});
    return edges;
}

std::vector<std::int32_t> test_integers(std::size_t count)
{
    std::vector<std::int32_t> weights;
    for (std::size_t i = 0; i < count; ++i) weights.push_back(static_cast<std::int32_t>(i * 2654435761U));
    return weights;
}

std::vector<float> test_floats(std::size_t count)
{
    std::vector<float> weights;
    for (std::size_t i = 0; i < count; ++i)
        weights.push_back(static_cast<float>(i % 5 == 0 ? static_cast<double>(i) : 1.0 / static_cast<double>(i + 1)));
    weights[1] = 1e-42F;
    weights[2] = 3.4028235e38F;
    weights[3] = -16777216.0F;
    weights[4] = 4e9F;
    return weights;
}

/// Undirected edges as a set of ordered pairs, with weights: formats may reverse and reorder edges.
template <typename Weight>
std::vector<std::tuple<Vertex, Vertex, Weight>> normal_form(const EdgeVector& edges, const std::vector<Weight>& weights)
{
    std::vector<std::tuple<Vertex, Vertex, Weight>> form;
    for (std::size_t i = 0; i < edges.size(); ++i)
        form.emplace_back(std::min(edges[i].source, edges[i].target), std::max(edges[i].source, edges[i].target),
                          weights[i]);
    std::ranges::sort(form);
    return form;
}

const std::vector<std::string> kTextEndings = {"", ".gz", ".xz", ".zst"};

TEST(RoundTrip, DirectedFormatsKeepTheOrder)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    for (const std::string name : {"a.mtx", "a.txt", "a.el", "a.csv"}) {
        for (const std::string& ending : kTextEndings) {
            const std::string path = folder.file(name + ending);
            write_graph(path, make_list(kVertices, true, edges));
            const GraphShare share = read_graph(path);
            EXPECT_EQ(edges_of(share.list), edges) << path;
            EXPECT_EQ(share.list.vertex_count, kVertices);
            EXPECT_TRUE(share.list.directed);
            EXPECT_FALSE(share.list.weighted());
        }
    }
}

TEST(RoundTrip, DirectedFormatsKeepWholeWeights)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    const std::vector<std::int32_t> weights = test_integers(edges.size());
    for (const std::string name : {"a.gr", "a.mtx", "a.wel"}) {
        for (const std::string& ending : kTextEndings) {
            const std::string path = folder.file(name + ending);
            write_graph(path, make_list(kVertices, true, edges, weights));
            const GraphShare share = read_graph(path);
            EXPECT_EQ(edges_of(share.list), edges) << path;
            EXPECT_EQ(integers_of(share.list), weights);
            EXPECT_EQ(share.list.vertex_count, kVertices);
            EXPECT_TRUE(share.list.directed);
        }
    }
}

TEST(RoundTrip, FloatsComeBackBitByBit)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    const std::vector<float> weights = test_floats(edges.size());
    for (const std::string name : {"a.mtx", "a.wel.zst", "a.tsv"}) {
        const std::string path = folder.file(name);
        write_graph(path, make_list(kVertices, true, edges, weights));
        EXPECT_EQ(floats_of(read_graph(path).list), weights) << path;
    }
    // Floats that are whole remain floats.
    write_graph(folder.file("whole.wel"), make_list(3, true, {{0, 1}, {1, 2}}, std::vector<float>{2, 3}));
    EXPECT_EQ(floats_of(read_graph(folder.file("whole.wel")).list), (std::vector<float>{2, 3}));
    write_graph(folder.file("a.tuples"), make_list(kVertices, false, edges, weights));
    EXPECT_EQ(floats_of(read_graph(folder.file("a.tuples")).list), weights);
}

TEST(RoundTrip, UndirectedFormatsKeepTheEdges)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    const std::vector<int> none(edges.size(), 0);
    for (const std::string name :
         {"a.gr", "a.gr.gz", "a.mtx", "a.graph", "a.graph.xz", "a.graph.zst", "a.sg", "a.tuples", "a.el", "a.txt.gz"}) {
        const std::string path = folder.file(name);
        write_graph(path, make_list(kVertices, false, edges));
        const GraphShare share = read_graph(path);
        EXPECT_EQ(normal_form(edges_of(share.list), none), normal_form(edges, none)) << path;
        EXPECT_EQ(share.list.vertex_count, kVertices);
        EXPECT_FALSE(share.list.directed);
        EXPECT_FALSE(share.list.weighted());
    }
}

TEST(RoundTrip, UndirectedFormatsKeepWholeWeights)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    const std::vector<std::int32_t> weights = test_integers(edges.size());
    for (const std::string name : {"a.mtx", "a.graph", "a.graph.gz", "a.wsg", "a.wel"}) {
        const std::string path = folder.file(name);
        write_graph(path, make_list(kVertices, false, edges, weights));
        const GraphShare share = read_graph(path);
        EXPECT_EQ(normal_form(edges_of(share.list), integers_of(share.list)), normal_form(edges, weights)) << path;
        EXPECT_FALSE(share.list.directed);
    }
}

TEST(RoundTrip, DirectedGapbsGraphsKeepTheEdges)
{
    const TemporaryFolder folder;
    EdgeVector edges = test_edges(true);
    const std::vector<std::int32_t> weights = test_integers(edges.size());
    const auto sorted = [](const EdgeVector& some, const std::vector<std::int32_t>& with) {
        std::vector<std::tuple<Vertex, Vertex, std::int32_t>> form;
        for (std::size_t i = 0; i < some.size(); ++i) form.emplace_back(some[i].source, some[i].target, with[i]);
        std::ranges::sort(form);
        return form;
    };
    write_graph(folder.file("a.wsg"), make_list(kVertices, true, edges, weights));
    const GraphShare weighted = read_graph(folder.file("a.wsg"));
    EXPECT_EQ(sorted(edges_of(weighted.list), integers_of(weighted.list)), sorted(edges, weights));
    EXPECT_TRUE(weighted.list.directed);
    write_graph(folder.file("a.sg"), make_list(kVertices, true, edges));
    const std::vector<std::int32_t> none(edges.size(), 0);
    EXPECT_EQ(sorted(edges_of(read_graph(folder.file("a.sg")).list), none), sorted(edges, none));
}

TEST(RoundTrip, UndirectedWeightsBecomeTwoArcsInDimacs)
{
    const TemporaryFolder folder;
    write_graph(folder.file("a.gr"), make_list(4, false, {{0, 1}, {3, 2}}, std::vector<std::int32_t>{5, 7}));
    EXPECT_EQ(io_testing::bytes_of(folder.file("a.gr")), "p sp 4 4\na 1 2 5\na 2 1 5\na 4 3 7\na 3 4 7\n");
    EXPECT_EQ(read_graph(folder.file("a.gr")).list.edges.size(), 4U);
}

/// The properties that formats keep of a graph whose last vertices have no edges, when it is
/// written from one format to the next.
TEST(RoundTrip, EveryPairOfFormatsKeepsNumbersDirectionAndVertices)
{
    const TemporaryFolder folder;
    const EdgeVector edges = {{0, 1}, {0, 3}, {1, 3}};
    const std::vector<std::int32_t> weights = {5, 1, 7};
    for (const bool weighted : {false, true}) {
        const std::vector<std::string> names =
            weighted ? std::vector<std::string>{"a.mtx", "a.el", "a.graph", "a.wsg"}
                     : std::vector<std::string>{"a.gr", "a.mtx", "a.el", "a.graph", "a.sg"};
        for (const std::string& first : names) {
            for (const std::string& second : names) {
                write_graph(folder.file("1" + first),
                            weighted ? make_list(6, false, edges, weights) : make_list(6, false, edges));
                write_graph(folder.file("2" + second), read_graph(folder.file("1" + first)).list);
                const GraphShare share = read_graph(folder.file("2" + second));
                EXPECT_EQ(share.list.vertex_count, 6) << first << ", " << second;
                EXPECT_FALSE(share.list.directed) << first << ", " << second;
                const std::vector<std::int32_t> unit(edges.size(), 1);
                const std::vector<std::int32_t> found = weighted ? integers_of(share.list) : unit;
                EXPECT_EQ(normal_form(edges_of(share.list), found), normal_form(edges, weighted ? weights : unit))
                    << first << ", " << second;
            }
        }
    }
    // Vertices are numbered from 1; the header of the file says so.
    write_graph(folder.file("one.el"), make_list(6, false, edges), 1);
    const GraphShare one = read_graph(folder.file("one.el"));
    EXPECT_EQ(one.facts.first_vertex, 1);
    EXPECT_EQ(one.list.vertex_count, 6);
    EXPECT_EQ(edges_of(one.list), edges);
}

TEST(RoundTrip, GraphsWithoutEdgesAreReadBack)
{
    const TemporaryFolder folder;
    for (const std::string name : {"a.gr", "a.mtx", "a.el", "a.txt.gz", "a.graph", "a.sg", "a.csv"}) {
        write_graph(folder.file(name), make_list(5, false, {}));
        const GraphShare share = read_graph(folder.file(name));
        EXPECT_EQ(share.list.vertex_count, name == "a.csv" ? 0 : 5) << name;
        EXPECT_TRUE(share.list.edges.empty());
    }
}

TEST(GraphWriter, WritesWhatTheFormatsSay)
{
    const TemporaryFolder folder;
    const auto bytes = [&](const std::string& name, const EdgeList& list, Vertex first = 0) {
        write_graph(folder.file(name), list, first);
        return io_testing::bytes_of(folder.file(name));
    };
    const EdgeVector edges = {{0, 2}, {1, 0}};
    const std::vector<std::int32_t> integers = {5, -7};
    const std::vector<float> floats = {5, 0.1F};
    EXPECT_EQ(bytes("a.gr", make_list(3, true, edges, integers)), "p sp 3 2\na 1 3 5\na 2 1 -7\n");
    EXPECT_EQ(bytes("b.gr", make_list(3, false, edges)), "p tw 3 2\n1 3\n2 1\n");
    EXPECT_EQ(bytes("a.mtx", make_list(3, true, edges)),
              "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 3\n2 1\n");
    EXPECT_EQ(bytes("b.mtx", make_list(3, false, edges, integers)),
              "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n3 1 5\n2 1 -7\n");
    EXPECT_EQ(bytes("c.mtx", make_list(3, true, edges, floats)),
              "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 3 5\n2 1 0.1\n");
    EXPECT_EQ(bytes("a.el", make_list(3, true, edges)),
              "# Directed graph: source target\n# Nodes: 3 Edges: 2\n0 2\n1 0\n");
    EXPECT_EQ(bytes("a.wel", make_list(3, true, edges, floats)),
              "# Directed graph: source target weight\n# Nodes: 3 Edges: 2\n0 2 5.0\n1 0 0.1\n");
    EXPECT_EQ(bytes("b.el", make_list(3, false, edges), 1),
              "# Undirected graph: source target\n# Nodes: 3 Edges: 2\n# Vertices are numbered from 1\n1 3\n2 1\n");
    EXPECT_EQ(bytes("a.csv", make_list(3, true, edges)), "source,target\n0,2\n1,0\n");
    EXPECT_EQ(bytes("b.csv", make_list(3, true, edges, floats), 1), "source,target,weight\n1,3,5.0\n2,1,0.1\n");
    EXPECT_EQ(bytes("a.graph", make_list(4, false, edges, integers)), "4 2 001\n2 -7 3 5\n1 -7\n1 5\n\n");
    EXPECT_EQ(bytes("b.graph", make_list(4, false, edges)), "4 2\n2 3\n1\n1\n\n");
}

TEST(GraphWriter, TakesEdgesInPieces)
{
    const TemporaryFolder folder;
    const EdgeVector edges = test_edges(true);
    const std::vector<std::int32_t> weights = test_integers(edges.size());
    const EdgeList directed = make_list(kVertices, true, edges, weights);
    const EdgeList undirected = make_list(kVertices, false, edges, weights);
    for (const std::string name : {"a.gr.zst", "a.mtx", "a.wel", "a.wsg", "a.graph"}) {
        const EdgeList& list = name == "a.graph" ? undirected : directed;
        write_graph(folder.file(name), list);
        const std::string piecewise = folder.file("pieces-" + name);
        GraphWriter writer(piecewise, {.vertex_count = kVertices,
                                       .edge_count = static_cast<EdgeCount>(edges.size()),
                                       .directed = list.directed,
                                       .weights = WeightKind::int32});
        for (std::size_t first = 0, size = 1; first < edges.size(); first += size, size = 2 * size + 1) {
            size = std::min(size, edges.size() - first);
            writer.append(list.edges.span().subspan(first, size), std::span(weights).subspan(first, size));
        }
        EXPECT_FALSE(std::filesystem::exists(piecewise));
        writer.commit();
        EXPECT_EQ(edges_of(read_graph(piecewise).list), edges_of(read_graph(folder.file(name)).list)) << name;
        EXPECT_EQ(integers_of(read_graph(piecewise).list), integers_of(read_graph(folder.file(name)).list)) << name;
    }
}

TEST(GraphWriter, RefusesWhatAFormatCannotSay)
{
    const TemporaryFolder folder;
    const EdgeVector edges = {{0, 1}};
    const EdgeList plain = make_list(2, true, edges);
    const EdgeList integers = make_list(2, true, edges, std::vector<std::int32_t>{16777217});
    const EdgeList floats = make_list(2, true, edges, std::vector<float>{0.5F});
    const auto refusal = [&](const std::string& name, const EdgeList& list) {
        const std::string message = input_error([&] { write_graph(folder.file(name), list); });
        EXPECT_TRUE(message.starts_with(folder.file(name) + ": ")) << message;
        EXPECT_TRUE(folder.names().empty());
        return message.substr(std::min(message.size(), folder.file(name).size() + 2));
    };
    EXPECT_EQ(refusal("a.gr", plain),
              "DIMACS files of directed graphs hold weights, and this graph has none; give it some (--weights), or "
              "write .mtx or .el");
    EXPECT_EQ(refusal("a.gr", floats),
              "DIMACS files hold whole weights, and this graph's are floats; write .mtx, .wel or .tuples instead");
    EXPECT_EQ(refusal("a.graph", plain),
              "METIS files hold undirected graphs, and this one is directed (--undirected makes it undirected)");
    EXPECT_EQ(refusal("a.graph", floats),
              "METIS files hold whole weights, and this graph's are floats; write .mtx, .wel or .tuples instead");
    EXPECT_EQ(refusal("a.sg", integers), "GAPBS .sg files hold no weights, and this graph has some; write .wsg");
    EXPECT_EQ(refusal("a.wsg", plain), "GAPBS .wsg files hold weights, and this graph has none; write .sg");
    EXPECT_EQ(refusal("a.wsg", floats),
              "GAPBS .wsg files hold whole weights, and this graph's are floats; write .mtx, .wel or .tuples instead");
    EXPECT_EQ(refusal("a.sg", make_list(Vertex{1} << 31, true, edges)),
              "GAPBS files hold up to 2147483647 vertices, and this graph has 2147483648");
    EXPECT_EQ(refusal("a.tuples", plain),
              "Graph500 tuples are undirected edges, and this graph is directed (--undirected makes it undirected)");
    EXPECT_EQ(refusal("a.tuples", make_list(2, false, edges, std::vector<std::int32_t>{16777217})),
              "weights of tuple files are floats, which cannot represent the weight 16777217 exactly");
    EXPECT_EQ(refusal("a.tuples", make_list(2, false, {})),
              "a tuple file contains edges only, and this graph has no edges");
    EXPECT_TRUE(refusal("a.bin", plain).starts_with("unknown file extension; known are "));
}

TEST(GraphWriter, WantsWhatWasAnnounced)
{
    const TemporaryFolder folder;
    const EdgeList list = make_list(2, true, {{0, 1}, {1, 0}});
    const GraphHeader one{.vertex_count = 2, .edge_count = 1, .directed = true};
    const GraphHeader three{.vertex_count = 2, .edge_count = 3, .directed = true};
    EXPECT_EQ(message_of<ResultError>([&] { GraphWriter(folder.file("a.el"), one).append(list.edges.span(), {}); }),
              "writing a graph: more edges than the 1 announced");
    EXPECT_EQ(message_of<ResultError>([&] {
                  GraphWriter writer(folder.file("a.el"), three);
                  writer.append(list.edges.span(), {});
                  writer.commit();
              }),
              "writing a graph: 2 edges instead of the 3 announced");
    EXPECT_EQ(message_of<ResultError>([&] {
                  const std::vector<float> weights = {1, 2};
                  GraphWriter(folder.file("a.el"), three).append(list.edges.span(), std::span<const float>(weights));
              }),
              "writing a graph: weights that are not those announced");
    EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace wayfront
