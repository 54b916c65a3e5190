// Compares the graphs that a GPU constructs from edge lists with the graphs that the host
// constructs and copies to the GPU, array by array. Equal arrays mean equal searches.
#include "gpu/construction/edge_construction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "comm/process_grid.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/construction/tuple_source.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/upload.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/construction.hpp"
#include "graph/own_out_edges.hpp"
#include "oracle/serial_bfs.hpp"
#include "support/gpu_guard.hpp"
#include "support/random_numbers.hpp"

namespace wayfront::gpu::construction {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class EdgeConstruction : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

namespace {

template <typename T>
std::vector<T> read(const T* device, std::size_t count)
{
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDefault));
    return host;
}
template <typename T>
std::vector<T> read(const DeviceBuffer<T>& buffer)
{
    return read(buffer.data(), buffer.size());
}

/// An edge list for tests.
struct TestEdges
{
    EdgeList list;
    WeightType weights = WeightType::none;

    [[nodiscard]] ListFeed feed() const { return ListFeed(list, weights); }
    /// A copy of the edges, without weights.
    [[nodiscard]] TestEdges copy() const
    {
        TestEdges same;
        same.list.vertex_count = list.vertex_count;
        same.list.directed = list.directed;
        same.list.edges = HostBuffer<PackedEdge>(list.edges.size());
        std::ranges::copy(list.edges, same.list.edges.begin());
        return same;
    }
};

enum class Degrees { alike, skewed };

/// Random edges, including loops and duplicates. Some vertices have no edges.
TestEdges random_edges(Vertex vertices, std::size_t edges, bool directed, Degrees degrees, std::uint64_t seed)
{
    RandomNumbers random(seed);
    const auto draw = [&] {
        const auto n = static_cast<double>(vertices);
        const double u = static_cast<double>(random.below(1'000'000)) / 1e6;
        return static_cast<Vertex>(n * (degrees == Degrees::skewed ? u * u * u * u : 0.9 * u));
    };
    TestEdges made;
    made.list.vertex_count = vertices;
    made.list.directed = directed;
    made.list.edges = HostBuffer<PackedEdge>(edges);
    for (std::size_t i = 0; i < edges; ++i) {
        const Vertex source = draw();
        const bool loop = random.below(20) == 0;
        made.list.edges[i] = i > 0 && random.below(10) == 0 ? made.list.edges[random.next() % i]
                                                            : PackedEdge::pack(source, loop ? source : draw());
    }
    return made;
}

/// Adds weights of type T to the edges: whole numbers up to `most`, or floats, including 0.0 and
/// -0.0.
template <typename T>
TestEdges with_weights(const TestEdges& plain, std::uint64_t most, std::uint64_t seed)
{
    RandomNumbers random(seed);
    TestEdges edges = plain.copy();
    HostBuffer<T> weights(edges.list.edges.size());
    for (T& weight : weights) {
        const std::uint64_t number = random.next() % (most + 1);
        weight = static_cast<T>(number);
        if constexpr (std::is_floating_point_v<T>) {
            weight /= static_cast<T>(7);
            if (number == 0 && random.below(2) == 0) weight = T{-0.0F};
        }
    }
    edges.list.weights = std::move(weights);
    edges.weights = std::is_floating_point_v<T> ? WeightType::float32 : WeightType::uint32;
    return edges;
}

template <typename Index>
DeviceBuffer<Index> copied_ends(const EdgeList& list, Vertex (PackedEdge::*end)() const, const Stream& stream)
{
    std::vector<Index> ends;
    for (const PackedEdge& edge : list.edges) ends.push_back(static_cast<Index>((edge.*end)()));
    return upload(std::span<const Index>(ends), stream);
}

/// The edges in arrays in device memory, as a caller of the library passes them.
template <typename Index>
struct OnDevice
{
    OnDevice(const EdgeList& list, const Stream& stream)
        : sources(copied_ends<Index>(list, &PackedEdge::source, stream)),
          targets(copied_ends<Index>(list, &PackedEdge::target, stream))
    {
        edges.vertex_count = list.vertex_count;
        edges.directed = list.directed;
        edges.count = static_cast<EdgeCount>(list.edges.size());
        edges.sources = {sources.data(), sizeof(Index) == 8};
        edges.targets = {targets.data(), sizeof(Index) == 8};
        visit_weights(list.weights, [&]<typename T>(const HostBuffer<T>& all) {
            weights = upload(std::as_bytes(all.span()), stream);
            edges.weights = weights.data();
            edges.weight_type = std::is_same_v<T, float>          ? DeviceWeightType::float32
                                : std::is_same_v<T, double>       ? DeviceWeightType::float64
                                : std::is_same_v<T, std::int32_t> ? DeviceWeightType::int32
                                                                  : DeviceWeightType::int64;
        });
    }

    DeviceBuffer<Index> sources, targets;
    DeviceBuffer<std::byte> weights;
    DeviceEdges edges;
};

struct HostGraph
{
    explicit HostGraph(const TestEdges& edges)
        : grid(comm::Communicator::self(), {1, 1}),
          feed(edges.feed()),
          graph(construct(
              grid, feed,
              wayfront::ConstructionOptions{.list_order = edges.weights == WeightType::none ? ListOrder::neighbours
                                                                                            : ListOrder::weights})),
          out(grid.world(), graph)
    {
    }

    comm::ProcessGrid grid;
    ListFeed feed;
    DistributedGraph graph;
    OwnOutEdges out;
};

void expect_equal(const NeighbourLists& made, const NeighbourLists& copied)
{
    EXPECT_EQ(made.view().edges, copied.view().edges);
    EXPECT_EQ(made.view().near_rows, copied.view().near_rows);
    EXPECT_TRUE(
        std::ranges::equal(read(made.lists()), read(copied.lists()), {}, &ListPlace::packed, &ListPlace::packed));
    EXPECT_EQ(read(made.neighbours()), read(copied.neighbours()));
    for (std::size_t k = 0; k < kNearLists; ++k) EXPECT_EQ(read(made.near(k)), read(copied.near(k)));
}

void expect_equal(const LocalSlotsView& made, const LocalSlotsView& copied, std::int64_t connected)
{
    ASSERT_EQ(made.count, copied.count);
    const std::size_t words = (std::size_t{made.count} + 31) / 32;
    EXPECT_EQ(read(made.connected, words), read(copied.connected, words));
    EXPECT_EQ(read(made.slots, static_cast<std::size_t>(connected)),
              read(copied.slots, static_cast<std::size_t>(connected)));
}

void expect_equal(const DeviceGraph& made, const DeviceGraph& copied)
{
    EXPECT_EQ(made.directed, copied.directed);
    EXPECT_EQ(made.connected_vertices, copied.connected_vertices);
    EXPECT_EQ(made.directed_edges, copied.directed_edges);
    ASSERT_EQ(made.view.slot_stride, copied.view.slot_stride);
    EXPECT_EQ(made.view.is_symmetric(), copied.view.is_symmetric());
    EXPECT_EQ(read(made.vertex_of_column), read(copied.vertex_of_column));
    expect_equal(made.view.local_slots, copied.view.local_slots, made.connected_vertices);
    expect_equal(made.in, copied.in);
    expect_equal(made.out, copied.out);
    for (std::size_t k = 0; k < kNearLists; ++k) EXPECT_EQ(read(made.near_vertices[k]), read(copied.near_vertices[k]));
}

void expect_equal(const HostNumbers& made, const DistributedGraph& host, bool out_degrees)
{
    ASSERT_EQ(made.slot_of_local.size(), host.slot_of_local.size());
    for (std::size_t i = 0; i < made.slot_of_local.size(); ++i) {
        const bool connected = host.slot_of_local[i] != host.block.slot_stride;
        ASSERT_EQ(made.slot_of_local[i], connected ? host.slot_of_local[i] : made.slot_stride) << "vertex " << i;
        if (connected && out_degrees) {
            ASSERT_EQ(made.out_degrees[made.slot_of_local[i]], host.block.out_degrees[host.slot_of_local[i]]);
        }
    }
}

/// Expects equal lists of one direction. If `lists` is null, the graph has no lists of this
/// direction.
void expect_equal(const ArcArraysView& made, const ArcArraysView& copied, std::uint32_t slots)
{
    ASSERT_EQ(made.lists == nullptr, copied.lists == nullptr);
    if (made.lists == nullptr) return;
    const std::vector<ListPlace> places = read(copied.lists, slots);
    ASSERT_TRUE(std::ranges::equal(read(made.lists, slots), places, {}, &ListPlace::packed, &ListPlace::packed));
    const auto equal = [](const Arc& a, const Arc& b) { return a.end == b.end && a.weight == b.weight; };
    const std::size_t heads = std::size_t{slots} * kHeadArcs;
    EXPECT_TRUE(std::ranges::equal(read(made.heads, heads), read(copied.heads, heads), equal));
    const std::uint64_t last = places.back().degree();
    const auto arcs = static_cast<std::size_t>(places.back().begin() + (last + 3) / 4 * 4);
    EXPECT_TRUE(std::ranges::equal(read(made.list_arcs, arcs), read(copied.list_arcs, arcs), equal));
}

void expect_equal(const ArcLists& made, const ArcLists& copied, std::int64_t connected)
{
    const ArcListsView& a = made.view();
    const ArcListsView& b = copied.view();
    ASSERT_EQ(a.slots, b.slots);
    ASSERT_EQ(a.columns.slot_stride, b.columns.slot_stride);
    EXPECT_EQ(a.arcs, b.arcs);
    EXPECT_EQ(a.first_leaf, b.first_leaf);
    EXPECT_DOUBLE_EQ(a.end_degrees, b.end_degrees);
    EXPECT_EQ(a.is_symmetric(), b.is_symmetric());
    EXPECT_EQ(read(a.vertex_of_column, static_cast<std::size_t>(connected)),
              read(b.vertex_of_column, static_cast<std::size_t>(connected)));
    expect_equal(a.local_slots, b.local_slots, connected);
    expect_equal(static_cast<const ArcArraysView&>(a), b, a.slots);
    expect_equal(a.in, b.in, a.slots);
}

double weight_sum(const DistributedGraph& graph)
{
    double sum = 0;
    std::visit(
        [&](const auto& weights) {
            if constexpr (requires { weights.span(); })
                for (const auto weight : weights.span()) sum += static_cast<double>(weight);
        },
        graph.block.in_weights);
    return sum;
}

/// Expects that construction from a source makes the host's graph.
void expect_constructed(const TupleSource& source, const HostGraph& host, WeightType weights,
                        const ConstructionOptions& options = {}, int at_least_batches = 0)
{
    const Stream stream;
    HostNumbers numbers;
    ConstructionRun run{stream, options};
    const std::int64_t connected = host.graph.connected_vertices;
    if (weights == WeightType::none) {
        const DeviceGraph made = construct_edges(source, run, &numbers);
        expect_equal(made, upload_graph(host.graph, host.out, stream));
        EXPECT_GE(run.report.peak_bytes, made.bytes());
    } else {
        // A directed graph is constructed with lists of in-arcs, and without these lists.
        for (const EdgeCount in_arcs_from : {EdgeCount{0}, kMostEdges}) {
            WeightedEdgesFacts facts;
            const ArcLists made = construct_weighted_edges(source, {weights, in_arcs_from}, run, facts, &numbers);
            const ArcDirections directions = in_arcs_from == 0 ? ArcDirections::both : ArcDirections::out;
            expect_equal(made, ArcLists(host.graph, host.out, directions, stream), connected);
            EXPECT_EQ(facts.connected_vertices, connected);
            EXPECT_EQ(facts.arcs, host.graph.directed_edges);
            const double sum = weight_sum(host.graph);
            EXPECT_NEAR(facts.weight_sum, sum, 1e-9 * sum);
            EXPECT_GE(run.report.peak_bytes, made.bytes());
        }
    }
    expect_equal(numbers, host.graph, true);
    EXPECT_GE(run.report.batches, at_least_batches);
}

/// Expects the host's graph from arrays in device memory of both widths, and from edges on the host
/// in one part and in several parts.
void expect_constructed(const TestEdges& edges, const ConstructionOptions& options = {}, int at_least_batches = 0)
{
    const HostGraph host(edges);
    const Stream stream;
    const ListFeed feed = edges.feed();
    for (const std::size_t part_edges : {std::size_t{0}, std::size_t{97}}) {
        SCOPED_TRACE("from the host in parts of " + std::to_string(part_edges));
        const auto source = make_edge_source(feed, {.part_edges = part_edges, .weights = edges.weights});
        expect_constructed(*source, host, edges.weights, options, at_least_batches);
    }
    const auto from_arrays = [&](const auto& arrays) {
        const DeviceEdgeFacts facts = check_device_edges(arrays.edges, stream);
        EXPECT_FALSE(facts.negative_weights);
        EXPECT_TRUE(facts.fits_uint32);
        const auto source = make_edge_source(arrays.edges, {.weights = edges.weights});
        expect_constructed(*source, host, edges.weights, options, at_least_batches);
    };
    SCOPED_TRACE("from arrays");
    from_arrays(OnDevice<std::int32_t>(edges.list, stream));
    from_arrays(OnDevice<std::int64_t>(edges.list, stream));
}

/// Edges without weights, from a list of pairs.
TestEdges edges_of(Vertex vertices, bool directed, const std::vector<std::pair<Vertex, Vertex>>& edges)
{
    TestEdges made;
    made.list.vertex_count = vertices;
    made.list.directed = directed;
    made.list.edges = HostBuffer<PackedEdge>(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
        made.list.edges[i] = PackedEdge::pack(edges[i].first, edges[i].second);
    return made;
}

/// Expects the host's graph without weights, and with weights of each type.
void expect_constructed_with_any_weights(const TestEdges& edges, std::uint64_t seed,
                                         const ConstructionOptions& options = {}, int at_least_batches = 0)
{
    expect_constructed(edges, options, at_least_batches);
    SCOPED_TRACE("with weights");
    expect_constructed(with_weights<std::int32_t>(edges, 3, seed), options, at_least_batches);
    expect_constructed(with_weights<std::int64_t>(edges, 0xFFFFFFFF, seed), options, at_least_batches);
    expect_constructed(with_weights<float>(edges, 9, seed), options, at_least_batches);
}

TEST_F(EdgeConstruction, EqualsTheHostOnRandomEdges)
{
    std::uint64_t seed = 1;
    for (const bool directed : {false, true}) {
        for (const auto& [vertices, edges] : {std::pair<Vertex, std::size_t>{1, 3},
                                              {2, 5},
                                              {7, 40},
                                              {64, 64},
                                              {1000, 300},
                                              {1000, 9000},
                                              {5000, 20'000}}) {
            for (const Degrees degrees : {Degrees::alike, Degrees::skewed}) {
                SCOPED_TRACE(std::to_string(vertices) + " vertices, " + std::to_string(edges) + " edges, " +
                             (directed ? "directed" : "undirected") + ", seed " + std::to_string(++seed));
                expect_constructed_with_any_weights(random_edges(vertices, edges, directed, degrees, seed), seed);
            }
        }
    }
}

TEST_F(EdgeConstruction, EqualsTheHostOnManySmallGraphs)
{
    for (std::uint64_t seed = 1; seed <= 150 && !HasFailure(); ++seed) {
        RandomNumbers random(seed);
        const auto vertices = Vertex{1} + random.below(40);
        const TestEdges edges = random_edges(vertices, random.below(120), seed % 2 == 0,
                                             random.below(2) == 0 ? Degrees::alike : Degrees::skewed, seed);
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_constructed(edges);
        expect_constructed(with_weights<float>(edges, 5, seed));
    }
}

// In these directed graphs, long runs of rows have no edges in one direction: all edges lead from
// the first vertices to the last ones, or in the opposite direction.
TEST_F(EdgeConstruction, RowsWithoutEdgesHaveEmptyLists)
{
    constexpr Vertex half = 5000;
    std::vector<std::pair<Vertex, Vertex>> forward, backward;
    RandomNumbers random(3);
    for (int i = 0; i < 20'000; ++i) {
        const auto from = static_cast<Vertex>(random.below(half));
        const auto to = half + static_cast<Vertex>(random.below(half));
        forward.emplace_back(from, to);
        backward.emplace_back(to, from);
    }
    ConstructionOptions batches;
    batches.batch_edges = 3000;
    expect_constructed_with_any_weights(edges_of(2 * half, true, forward), 1);
    expect_constructed_with_any_weights(edges_of(2 * half, true, backward), 2, batches, 6);
    // The last rows with edges precede the last slots.
    expect_constructed_with_any_weights(edges_of(4, true, {{0, 1}, {0, 2}, {0, 3}}), 3);
    expect_constructed_with_any_weights(edges_of(4, true, {{1, 0}, {2, 0}, {3, 0}}), 4);
}

TEST_F(EdgeConstruction, GraphsWithoutEdges)
{
    for (const bool directed : {false, true}) {
        expect_constructed_with_any_weights(edges_of(1, directed, {}), 1);
        expect_constructed_with_any_weights(edges_of(70, directed, {}), 1);
        expect_constructed_with_any_weights(edges_of(3, directed, {{0, 0}, {2, 2}, {2, 2}}), 1);
    }
}

TEST_F(EdgeConstruction, BatchesDoNotChangeTheGraph)
{
    ConstructionOptions options;
    options.batch_edges = 5000;
    for (const bool directed : {false, true})
        expect_constructed_with_any_weights(random_edges(3000, 30'000, directed, Degrees::alike, 7), 7, options, 5);
}

TEST_F(EdgeConstruction, KeepsTheLightestOfManyDuplicates)
{
    // Runs of duplicates cross the borders of tiles.
    for (const bool directed : {false, true})
        expect_constructed_with_any_weights(random_edges(3, 50'000, directed, Degrees::alike, 5), 5);
}

TEST_F(EdgeConstruction, KeepsTheLightestOfManyCopiesOfOneEdge)
{
    // The lightest copy is in the first tile, in the last tile, or between them.
    constexpr std::size_t copies = 20'000;
    for (const std::size_t lightest : {std::size_t{0}, copies / 2, copies - 1}) {
        SCOPED_TRACE("copy " + std::to_string(lightest));
        TestEdges edges = edges_of(5, true, std::vector<std::pair<Vertex, Vertex>>(copies, {1, 3}));
        HostBuffer<float> weights(copies, 7.0F);
        weights[lightest] = 0.25F;
        edges.list.weights = std::move(weights);
        edges.weights = WeightType::float32;
        expect_constructed(edges);
    }
}

TEST_F(EdgeConstruction, TakesNoMoreMemoryThanEstimated)
{
    const Stream stream;
    for (const bool directed : {false, true}) {
        const TestEdges edges =
            with_weights<float>(random_edges(200'000, 2'000'000, directed, Degrees::alike, 11), 1000, 11);
        const ListFeed feed = edges.feed();
        for (const WeightType weights : {WeightType::none, WeightType::float32}) {
            const EdgesSize size{feed.vertex_count(), feed.size(), directed, weights != WeightType::none, true};
            const auto source = make_edge_source(feed, {.part_edges = 1 << 18, .weights = weights});
            ConstructionRun run{stream, {.batch_edges = 500'000}};
            WeightedEdgesFacts facts;
            if (weights == WeightType::none)
                (void)construct_edges(*source, run);
            else
                (void)construct_weighted_edges(*source, {weights}, run, facts);
            EXPECT_LE(run.report.peak_bytes, edge_construction_bytes(size));
        }
    }
}

// Needs no GPU.
TEST(EdgesOfPart, AllEdgesAreCopiedIfTheyFitBesideConstruction)
{
    for (const bool weighted : {false, true}) {
        const EdgesSize size{1 << 20, EdgeCount{1} << 26, true, weighted, true};
        EdgesSize in_place = size;
        in_place.from_host = false;
        const auto edges = static_cast<std::size_t>(size.edges);
        const std::size_t copied = edges * (sizeof(PackedEdge) + (weighted ? sizeof(float) : 0));
        const std::size_t needed = edge_construction_bytes(in_place) + copied;
        EXPECT_EQ(edges_of_part(size, needed), edges);
        const std::size_t part = edges_of_part(size, needed - 1);
        EXPECT_LT(part, edges);
        EXPECT_GT(part, 0U);
        // The estimate for edges on the host includes memory for this part.
        EXPECT_EQ(edges_of_part(size, edge_construction_bytes(size)), part);
        EXPECT_LT(edge_construction_bytes(size), needed);
    }
    EXPECT_EQ(edges_of_part({.vertices = 10, .edges = 5, .from_host = true}, 0), 5U);
}

TEST_F(EdgeConstruction, ChecksArrays)
{
    const Stream stream;
    const auto facts_of = [&](const EdgeList& list) {
        const OnDevice<std::int64_t> arrays(list, stream);
        return check_device_edges(arrays.edges, stream);
    };
    TestEdges edges = edges_of(3, true, {{0, 1}, {1, 2}, {2, 3}});
    EXPECT_THROW((void)facts_of(edges.list), InputError);
    edges = edges_of(4, true, {{0, 1}, {1, 2}, {2, 3}});
    EXPECT_NO_THROW((void)facts_of(edges.list));
    HostBuffer<double> doubles(3, 1.0);
    doubles[1] = -0.5;
    edges.list.weights = std::move(doubles);
    EXPECT_TRUE(facts_of(edges.list).negative_weights);
    HostBuffer<float> floats(3, 1.0F);
    floats[2] = std::nanf("");
    edges.list.weights = std::move(floats);
    EXPECT_THROW((void)facts_of(edges.list), InputError);
    HostBuffer<std::int64_t> whole(3, std::int64_t{1} << 32);
    edges.list.weights = std::move(whole);
    EXPECT_FALSE(facts_of(edges.list).fits_uint32);
    OnDevice<std::int32_t> negative(edges.list, stream);
    const std::int32_t minus = -1;
    copy_async(std::span(&minus, 1), negative.sources.span().first(1), stream);
    EXPECT_THROW((void)check_device_edges(negative.edges, stream), InputError);
}

TEST_F(EdgeConstruction, IsSearchedLikeTheHostsGraph)
{
    const Stream stream;
    for (const bool directed : {false, true}) {
        const TestEdges edges =
            with_weights<std::int32_t>(random_edges(4000, 40'000, directed, Degrees::skewed, 9), 50, 9);
        const HostGraph host(edges);
        const OnDevice<std::int32_t> arrays(edges.list, stream);
        oracle::Graph plain{edges.list.vertex_count, directed, {}};
        for (const PackedEdge& edge : edges.list.edges) plain.edges.emplace_back(edge.source(), edge.target());
        const auto n = static_cast<std::size_t>(edges.list.vertex_count);

        ConstructionRun run{stream};
        const DeviceGraph graph = construct_edges(*make_edge_source(arrays.edges, {}), run);
        bfs::DeviceSearchOptions options;
        options.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 3};
        options.bottom_up_from_vertices = 40;
        options.levels = true;
        bfs::ResidentSearch search(host.grid, graph, options);

        WeightedEdgesFacts facts;
        ArcLists lists = construct_weighted_edges(*make_edge_source(arrays.edges, {.weights = WeightType::uint32}),
                                                  {WeightType::uint32}, run, facts);
        const sssp::SsspGraph of_graph{.type = WeightType::uint32,
                                       .vertices = edges.list.vertex_count,
                                       .connected_vertices = facts.connected_vertices,
                                       .weight_sum = facts.weight_sum};
        sssp::SsspTuning tuning;
        tuning.near_far = false;
        sssp::DeviceSssp made(host.grid, std::move(lists), of_graph, tuning);
        sssp::DeviceSssp copied(host.grid, host.graph, tuning);
        for (const Vertex key : {Vertex{0}, Vertex{1}, Vertex{1000}, Vertex{3999}}) {
            SCOPED_TRACE("key " + std::to_string(key));
            search.run(key);
            std::vector<std::int32_t> levels(n);
            search.copy_levels(levels);
            const std::vector<std::int64_t> expected = oracle::levels(oracle::followers(plain), key);
            EXPECT_TRUE(std::ranges::equal(levels, expected));
            std::vector<std::uint32_t> distances[2] = {std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
            std::vector<std::int32_t> parents(n);
            copied.run(key);
            copied.copy_results(distances[0], parents);
            made.run(key);
            made.copy_results(distances[1], parents);
            EXPECT_EQ(distances[0], distances[1]);
        }
    }
}

TEST_F(EdgeConstruction, OneSmallGraphForSanitizers)
{
    ConstructionOptions options;
    options.batch_edges = 700;
    expect_constructed_with_any_weights(random_edges(300, 1500, true, Degrees::alike, 2), 2, options, 2);
    expect_constructed_with_any_weights(random_edges(300, 1500, false, Degrees::alike, 2), 2, options, 4);
}

}  // namespace

}  // namespace wayfront::gpu::construction
