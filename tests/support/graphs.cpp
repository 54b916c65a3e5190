#include "support/graphs.hpp"

#include <memory>

#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "support/random_numbers.hpp"

namespace wayfront {

namespace {

using oracle::Graph;

Graph path(std::int64_t vertices, bool directed)
{
    Graph graph{vertices, directed, {}};
    for (std::int64_t v = 0; v + 1 < vertices; ++v) graph.edges.emplace_back(v, v + 1);
    return graph;
}

Graph ring(std::int64_t vertices)
{
    Graph graph = path(vertices, true);
    graph.edges.emplace_back(vertices - 1, 0);
    return graph;
}

Graph star(std::int64_t vertices, std::int64_t hub)
{
    Graph graph{vertices, false, {}};
    for (std::int64_t v = 0; v < vertices; ++v)
        if (v != hub) graph.edges.emplace_back(v % 2 == 0 ? hub : v, v % 2 == 0 ? v : hub);
    return graph;
}

Graph square_grid(std::int64_t side)
{
    Graph graph{side * side, false, {}};
    for (std::int64_t y = 0; y < side; ++y)
        for (std::int64_t x = 0; x < side; ++x) {
            if (x + 1 < side) graph.edges.emplace_back(y * side + x, y * side + x + 1);
            if (y + 1 < side) graph.edges.emplace_back(y * side + x, (y + 1) * side + x);
        }
    return graph;
}

Graph complete(std::int64_t vertices)
{
    Graph graph{vertices, false, {}};
    for (std::int64_t u = 0; u < vertices; ++u)
        for (std::int64_t v = u + 1; v < vertices; ++v) graph.edges.emplace_back(u, v);
    return graph;
}

/// Two random components, the odd vertices and the even ones.
Graph two_components(std::int64_t vertices)
{
    Graph graph{vertices, false, {}};
    for (const auto& [u, v] : random_graph(vertices / 2, static_cast<std::size_t>(2 * vertices), false, 31).edges) {
        graph.edges.emplace_back(2 * u, 2 * v);
        graph.edges.emplace_back(2 * u + 1, 2 * v + 1);
    }
    return graph;
}

/// Adds edges that must not change a result: repeats each edge, also backwards if the graph is
/// undirected, and adds self-loops.
Graph with_noise(const Graph& clean)
{
    Graph graph{clean.vertices, clean.directed, {}};
    for (const auto& [u, v] : clean.edges) {
        graph.edges.emplace_back(u, v);
        graph.edges.emplace_back(v, v);
        graph.edges.emplace_back(u, v);
        graph.edges.emplace_back(clean.directed ? u : v, clean.directed ? v : u);
        graph.edges.emplace_back(u, u);
    }
    return graph;
}

Graph loops_only(std::int64_t vertices)
{
    Graph graph{vertices, false, {}};
    for (std::int64_t v = 0; v < vertices; ++v) graph.edges.emplace_back(v, v);
    return graph;
}

/// All edges have the hub as one end, and most of them lead to it.
Graph directed_hub(std::int64_t vertices)
{
    Graph graph{vertices, true, {}};
    for (std::int64_t v = 1; v < vertices; ++v) {
        graph.edges.emplace_back(v, 0);
        if (v % 5 == 0) graph.edges.emplace_back(0, v);
    }
    return graph;
}

std::vector<TestGraph> make_small_graphs()
{
    std::vector<TestGraph> graphs{
        {"OneVertex", {1, false, {}}, {0}},
        {"OneVertexWithALoop", {1, true, {{0, 0}}}, {0}},
        {"TwoVertices", {2, false, {{1, 0}}}, {0, 1}},
        {"OneDirectedEdge", {2, true, {{1, 0}}}, {1, 0}},
        {"ThreeVertices", {3, false, {{0, 2}, {2, 1}}}, {1, 0}},
        {"NoEdges", {10, false, {}}, {0, 9}},
        {"NoEdgesDirected", {70, true, {}}, {69}},
        {"LoopsOnly", loops_only(9), {0, 8}},
        {"Path", path(40, false), {0, 39, 20}},
        {"DirectedPath", path(30, true), {0, 15, 29}},
        {"DirectedRing", ring(29), {0, 7}},
        {"Star", star(100, 3), {3, 50}},
        {"Complete", complete(37), {0, 36}},
        {"Grid", square_grid(12), {0, 77}},
        {"TwoComponents", two_components(150), {0, 1, 148}},
        {"IsolatedKey", {300, false, random_graph(150, 700, false, 32).edges}, {299, 0, 200, 3}},
        {"Random", random_graph(257, 900, false, 33), {0, 256, 100, 0}},
        {"RandomDirected", random_graph(301, 1100, true, 34), {0, 300, 17, 0}},
        {"SparseDirected", random_graph(200, 220, true, 35), {0, 100, 199}},
        {"Duplicates", with_noise(random_graph(101, 250, false, 36)), {0, 100}},
        {"DuplicatesDirected", with_noise(random_graph(101, 250, true, 37)), {0, 100}},
        {"DirectedHub", directed_hub(130), {0, 1, 5}},
        {"Kron", generated_graph("kron:8"), {1, 2, 77, 255}},
    };
    return graphs;
}

}  // namespace

const std::vector<TestGraph>& small_graphs()
{
    static const std::vector<TestGraph> graphs = make_small_graphs();
    return graphs;
}

oracle::Graph random_graph(std::int64_t vertices, std::size_t edges, bool directed, std::uint64_t seed)
{
    RandomNumbers random(seed);
    oracle::Graph graph{vertices, directed, {}};
    for (std::size_t e = 0; e < edges; ++e) {
        const std::int64_t source = random.below(static_cast<std::uint32_t>(vertices));
        const std::int64_t target = random.below(static_cast<std::uint32_t>(vertices));
        graph.edges.emplace_back(source, target);
    }
    return graph;
}

oracle::Graph generated_graph(const std::string& spec)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(spec);
    const EdgeList list = generate_share(*source, 0, 1, false);
    oracle::Graph graph{list.vertex_count, list.directed, {}};
    for (const PackedEdge& edge : list.edges) graph.edges.emplace_back(edge.source(), edge.target());
    return graph;
}

EdgeList share_of(const oracle::Graph& graph, Deal deal, int rank, int ranks)
{
    const std::size_t total = graph.edges.size();
    const auto parts = static_cast<std::size_t>(ranks);
    const auto part = static_cast<std::size_t>(rank);
    // The ranks' parts are 0, 1, 2, ... times the same number of edges.
    const auto border = [&](std::size_t k) {
        return parts == 1 ? k * total : total * k * (k - 1) / (parts * (parts - 1));
    };
    std::vector<PackedEdge> own;
    for (std::size_t e = 0; e < total; ++e) {
        const bool mine = deal == Deal::in_turn       ? e % parts == part
                          : deal == Deal::to_the_last ? part + 1 == parts
                                                      : e >= border(part) && e < border(part + 1);
        if (mine) own.push_back(PackedEdge::pack(graph.edges[e].first, graph.edges[e].second));
    }
    EdgeList list{graph.vertices, graph.directed, HostBuffer<PackedEdge>(own.size()), {}};
    std::ranges::copy(own, list.edges.begin());
    return list;
}

}  // namespace wayfront
