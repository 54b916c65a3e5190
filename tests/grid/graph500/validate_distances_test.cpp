// The validator of shortest paths: correct results of all types pass, and violations of each of the
// five rules are found, over any number of ranks.
#include "graph500/validate_distances.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "support/random_numbers.hpp"
#include "support/validate_testing.hpp"

namespace wayfront::graph500 {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

struct WeightedEdge
{
    Vertex source;
    Vertex target;
    double weight;
};

/// A graph that every rank knows completely.
struct WeightedGraph
{
    Vertex n = 0;
    bool directed = false;
    std::vector<WeightedEdge> edges;
};

/// The result of a search, for all vertices.
struct Result
{
    std::vector<double> distances;
    std::vector<Vertex> parents;
    // For a search from several keys: the keys, and the nearest key of each vertex.
    std::vector<Vertex> keys{};
    std::vector<Vertex> nearest{};
};

enum class Types { uint32, uint32_int64, int64, float32, float64 };  // of weights and distances
constexpr Types kAllTypes[] = {Types::uint32, Types::uint32_int64, Types::int64, Types::float32, Types::float64};

/// Bellman-Ford by plain loops, with sums of type D.
template <typename D>
Result bellman_ford(const WeightedGraph& graph, Vertex key)
{
    std::vector<D> distances(static_cast<std::size_t>(graph.n), std::numeric_limits<D>::max());
    std::vector<Vertex> parents(distances.size(), kUnreached);
    distances[static_cast<std::size_t>(key)] = 0;
    parents[static_cast<std::size_t>(key)] = key;
    for (bool changed = true; changed;) {
        changed = false;
        const auto relax = [&](Vertex from, Vertex to, double weight) {
            const auto u = static_cast<std::size_t>(from);
            const auto v = static_cast<std::size_t>(to);
            if (parents[u] == kUnreached) return;
            const D length = distances[u] + static_cast<D>(weight);
            if (!(length < distances[v])) return;
            distances[v] = length;
            parents[v] = from;
            changed = true;
        };
        for (const auto& [source, target, weight] : graph.edges) {
            relax(source, target, weight);
            if (!graph.directed) relax(target, source, weight);
        }
    }
    Result result{{}, parents, {}, {}};
    for (std::size_t v = 0; v < distances.size(); ++v)
        result.distances.push_back(parents[v] == kUnreached ? kFar : static_cast<double>(distances[v]));
    return result;
}

class ValidateDistances : public testing::TestWithParam<ValidatorSizes>
{
protected:
    /// Validates with the edges dealt to the ranks in turn, so that shares differ in length.
    Validation validate(const WeightedGraph& graph, Vertex key, const Result& result, Types types)
    {
        switch (types) {
            case Types::uint32:
                return validate_as<std::int32_t, std::uint32_t>(graph, key, result, WeightType::uint32);
            case Types::uint32_int64:
                return validate_as<std::int32_t, std::int64_t>(graph, key, result, WeightType::uint32);
            case Types::int64:
                return validate_as<std::int32_t, std::int64_t>(graph, key, result, WeightType::int64);
            case Types::float32:
                return validate_as<float, float>(graph, key, result, WeightType::float32);
            case Types::float64:
                break;
        }
        return validate_as<float, double>(graph, key, result, WeightType::float64);
    }

    template <typename W, typename D>
    Validation validate_as(const WeightedGraph& graph, Vertex key, const Result& result, WeightType type)
    {
        const auto rank = static_cast<std::size_t>(world_.rank());
        const auto ranks = static_cast<std::size_t>(world_.size());
        const std::size_t count = (graph.edges.size() + ranks - 1 - rank) / ranks;
        EdgeList list{graph.n, graph.directed, HostBuffer<PackedEdge>(count), {}};
        HostBuffer<W> weights(count);
        for (std::size_t i = 0; i < count; ++i) {
            const WeightedEdge& edge = graph.edges[rank + i * ranks];
            list.edges[i] = PackedEdge::pack(edge.source, edge.target);
            weights[i] = static_cast<W>(edge.weight);
        }
        list.weights = std::move(weights);
        const ListFeed feed(list, type);
        const Partition partition(graph.n, 1, world_.size());
        const std::uint32_t size = partition.chunk_size(world_.rank());
        HostBuffer<D> distances(size);
        VertexArray parents(size, graph.n);
        VertexArray nearest(size, graph.n);
        for (std::uint32_t local = 0; local < size; ++local) {
            const auto v = static_cast<std::size_t>(partition.vertex(world_.rank(), local));
            distances[local] = result.distances[v] == kFar ? unreached<D>() : static_cast<D>(result.distances[v]);
            parents.set(local, result.parents[v]);
            if (!result.keys.empty()) nearest.set(local, result.nearest[v]);
        }
        SsspValidator validator(world_, partition, feed, GetParam());
        if (!result.keys.empty())
            return validator.validate_nearest(result.keys, nearest, Distances(std::move(distances)), parents);
        return validator.validate(key, Distances(std::move(distances)), parents);
    }

    void expect_valid(const WeightedGraph& graph, Vertex key, const Result& result, EdgeCount edges, Vertex reached)
    {
        for (const Types types : kAllTypes) {
            const Validation validation = validate(graph, key, result, types);
            ASSERT_TRUE(validation.valid()) << describe(*validation.violation);
            EXPECT_EQ(validation.edges, edges);
            EXPECT_EQ(validation.reached, reached);
        }
    }

    void expect_violation(const WeightedGraph& graph, Vertex key, const Result& result, Rule rule,
                          const std::string& what)
    {
        for (const Types types : kAllTypes) {
            const Validation validation = validate(graph, key, result, types);
            ASSERT_FALSE(validation.valid()) << what;
            EXPECT_EQ(validation.violation->rule, rule) << describe(*validation.violation);
            EXPECT_EQ(validation.violation->what, what);
        }
    }

    comm::Communicator world_ = comm::Communicator::world();
};

INSTANTIATE_TEST_SUITE_P(Chunks, ValidateDistances,
                         testing::Values(ValidatorSizes{1, kAtOwners}, ValidatorSizes{3, kAtOwners},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kAtOwners},
                                         ValidatorSizes{3, kGathered},
                                         ValidatorSizes{ValidatorSizes::kMostChunk, kGathered}),
                         name_of);

//   0 -4- 1 -3- 2      also 0 - 2 of weight 10, a heavier edge 1 - 2, and a self-loop at 3
//         |0    |2
//         3     4      6 -5- 7
//          \7   |1
//            --- 5           8
const WeightedGraph kSmall = {
    9,
    false,
    {{0, 1, 4}, {2, 1, 3}, {0, 2, 10}, {1, 3, 0}, {2, 4, 2}, {4, 5, 1}, {3, 5, 7}, {1, 2, 9}, {6, 7, 5}, {3, 3, 1}}};
const Result kRight = {{0, 4, 7, 4, 9, 10, kFar, kFar, kFar}, {0, 0, 1, 1, 2, 4, -1, -1, -1}};

TEST_P(ValidateDistances, ACorrectResultPasses)
{
    expect_valid(kSmall, 0, kRight, 9, 6);
    expect_valid(kSmall, 8, {{kFar, kFar, kFar, kFar, kFar, kFar, kFar, kFar, 0}, {-1, -1, -1, -1, -1, -1, -1, -1, 8}},
                 0, 1);
    expect_valid(kSmall, 7, {{kFar, kFar, kFar, kFar, kFar, kFar, 5, 0, kFar}, {-1, -1, -1, -1, -1, -1, 7, 7, -1}}, 1,
                 2);
    expect_valid({1, false, {{0, 0, 3}}}, 0, {{0}, {0}}, 1, 1);
}

TEST_P(ValidateDistances, AnyOfSeveralParentsIsRight)
{
    WeightedGraph graph = kSmall;
    graph.edges.push_back({3, 2, 3});
    Result result = kRight;
    expect_valid(graph, 0, result, 10, 6);
    result.parents[2] = 3;
    expect_valid(graph, 0, result, 10, 6);
}

TEST_P(ValidateDistances, Rule1TheParentsAreNoTree)
{
    Result result = kRight;
    result.parents[0] = 1;
    expect_violation(kSmall, 0, result, Rule::tree, "the key 0 has parent 1, not itself");
    result = kRight;
    result.parents[4] = 4;
    expect_violation(kSmall, 0, result, Rule::tree, "vertex 4 is its own parent, but not the key 0");
    result.parents[4] = 9;
    expect_violation(kSmall, 0, result, Rule::tree, "vertex 4 has parent 9, outside 0 to 8");
}

TEST_P(ValidateDistances, Rule1ACycleOfEdgesWithoutLength)
{
    Result result = kRight;  // 1 and 3, which an edge of weight 0 joins, are each other's parents
    result.parents[1] = 3;
    for (const Types types : kAllTypes) {
        const Validation validation = validate(kSmall, 0, result, types);
        ASSERT_FALSE(validation.valid());
        EXPECT_EQ(validation.violation->rule, Rule::tree);
    }
}

TEST_P(ValidateDistances, Rule2DistancesThatDoNotFitTheTree)
{
    Result result = kRight;
    result.distances[5] = 9;
    expect_violation(kSmall, 0, result, Rule::tree_distances,
                     "vertex 5 has distance 9, its parent 4 has distance 9, and their lightest edge has weight 1");
    result = kRight;
    result.distances[0] = 1;
    expect_violation(kSmall, 0, result, Rule::tree_distances, "the key 0 has distance 1, not 0");
    result = kRight;
    result.parents[5] = 3;  // joined to 5 by an edge that is too heavy
    expect_violation(kSmall, 0, result, Rule::tree_distances,
                     "vertex 5 has distance 10, its parent 3 has distance 4, and their lightest edge has weight 7");
    result = kRight;
    result.distances[6] = 3;
    expect_violation(kSmall, 0, result, Rule::tree_distances, "vertex 6 has distance 3, but no parent");
    result = kRight;
    result.distances[5] = kFar;
    expect_violation(kSmall, 0, result, Rule::tree_distances, "vertex 5 has parent 4, but no distance");
}

TEST_P(ValidateDistances, Rule2NoNumber)
{
    for (const double wrong : {std::nan(""), -kFar}) {
        Result result = kRight;
        result.distances[5] = wrong;
        for (const Types types : {Types::float32, Types::float64}) {
            const Validation validation = validate(kSmall, 0, result, types);
            ASSERT_FALSE(validation.valid());
            EXPECT_EQ(validation.violation->rule, Rule::tree_distances);
            EXPECT_TRUE(validation.violation->what.starts_with("vertex 5 has distance ")) << validation.violation->what;
        }
    }
}

TEST_P(ValidateDistances, Rule3ALongerWay)
{
    Result result = kRight;
    result.distances[2] = 10;  // along the edge 0 - 2
    result.parents[2] = 0;
    result.distances[4] = 12;
    result.distances[5] = 11;
    result.parents[5] = 3;
    result.parents[4] = 5;
    for (const Types types : kAllTypes) {
        const Validation validation = validate(kSmall, 0, result, types);
        ASSERT_FALSE(validation.valid());
        EXPECT_EQ(validation.violation->rule, Rule::edge_distances) << describe(*validation.violation);
    }
    // The heavier of two parallel edges.
    const WeightedGraph pair = {3, false, {{1, 0, 3}, {0, 1, 2}}};
    expect_violation(pair, 0, {{0, 3, kFar}, {0, 0, -1}}, Rule::edge_distances,
                     "edge 0 - 1, weight 2, joins distance 0 and distance 3");
    expect_valid(pair, 0, {{0, 2, kFar}, {0, 0, -1}}, 2, 2);
}

TEST_P(ValidateDistances, Rule4AVertexLeftOut)
{
    Result result = kRight;
    result.distances[5] = kFar;
    result.parents[5] = -1;
    for (const Types types : kAllTypes) {
        const Validation validation = validate(kSmall, 0, result, types);
        ASSERT_FALSE(validation.valid());
        EXPECT_EQ(validation.violation->rule, Rule::component);
    }
    expect_violation({2, false, {{1, 0, 0}}}, 0, {{0, kFar}, {0, -1}}, Rule::component,
                     "edge 1 - 0, weight 0, joins not reached and distance 0");
}

TEST_P(ValidateDistances, Rule5AParentWithoutAnEdge)
{
    Result result = kRight;
    result.parents[4] = 1;
    expect_violation(kSmall, 0, result, Rule::tree_edges, "no edge joins vertex 4, distance 9, to its parent 1");
    result = kRight;
    result.distances[8] = 4;
    result.parents[8] = 0;
    expect_violation(kSmall, 0, result, Rule::tree_edges, "no edge joins vertex 8, distance 4, to its parent 0");
}

TEST_P(ValidateDistances, Directed)
{
    const WeightedGraph graph = {
        5, true, {{0, 1, 4}, {1, 2, 3}, {2, 0, 1}, {4, 0, 1}, {0, 2, 9}, {2, 3, 0}, {3, 2, 0}}};
    expect_valid(graph, 0, {{0, 4, 7, 7, kFar}, {0, 0, 1, 2, -1}}, 6, 4);
    expect_violation(graph, 0, {{0, 4, 7, 7, 1}, {0, 0, 1, 2, 0}}, Rule::tree_edges,
                     "no edge joins vertex 4, distance 1, to its parent 0");
    expect_violation(graph, 0, {{0, 4, 9, 9, kFar}, {0, 0, 0, 2, -1}}, Rule::edge_distances,
                     "edge 1 -> 2, weight 3, joins distance 4 and distance 9");
    expect_violation(graph, 0, {{0, 4, 7, kFar, kFar}, {0, 0, 1, -1, -1}}, Rule::component,
                     "edge 2 -> 3, weight 0, joins distance 7 and not reached");
}

TEST_P(ValidateDistances, NegativeWeights)
{
    const WeightedGraph graph = {4, true, {{0, 1, 4}, {1, 2, -3}, {0, 2, 2}, {2, 3, -5}}};
    for (const Types types : {Types::int64, Types::float32, Types::float64}) {
        EXPECT_TRUE(validate(graph, 0, {{0, 4, 1, -4}, {0, 0, 1, 2}}, types).valid());
        const Validation longer = validate(graph, 0, {{0, 4, 2, -3}, {0, 0, 0, 2}}, types);
        ASSERT_FALSE(longer.valid());
        EXPECT_EQ(longer.violation->what, "edge 1 -> 2, weight -3, joins distance 4 and distance 2");
        // A cycle of negative length leaves no right result.
        const Validation loop = validate({1, true, {{0, 0, -1}}}, 0, {{0}, {0}}, types);
        ASSERT_FALSE(loop.valid());
        EXPECT_EQ(loop.violation->rule, Rule::edge_distances);
    }
}

TEST_P(ValidateDistances, SeveralKeys)
{
    // 5 is at distance 0 from 7, an edge of weight 0, and nearest to the smaller one.
    const WeightedGraph graph = {8, false, {{0, 1, 4}, {1, 2, 3}, {2, 3, 0}, {3, 5, 7}, {5, 7, 0}, {7, 4, 2}}};
    const Result right = {{0, 4, 7, 7, 2, 0, kFar, 0}, {0, 0, 1, 2, 7, 5, -1, 5}, {0, 5, 7}, {0, 0, 0, 0, 5, 5, -1, 5}};
    expect_valid(graph, 0, right, 6, 7);

    Result wrong = right;  // 3 is as far from 5, along an edge, as from 0
    wrong.parents[3] = 5;
    wrong.nearest[3] = 5;
    expect_violation(graph, 0, wrong, Rule::nearest,
                     "edge 2 - 3 of a shortest path joins vertices whose nearest keys are 0 and 5");
    wrong = right;
    wrong.parents[7] = 7;
    wrong.nearest[7] = 7;
    wrong.nearest[4] = 7;
    expect_violation(graph, 0, wrong, Rule::nearest,
                     "edge 5 - 7 of a shortest path joins vertices whose nearest keys are 5 and 7");
    wrong = right;
    wrong.nearest[4] = 0;
    expect_violation(graph, 0, wrong, Rule::tree,
                     "the parents of vertex 4 lead to the key 5, but its nearest key is 0");
    wrong.nearest[4] = 7;  // on the way to 5
    expect_violation(graph, 0, wrong, Rule::nearest,
                     "edge 7 - 4 of a shortest path joins vertices whose nearest keys are 5 and 7");
    wrong = right;  // the key 5 is left out
    wrong.keys = {0, 5};
    wrong.distances = {0, 4, 7, 7, 16, 14, kFar, 14};
    wrong.parents = {0, 0, 1, 2, 7, 3, -1, 5};
    wrong.nearest = {0, 0, 0, 0, 0, 0, -1, 0};
    expect_violation(graph, 0, wrong, Rule::tree_distances, "the key 5 has distance 14, not 0");
}

TEST_P(ValidateDistances, DistancesBeyond32Bits)
{
    constexpr double most = 2147483647;
    const WeightedGraph path = {5, false, {{0, 1, most}, {2, 1, most}, {2, 3, most}, {3, 4, most}}};
    const Result right = {{0, most, 2 * most, 3 * most, 4 * most}, {0, 0, 1, 2, 3}};
    EXPECT_TRUE(validate(path, 0, right, Types::int64).valid());
    EXPECT_TRUE(validate(path, 0, right, Types::uint32_int64).valid());
    Result wrapped = right;  // 32-bit sums that wrapped
    wrapped.distances[3] = 3 * most - 4294967296;
    wrapped.distances[4] = 4 * most - 4294967296;
    for (const Types types : {Types::uint32, Types::uint32_int64})
        EXPECT_FALSE(validate(path, 0, wrapped, types).valid());
}

TEST_P(ValidateDistances, FloatsAreRoundedAfterEachEdge)
{
    WeightedGraph path = {40, false, {}};
    for (Vertex v = 0; v + 1 < path.n; ++v) path.edges.push_back({v, v + 1, static_cast<double>(0.1F)});
    const Result narrow = bellman_ford<float>(path, 0);
    const Result wide = bellman_ford<double>(path, 0);
    EXPECT_TRUE(validate(path, 0, narrow, Types::float32).valid());
    EXPECT_TRUE(validate(path, 0, wide, Types::float64).valid());
    EXPECT_FALSE(validate(path, 0, wide, Types::float32).valid()) << "exact sums, rounded once at the end";
    EXPECT_FALSE(validate(path, 0, narrow, Types::float64).valid());
}

/// Whether distances are the smallest ones, and parents a tree of edges that have these sums.
bool is_right(const WeightedGraph& graph, Vertex key, const Result& result, const std::vector<double>& smallest)
{
    if (result.distances != smallest) return false;
    for (Vertex v = 0; v < graph.n; ++v) {
        const auto at = [&](Vertex u) { return static_cast<std::size_t>(u); };
        if (smallest[at(v)] == kFar) {
            if (result.parents[at(v)] != kUnreached) return false;
            continue;
        }
        Vertex u = v;
        for (Vertex steps = 0; u != key; ++steps) {
            const Vertex parent = result.parents[at(u)];
            if (parent == kUnreached || steps > graph.n) return false;
            const bool joined = std::ranges::any_of(graph.edges, [&](const WeightedEdge& edge) {
                const bool there = edge.source == parent && edge.target == u;
                const bool back = !graph.directed && edge.target == parent && edge.source == u;
                return (there || back) && smallest[at(parent)] + edge.weight == smallest[at(u)];
            });
            if (!joined) return false;
            u = parent;
        }
    }
    return result.parents[static_cast<std::size_t>(key)] == key;
}

TEST_P(ValidateDistances, RandomFaultsAreFound)
{
    RandomNumbers draw(11);
    int wrong = 0;
    for (int trial = 0; trial < 120; ++trial) {
        const std::uint32_t count = 2 + draw.below(9);
        const Vertex n = count;
        WeightedGraph graph{n, draw.below(2) == 0, {}};
        const auto vertex = [&] { return static_cast<Vertex>(draw.below(count)); };
        for (std::uint32_t left = draw.below(3 * count); left > 0; --left) {
            const Vertex source = vertex();
            graph.edges.push_back({source, vertex(), static_cast<double>(draw.below(4))});
        }
        const Vertex key = vertex();
        Result result = bellman_ford<std::int64_t>(graph, key);
        const std::vector<double> smallest = result.distances;
        const auto changed = static_cast<std::size_t>(vertex());
        if (draw.below(3) != 0) result.parents[changed] = static_cast<Vertex>(draw.below(count + 1)) - 1;
        if (draw.below(3) == 0)
            result.distances[changed] = result.distances[changed] == kFar ? 2 : result.distances[changed] + 1;
        const bool right = is_right(graph, key, result, smallest);
        wrong += right ? 0 : 1;
        const Types types = kAllTypes[draw.below(std::size(kAllTypes))];
        const Validation validation = validate(graph, key, result, types);
        EXPECT_EQ(validation.valid(), right)
            << "trial " << trial << (validation.violation ? ": " + describe(*validation.violation) : "");
    }
    EXPECT_GT(wrong, 20);
    EXPECT_LT(wrong, 100);
}

}  // namespace
}  // namespace wayfront::graph500
