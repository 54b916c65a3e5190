// Searches for shortest paths in the mean, compared with searches of generated graphs.
#include "model/field_paths.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "base/bitmap.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "graph/generators/weights.hpp"
#include "model/path_work.hpp"
#include "model/virtual_sssp.hpp"

namespace wayfront::model {
namespace {

constexpr int kScale = 15;

DistributedGraph with_weights(const comm::ProcessGrid& grid, const char* spec)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source(spec);
    ConstructionOptions options;
    options.list_order = ListOrder::weights;
    return construct(grid, SourceFeed(*source, 0, 1, true), options);
}

const comm::ProcessGrid& alone()
{
    static const comm::ProcessGrid grid(comm::Communicator::alone(), {1, 1});
    return grid;
}

const DistributedGraph& kronecker_graph()
{
    static const DistributedGraph graph = with_weights(alone(), "kron:15");
    return graph;
}

/// Sums over searches, divided by the number of searches.
struct Sums
{
    double rounds = 0;
    double changed = 0;
    double pushed = 0;  // arcs
    double pulled = 0;
    double received = 0;
    double pulls = 0;  // rounds
};

void add(Sums& sums, const SsspWork& work, double share)
{
    for (const RoundWork& round : work.rounds) {
        sums.rounds += share;
        sums.changed += static_cast<double>(round.changed) * share;
        sums.pulls += round.pulls ? share : 0;
        const double of_rank = share / static_cast<double>(round.ranks.size());
        for (const RankWork& rank : round.ranks) {
            (round.pulls ? sums.pulled : sums.pushed) += static_cast<double>(rank.arcs) * of_rank;
            sums.received += static_cast<double>(rank.received().bytes) * of_rank;
        }
    }
}

/// A graph on one rank, and the classes that describe it.
struct Described
{
    const DistributedGraph& graph;
    VertexClasses classes;
};

Sums counted_on(const DistributedGraph& graph, comm::GridShape shape)
{
    algo::SsspOptions options;
    options.method = algo::SsspMethod::push_pull;
    options.shares_memory = false;
    const auto make_engine = [](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); };
    VirtualSssp search(alone(), graph, shape, options, make_engine);
    Sums sums;
    constexpr int keys = 16;
    for (int i = 0; i < keys; ++i) {
        Vertex key = 5 + 977 * i;
        while (graph.slot_of_local[static_cast<std::size_t>(key)] == graph.block.slot_stride) ++key;
        add(sums, search.run(key), 1.0 / keys);
    }
    return sums;
}

std::vector<FieldPaths> searches_in_mean(const VertexClasses& classes, int count)
{
    std::mt19937_64 random(3);
    std::vector<FieldPaths> searches;
    while (static_cast<int>(searches.size()) < count) searches.push_back(field_paths(classes, random));
    return searches;
}

void expect_near(double expected, double found, double tolerance, const char* what)
{
    EXPECT_NEAR(found / expected, 1, tolerance) << what << ": expected " << expected << ", found " << found;
}

void expect_work_of(const Described& described, comm::GridShape shape, const std::vector<FieldPaths>& searches,
                    double tolerance_of_bytes)
{
    SCOPED_TRACE(testing::Message() << shape.rows << "x" << shape.columns);
    const Sums counted = counted_on(described.graph, shape);
    SearchDesign design;
    design.shape = shape;
    Sums field;
    for (const FieldPaths& search : searches)
        add(field, mean_path_work(described.classes, search, design), 1.0 / static_cast<double>(searches.size()));
    expect_near(counted.rounds, field.rounds, 0.2, "rounds");
    expect_near(counted.pushed, field.pushed, 0.45, "pushed arcs");
    expect_near(counted.pulled, field.pulled, 0.4, "pulled arcs");
    EXPECT_NEAR(counted.pulls, field.pulls, 1.1);
    if (shape.size() == 1) return;
    expect_near(counted.changed, field.changed, 0.25, "changed distances");
    expect_near(counted.received, field.received, tolerance_of_bytes, "bytes");
}

TEST(FieldPaths, WorkIsThatOfCountedSearches)
{
    const Described kronecker{kronecker_graph(), kronecker_classes(kScale, 16)};
    const std::vector<FieldPaths> searches = searches_in_mean(kronecker.classes, 32);
    // Blocks of rows of eight and more have few arcs of a row: there the program pulls less often.
    for (const comm::GridShape shape : {comm::GridShape{1, 1}, {4, 1}, {16, 1}, {1, 4}, {2, 2}, {4, 4}})
        expect_work_of(kronecker, shape, searches, 0.15);
}

TEST(FieldPaths, WorkInUniformGraphsIsThatOfCountedSearches)
{
    const std::unique_ptr<EdgeSource> source = make_edge_source("random:20000,320000");
    EdgeList list = generate_share(*source, 0, 1, false);
    list.weights = WeightSpec::parse("float", list.vertex_count).make(1, 0, list.edges.size());
    ConstructionOptions options;
    options.list_order = ListOrder::weights;
    const DistributedGraph graph = construct(alone(), ListFeed(list, WeightType::float32), options);
    const Described uniform{graph, uniform_classes(20000, 320000)};
    const std::vector<FieldPaths> searches = searches_in_mean(uniform.classes, 32);
    for (const comm::GridShape shape : {comm::GridShape{1, 1}, {4, 1}, {2, 2}})
        expect_work_of(uniform, shape, searches, 0.35);
}

TEST(FieldPaths, DistancesAreThoseOfAGraph)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    for (const FieldPaths& search : searches_in_mean(classes, 8)) {
        expect_near(classes.connected(), search.reached, 0.02, "reached");
        EXPECT_TRUE(std::ranges::is_sorted(search.edges));
        // Windows come first, then whole lists, pulls, and whole lists again.
        const auto is_window = [](const FieldRound& round) { return round.kind == FieldRound::Kind::push_window; };
        EXPECT_TRUE(std::ranges::is_partitioned(search.rounds, is_window));
        const auto pulls = std::ranges::count_if(search.rounds, &FieldRound::pulls);
        EXPECT_GE(pulls, 2);
        for (const FieldRound& round : search.rounds)
            for (std::size_t k = 0; k < classes.count(); ++k) {
                EXPECT_NEAR(std::accumulate(round.open[k].begin(), round.open[k].end(), 0.0), classes.sizes[k],
                            round.pulls() ? classes.sizes[k] : 1e-3 * classes.sizes[k]);
                EXPECT_GE(*std::ranges::min_element(round.open[k]), -1e-6 * classes.sizes[k]);
            }
    }
}

TEST(FieldPaths, WindowsAreAsWideAsTheProgramsOnes)
{
    for (const auto& [spec, scale] : {std::pair{"kron:12", 12}, std::pair{"kron:15", 15}}) {
        algo::SsspOptions options;
        options.method = algo::SsspMethod::push_pull;
        const DistributedGraph graph = with_weights(alone(), spec);
        const auto search =
            algo::make_grid_sssp(alone(), graph, options, algo::SsspEngineMaker([](const CsrBlock& block, bool narrow) {
                                     return cpu::make_sssp_engine(block, narrow);
                                 }));
        const std::string words = search->description();
        const double width = std::stod(words.substr(words.find("width ") + 6));
        expect_near(width, window_width(kronecker_classes(scale, 16)), 0.1, spec);
    }
}

TEST(KroneckerClasses, LighterArcsAreThoseOfAGeneratedGraph)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    const auto& weights = std::get<HostBuffer<float>>(kronecker_graph().block.in_weights);
    for (const float weight : {0.01F, 0.1F, 0.5F, 1.0F}) {
        const auto lighter = std::ranges::count_if(weights.span(), [weight](float each) { return each < weight; });
        expect_near(static_cast<double>(lighter), classes.lighter_arcs(weight), 0.03, "arcs");
    }
}

/// Distances by Dijkstra's algorithm, by slot.
std::vector<double> distances_from(std::uint32_t source)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    const auto& weights = std::get<HostBuffer<float>>(kronecker_graph().block.in_weights);
    std::vector<double> distances(lists.lists, std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distances[source] = 0;
    queue.emplace(0, source);
    while (!queue.empty()) {
        const auto [distance, slot] = queue.top();
        queue.pop();
        if (distance > distances[slot]) continue;
        for (std::uint64_t i = lists.begin(slot); i < lists.end(slot); ++i) {
            const double sum = distance + weights[i];
            if (sum < distances[lists.neighbours[i]]) {
                distances[lists.neighbours[i]] = sum;
                queue.emplace(sum, lists.neighbours[i]);
            }
        }
    }
    return distances;
}

/// The queries of the first pull in 1.5D, counted in a graph: vertices below the end of the window are known; those
/// beyond it take the best sum along an arc to a hub, and ask about lighter arcs.
double counted_queries(const std::vector<double>& distances, double window, std::uint32_t hubs)
{
    const CsrView lists = kronecker_graph().block.in_edges.view();
    const auto& weights = std::get<HostBuffer<float>>(kronecker_graph().block.in_weights);
    double queries = 0;
    for (std::uint32_t row = 0; row < lists.lists; ++row) {
        if (distances[row] < window) continue;
        double best = std::numeric_limits<double>::infinity();
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i)
            if (lists.neighbours[i] < hubs && distances[lists.neighbours[i]] < window)
                best = std::min(best, distances[lists.neighbours[i]] + weights[i]);
        for (std::uint64_t i = lists.begin(row); i < lists.end(row); ++i)
            if (lists.neighbours[i] >= hubs && weights[i] + window < best) ++queries;
    }
    return queries;
}

/// The share of the arcs of vertices whose distance is below `end`.
double settled_arcs(const std::vector<double>& distances, double end)
{
    double arcs = 0;
    for (std::uint32_t slot = 0; slot < distances.size(); ++slot)
        if (distances[slot] < end) arcs += kronecker_graph().block.out_degrees[slot];
    return arcs / (32.0 * (1 << kScale));
}

TEST(HubPaths, QueriesAreThoseOfAGraph)
{
    const VertexClasses classes = kronecker_classes(kScale, 16);
    const std::vector<FieldPaths> searches = searches_in_mean(classes, 16);
    for (const double hubs : {256.0, 2048.0}) {
        double field = 0;
        double counted = 0;
        for (const FieldPaths& search : searches) {
            const auto pull = std::ranges::find(search.rounds, FieldRound::Kind::pull_first, &FieldRound::kind);
            ASSERT_NE(pull, search.rounds.end());
            FieldRound at_window = *pull;
            at_window.least = pull->window;
            field += HubPaths(classes, search, hubs).work(at_window).queries / 16;
        }
        for (std::uint32_t key = 0; key < 16; ++key) {
            const std::vector<double> distances = distances_from(700 * key + 3);
            double window = 0;  // in which the settled vertices have as many arcs as before pulls
            while (settled_arcs(distances, window) < 0.5 * classes.distinct) window += window_width(classes);
            counted += counted_queries(distances, window, static_cast<std::uint32_t>(hubs)) / 16;
        }
        expect_near(counted, field, 0.3, "queries");
    }
}

TEST(HubPaths, NothingIsSentIfAllAreHubs)
{
    const VertexClasses classes = kronecker_classes(20, 16);
    const FieldPaths search = searches_in_mean(classes, 1).front();
    const HubPaths all(classes, search, classes.vertices());
    const HubPaths none(classes, search, 0);
    for (std::size_t i = 0; i < search.rounds.size(); ++i) {
        const HubPathWork with_all = all.work(search.rounds[i]);
        double changed = 0;
        for (const std::vector<double>& of_class : search.rounds[i].changed)
            changed += std::accumulate(of_class.begin(), of_class.end() - 1, 0.0);
        EXPECT_NEAR(with_all.changed_hubs, changed, 1e-6 * classes.vertices());
        EXPECT_NEAR(with_all.pushes, 0, 1e-6);
        EXPECT_NEAR(with_all.queries, 0, 1e-6);
        const HubPathWork with_none = none.work(search.rounds[i]);
        EXPECT_EQ(with_none.changed_hubs, 0);
        if (!search.rounds[i].pulls()) {
            EXPECT_LE(with_none.pushes, with_none.arcs * (1 + 1e-6));
            EXPECT_GT(with_none.pushes, 0);
        }
    }
}

}  // namespace
}  // namespace wayfront::model
