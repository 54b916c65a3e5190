// Searches small graphs in all ways, with any engine, and compares the results with a serial search
// with a queue. The tests of searches over several ranks share this.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/bfs_search.hpp"
#include "algo/bfs/split_engine.hpp"
#include "graph/construction.hpp"
#include "oracle/nearest.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"

namespace wayfront::algo {

inline const std::vector<DirectionChoice> kDirections{DirectionChoice::automatic, DirectionChoice::top_down,
                                                      DirectionChoice::bottom_up};
inline const std::vector<comm::ExchangeFormat> kFormats{comm::ExchangeFormat::automatic, comm::ExchangeFormat::bitmap,
                                                        comm::ExchangeFormat::list};

/// Copies a frontier to a set for the same number of slots. Copies the bitmap if the frontier has
/// one, otherwise the list.
inline void take_in_both_forms(const FrontierView& frontier, comm::SlotSet& set)
{
    set.count = frontier.count;
    set.has_list = frontier.bitmap == nullptr;
    set.has_bitmap = !set.has_list;
    if (set.has_list)
        std::ranges::copy(frontier.list, set.list.begin());
    else
        std::copy_n(frontier.bitmap, set.bitmap.size(), set.bitmap.data());
    set.need_list();
    set.need_bitmap();
}

/// The results of the serial search for one key.
struct Expected
{
    Expected() = default;
    Expected(const oracle::Lists& follow, const std::vector<std::uint64_t>& out_tuples, std::int64_t key)
        : levels(oracle::levels(follow, key))
    {
        const auto deepest = static_cast<std::size_t>(*std::ranges::max_element(levels));
        level_sizes.resize(deepest + 1);
        level_edges.resize(deepest + 1);
        for (std::size_t v = 0; v < levels.size(); ++v) {
            if (levels[v] < 0) continue;
            const auto level = static_cast<std::size_t>(levels[v]);
            ++level_sizes[level];
            level_edges[level] += out_tuples[v];
            ++reached;
        }
    }

    std::vector<std::int64_t> levels;
    std::vector<std::uint64_t> level_sizes;
    // The out-edges of each level's vertices, duplicates counted.
    std::vector<std::uint64_t> level_edges;
    std::uint64_t reached = 0;
};

/// The serial searches of a graph; each is run once.
class Oracle
{
public:
    explicit Oracle(const oracle::Graph& graph) : follow_(oracle::followers(graph)), out_tuples_(follow_.size(), 0)
    {
        for (const auto& [source, target] : graph.edges) {
            if (source == target) continue;
            ++out_tuples_[static_cast<std::size_t>(source)];
            if (!graph.directed) ++out_tuples_[static_cast<std::size_t>(target)];
        }
    }

    [[nodiscard]] const oracle::Lists& follow() const { return follow_; }
    [[nodiscard]] const Expected& search(std::int64_t key)
    {
        const auto [entry, is_new] = searches_.try_emplace(key);
        if (is_new) entry->second = Expected(follow_, out_tuples_, key);
        return entry->second;
    }

private:
    oracle::Lists follow_;
    std::vector<std::uint64_t> out_tuples_;
    std::map<std::int64_t, Expected> searches_;
};

class BfsTest : public GridTest
{
protected:
    const bool crowded = ranks > 4;

    std::vector<std::int64_t> gather(const VertexArray& parents, std::int64_t vertices)
    {
        return gather_by_vertex(world, vertices, [&](std::size_t i) { return parents[i]; });
    }
    std::vector<std::int64_t> gather(const HostBuffer<std::int32_t>& levels, std::int64_t vertices)
    {
        return gather_by_vertex(world, vertices, [&](std::size_t i) { return levels[i]; });
    }

    /// Runs a search and checks its result. Collective.
    void check(BfsSearch& search, const BfsOptions& options, Oracle& serial, std::int64_t key)
    {
        SCOPED_TRACE(testing::Message() << "key " << key);
        const BfsResult& result = search.run(key);
        const oracle::Lists& follow = serial.follow();
        const auto vertices = static_cast<std::int64_t>(follow.size());
        const Expected& expected = serial.search(key);
        EXPECT_EQ(result.key, key);
        EXPECT_EQ(result.reached, expected.reached);
        check_records(result, options.direction.choice, expected);
        const std::vector<std::int64_t> parents = gather(result.parents, vertices);
        if (rank == 0) {
            EXPECT_EQ(oracle::tree_fault(follow, key, expected.levels, parents), "");
        }
        if (rank == 0 && options.smallest_parents) {
            EXPECT_EQ(parents, oracle::smallest_parents(follow, key, expected.levels));
        }
        if (!options.levels && !options.smallest_parents) {
            EXPECT_TRUE(result.levels.empty());
            return;
        }
        const std::vector<std::int64_t> levels = gather(result.levels, vertices);
        if (rank == 0) {
            EXPECT_EQ(levels, expected.levels);
        }
    }

    /// Searches from several keys at once, and checks the result. Collective.
    void check_nearest(BfsSearch& search, const BfsOptions& options, const TestGraph& test)
    {
        const std::int64_t vertices = test.graph.vertices;
        std::set<Vertex> keys(test.keys.begin(), test.keys.end());
        for (const std::int64_t step : {1, 2, 40}) keys.insert((test.keys.front() + step) % vertices);
        const std::vector<Vertex> several(keys.begin(), keys.end());
        SCOPED_TRACE(testing::Message() << several.size() << " keys");
        const BfsResult& result = search.run_nearest(several);
        const std::vector<std::int64_t> levels = gather(result.levels, vertices);
        const std::vector<std::int64_t> parents = gather(result.parents, vertices);
        const std::vector<std::int64_t> nearest = gather(result.nearest, vertices);
        if (rank != 0) return;
        oracle::WeightedGraph<std::int64_t> graph{vertices, test.graph.directed, {}};
        for (const auto& [source, target] : test.graph.edges) graph.edges.push_back({source, target, 1});
        const double most = options.max_level == kNoMaxLevel ? std::numeric_limits<double>::infinity()
                                                             : static_cast<double>(options.max_level);
        const oracle::Nearest<std::int64_t> expected = oracle::nearest_sources(graph, several, most);
        EXPECT_EQ(nearest, expected.sources);
        EXPECT_EQ(oracle::parents_fault(graph, expected, parents), "");
        for (std::size_t v = 0; v < levels.size(); ++v)
            EXPECT_EQ(levels[v], nearest[v] == kUnreached ? kUnreached : expected.distances[v]) << "vertex " << v;
        EXPECT_EQ(result.reached, static_cast<std::uint64_t>(std::ranges::count_if(
                                      nearest, [](std::int64_t key) { return key != kUnreached; })));
        if (!options.smallest_parents) return;
        std::vector<std::int64_t> smallest(nearest.size(), kUnreached);
        for (const Vertex key : several) smallest[static_cast<std::size_t>(key)] = key;
        graph.for_each_arc([&](std::int64_t u, std::int64_t v, std::int64_t weight) {
            const auto to = static_cast<std::size_t>(v);
            if (expected.distances[to] == 0 || !oracle::is_tight(expected.distances, u, v, weight)) return;
            if (nearest[static_cast<std::size_t>(u)] != nearest[to]) return;
            if (smallest[to] == kUnreached || u < smallest[to]) smallest[to] = u;
        });
        EXPECT_EQ(parents, smallest);
    }

    static void check_records(const BfsResult& result, DirectionChoice choice, const Expected& expected)
    {
        if (result.records.empty()) {  // no search runs for a key without edges
            EXPECT_EQ(expected.reached, 1U);
            return;
        }
        ASSERT_EQ(result.records.size(), expected.level_sizes.size());
        for (std::size_t level = 0; level < result.records.size(); ++level) {
            EXPECT_EQ(result.records[level].frontier.vertices, expected.level_sizes[level]) << "level " << level;
            // Edges are counted if the direction rule may read them.
            const bool counted = choice == DirectionChoice::automatic &&
                                 (level == 0 || result.records[level - 1].direction == Direction::top_down);
            EXPECT_EQ(result.records[level].frontier.out_edges, counted ? expected.level_edges[level] : 0)
                << "level " << level;
            if (choice == DirectionChoice::top_down) {
                EXPECT_EQ(result.records[level].direction, Direction::top_down);
            }
            if (choice == DirectionChoice::bottom_up) {
                EXPECT_EQ(result.records[level].direction, Direction::bottom_up);
            }
        }
    }

    /// Constructs and searches a graph with each of the options on one grid. Collective.
    void check_graph(const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial,
                     const std::vector<BfsOptions>& choices, const EngineMaker& make_engine)
    {
        const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        const std::unique_ptr<EdgeEngine> engine = make_engine(graph.block);
        for (const BfsOptions& options : choices) {
            SCOPED_TRACE(testing::Message() << test.name << " on " << to_text(grid.shape()) << ", direction "
                                            << static_cast<int>(options.direction.choice) << ", exchange "
                                            << static_cast<int>(options.exchange));
            BfsSearch search(grid, graph, *engine, options);
            for (const std::int64_t key : test.keys) {
                check(search, options, serial, key);
                engine->tune(1.0);
            }
            if (options.levels || options.smallest_parents) check_nearest(search, options, test);
            // Once more, with the state that the other searches left.
            check(search, options, serial, test.keys.front());
        }
    }

    /// Calls f(grid, graph, oracle) for each small graph on each grid.
    template <typename F>
    void for_small_graphs(F&& f)
    {
        std::vector<comm::ProcessGrid> grids;
        for (const comm::GridShape shape : shapes_of(ranks)) grids.emplace_back(world, shape);
        for (const TestGraph& test : small_graphs()) {
            Oracle serial(test.graph);
            for (const comm::ProcessGrid& grid : grids) f(grid, test, serial);
        }
    }
};

/// Options for each direction, with `formats` of the forms of exchange, from number `first` on.
inline std::vector<BfsOptions> directions_and_formats(std::size_t formats, std::size_t first)
{
    std::vector<BfsOptions> choices;
    for (const DirectionChoice direction : kDirections) {
        for (std::size_t i = 0; i < formats; ++i) {
            BfsOptions options;
            options.direction.choice = direction;
            options.exchange = kFormats[(first + i) % kFormats.size()];
            options.levels = true;
            choices.push_back(options);
        }
        ++first;
    }
    return choices;
}

/// Options with which the direction changes at every level.
inline BfsOptions restless()
{
    BfsOptions options;
    options.direction = {DirectionChoice::automatic, 1e6, 1e-6};
    return options;
}

/// Options for each direction, and those with which it changes at every level.
inline std::vector<BfsOptions> directions_only()
{
    std::vector<BfsOptions> choices(3);
    for (std::size_t i = 0; i < choices.size(); ++i) choices[i].direction.choice = kDirections[i];
    choices.push_back(restless());
    return choices;
}

}  // namespace wayfront::algo
