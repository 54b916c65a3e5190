// The validator on the GPU. Verdicts are compared with a serial check that shares no code with the validator. Three ranks are three threads with a
// stream each, on one GPU. Rule 2 cannot be broken by parents alone: levels are made from them.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <deque>
#include <functional>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/kron_device.cuh"
#include "gpu/launch.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/validation.hpp"
#include "gpu/validation_layout.hpp"
#include "gpu_guard.hpp"

namespace wayfront::gpu {

// How Verdict is shown by a failed assertion.
void PrintTo(const Verdict& v, std::ostream* out)
{
    *out << "fault " << static_cast<int>(v.fault) << " of rule " << v.rule << ", vertex " << v.vertex << ", parent " << v.parent << ", edge "
         << v.edge << ", levels " << v.level << " and " << v.other_level << "; tuples " << v.component_tuples << ", reached " << v.reached
         << ", max level " << v.max_level;
}

namespace {

class GpuValidation : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

// --- How vertices are laid out ---------------------------------------------------------------------------------------------------------------------

TEST(RankMajorLayout, IsABijection)
{
    for (const int ranks : {1, 2, 3, 5, 7, 8, 9, 64}) {
        for (const Vertex n : {1, 2, 31, 32, 1024, 4096}) {
            const RankMajorLayout layout = RankMajorLayout::of(n, ranks);
            std::vector<bool> taken(layout.indices(), false);
            for (std::uint32_t v = 0; v < n; ++v) {
                const std::uint32_t i = layout.index(v);
                ASSERT_EQ(i, v % static_cast<unsigned>(ranks) * layout.stride + v / static_cast<unsigned>(ranks));
                ASSERT_FALSE(taken[i]);
                taken[i] = true;
                ASSERT_EQ(layout.vertex(i), v);
            }
            for (std::uint32_t i = 0; i < layout.indices(); ++i) ASSERT_EQ(taken[i], layout.vertex(i) < static_cast<std::uint64_t>(n));
            std::uint64_t owned = 0;
            for (int rank = 0; rank < ranks; ++rank) owned += layout.owned_by(static_cast<std::uint32_t>(rank));
            EXPECT_EQ(owned, static_cast<std::uint64_t>(n));
            EXPECT_EQ(layout.stride % 64, 0U);
        }
    }
}

TEST(RankMajorLayout, DividesLargeVertices)
{
    std::mt19937 random(7);
    for (std::uint32_t ranks = 1; ranks <= 300; ++ranks) {
        const RankMajorLayout layout = RankMajorLayout::of(Vertex{1} << 31, static_cast<int>(ranks));
        const auto check = [&](std::uint32_t v) { ASSERT_EQ(layout.index(v), v % ranks * layout.stride + v / ranks) << v << " of " << ranks; };
        for (int i = 0; i < 1000; ++i) {
            const std::uint32_t v = random() >> 1;
            check(v);
            check(v / ranks * ranks);
            check(v / ranks * ranks + ranks - 1 < 1U << 31 ? v / ranks * ranks + ranks - 1 : v);
        }
        check((1U << 31) - 1);
    }
}

// --- A serial search and a serial check ------------------------------------------------------------------------------------------------------------

struct Graph
{
    Graph(int scale, EdgeCount edge_factor, std::uint64_t seed = 2)
        : source(scale, edge_factor, seed, 3), n(source.vertex_count()), neighbours(static_cast<std::size_t>(n))
    {
        std::vector<PackedEdge> tuples(static_cast<std::size_t>(source.edge_count()));
        source.edges(0, tuples);
        for (const PackedEdge& tuple : tuples) {
            edges.push_back(tuple.unpack());
            neighbours[static_cast<std::size_t>(tuple.source())].push_back(tuple.target());
            neighbours[static_cast<std::size_t>(tuple.target())].push_back(tuple.source());
        }
    }
    [[nodiscard]] bool joined(Vertex u, Vertex v) const
    {
        const auto& list = neighbours[static_cast<std::size_t>(u)];
        return std::find(list.begin(), list.end(), v) != list.end();
    }

    KronSource source;
    Vertex n;
    std::vector<Edge> edges;
    std::vector<std::vector<Vertex>> neighbours;
};

using Parents = std::vector<std::int32_t>;

struct Search
{
    Parents parents;
    std::vector<std::int64_t> levels;
};

Search search(const Graph& graph, Vertex key)
{
    const auto n = static_cast<std::size_t>(graph.n);
    Search result{Parents(n, -1), std::vector<std::int64_t>(n, -1)};
    std::deque<Vertex> queue{key};
    result.parents[static_cast<std::size_t>(key)] = static_cast<std::int32_t>(key);
    result.levels[static_cast<std::size_t>(key)] = 0;
    for (; !queue.empty(); queue.pop_front()) {
        const Vertex u = queue.front();
        for (const Vertex v : graph.neighbours[static_cast<std::size_t>(u)]) {
            if (result.levels[static_cast<std::size_t>(v)] >= 0) continue;
            result.levels[static_cast<std::size_t>(v)] = result.levels[static_cast<std::size_t>(u)] + 1;
            result.parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(u);
            queue.push_back(v);
        }
    }
    return result;
}

Verdict tree_fault(Fault fault, Vertex v, const Parents& parents)
{
    Verdict verdict;
    verdict.fault = fault;
    verdict.rule = 1;
    verdict.vertex = v;
    verdict.parent = parents[static_cast<std::size_t>(v)];
    return verdict;
}

/// What the validator should say, by plain loops over vertices and edges.
Verdict serial_verdict(const Graph& graph, Vertex key, const Parents& parents)
{
    const auto parent = [&](Vertex v) { return static_cast<Vertex>(parents[static_cast<std::size_t>(v)]); };
    for (Vertex v = 0; v < graph.n; ++v) {
        if (v == key ? parent(v) != key : parent(v) == v) return tree_fault(v == key ? Fault::key_parent : Fault::own_parent, v, parents);
        if (parent(v) < -1 || parent(v) >= graph.n) return tree_fault(Fault::parent_range, v, parents);
    }
    for (Vertex v = 0; v < graph.n; ++v) {
        if (parent(v) != -1 && parent(parent(v)) == -1) return tree_fault(Fault::parent_unreached, v, parents);
    }
    std::vector<std::int64_t> levels(static_cast<std::size_t>(graph.n), -1);
    for (Vertex v = 0; v < graph.n; ++v) {
        if (parent(v) == -1) continue;
        std::int64_t steps = 0;
        for (Vertex u = v; u != key && steps <= graph.n; u = parent(u)) ++steps;
        if (steps > graph.n) return tree_fault(Fault::cycle, v, parents);
        levels[static_cast<std::size_t>(v)] = steps;
    }
    Verdict verdict;
    const auto level = [&](Vertex v) { return levels[static_cast<std::size_t>(v)]; };
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        const bool leaves = (level(u) < 0) != (level(v) < 0);
        if (leaves || std::abs(level(u) - level(v)) > 1) {
            verdict.fault = leaves ? Fault::leaves_component : Fault::edge_levels;
            verdict.rule = leaves ? 4 : 3;
            verdict.vertex = u;
            verdict.parent = v;
            verdict.edge = static_cast<EdgeCount>(e);
            verdict.level = level(u);
            verdict.other_level = level(v);
            return verdict;
        }
    }
    for (Vertex v = 0; v < graph.n; ++v) {
        if (level(v) <= 0 || graph.joined(v, parent(v))) continue;
        verdict.fault = Fault::missing_tree_edge;
        verdict.rule = 5;
        verdict.vertex = v;
        verdict.parent = parent(v);
        verdict.level = level(v);
        verdict.other_level = level(parent(v));
        return verdict;
    }
    for (const Edge& edge : graph.edges) verdict.component_tuples += level(edge.source) >= 0 ? 1 : 0;
    for (const std::int64_t l : levels) {
        verdict.reached += l >= 0 ? 1 : 0;
        verdict.max_level = std::max(verdict.max_level, l);
    }
    return verdict;
}

void expect_equal(const Verdict& made, const Verdict& expected)
{
    const bool equal = made.fault == expected.fault && made.rule == expected.rule && made.vertex == expected.vertex &&
                       made.parent == expected.parent && made.edge == expected.edge && made.level == expected.level &&
                       made.other_level == expected.other_level && made.component_tuples == expected.component_tuples &&
                       made.reached == expected.reached && made.max_level == expected.max_level;
    EXPECT_TRUE(equal) << "got      " << testing::PrintToString(made) << "\nexpected " << testing::PrintToString(expected);
}

// --- Ranks that are threads ------------------------------------------------------------------------------------------------------------------------

/// The collectives of ranks that are threads of this process and share a GPU. A rank that fails makes the others' calls throw.
class ThreadRanks
{
public:
    explicit ThreadRanks(int ranks) : ranks_(static_cast<std::size_t>(ranks)), barrier_(ranks), sent_(ranks_), values_(ranks_) {}

    [[nodiscard]] Collectives of(std::size_t rank)
    {
        Collectives calls;
        calls.all_gather = [this, rank](std::byte* pieces, std::size_t bytes, const Stream& stream) {
            publish(rank, pieces, stream);
            for (std::size_t r = 0; r < ranks_; ++r) {
                if (r != rank) copy_async(std::span<const std::byte>(sent_[r] + r * bytes, bytes), std::span(pieces + r * bytes, bytes), stream);
            }
            finish(stream);
        };
        calls.all_to_all = [this, rank](const std::byte* send, std::byte* receive, std::size_t bytes, const Stream& stream) {
            publish(rank, send, stream);
            for (std::size_t r = 0; r < ranks_; ++r)
                copy_async(std::span<const std::byte>(sent_[r] + rank * bytes, bytes), std::span(receive + r * bytes, bytes), stream);
            finish(stream);
        };
        calls.sum = [this, rank](std::span<std::int64_t> values) { reduce(rank, values, [](std::int64_t a, std::int64_t b) { return a + b; }); };
        calls.max = [this, rank](std::span<std::int64_t> values) {
            reduce(rank, values, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
        };
        return calls;
    }

    void leave()
    {
        failed_ = true;
        barrier_.arrive_and_drop();
    }

private:
    void publish(std::size_t rank, const std::byte* memory, const Stream& stream)
    {
        stream.synchronize();
        sent_[rank] = memory;
        wait();
    }
    void finish(const Stream& stream)
    {
        stream.synchronize();
        wait();
    }
    template <typename Op>
    void reduce(std::size_t rank, std::span<std::int64_t> values, Op op)
    {
        values_[rank].assign(values.begin(), values.end());
        wait();
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (r == rank) continue;
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = op(values[i], values_[r][i]);
        }
        wait();
    }
    void wait()
    {
        barrier_.arrive_and_wait();
        if (failed_) throw std::runtime_error("another rank has failed");
    }

    std::size_t ranks_;
    std::barrier<> barrier_;
    std::atomic<bool> failed_ = false;
    std::vector<const std::byte*> sent_;
    std::vector<std::vector<std::int64_t>> values_;
};

/// Validates one result after the other with one validator a rank. Every rank must say the same.
std::vector<Verdict> verdicts(const Graph& graph, int ranks, Vertex key, const std::vector<Parents>& results)
{
    ThreadRanks group(ranks);
    std::vector<std::vector<Verdict>> said(static_cast<std::size_t>(ranks));
    std::vector<std::string> errors(static_cast<std::size_t>(ranks));
    const auto run_rank = [&](std::size_t rank) {
        try {
            const Stream stream;
            KronValidator validator(graph.source.parameters(), graph.source.edge_count(), graph.n, ranks, static_cast<int>(rank),
                                    ranks > 1 ? group.of(rank) : Collectives{}, stream);
            for (const Parents& parents : results) {
                Parents own;
                for (std::size_t v = rank; v < parents.size(); v += static_cast<std::size_t>(ranks)) own.push_back(parents[v]);
                const DeviceBuffer<std::int32_t> device = upload(std::span<const std::int32_t>(own), stream);
                said[rank].push_back(validator.validate(key, device.data()));
            }
        } catch (const std::exception& error) {
            errors[rank] = error.what();
            group.leave();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) threads.emplace_back(run_rank, rank);
    for (std::thread& thread : threads) thread.join();
    for (const std::string& error : errors) {
        if (!error.empty()) throw std::runtime_error(error);
    }
    for (std::size_t rank = 1; rank < said.size(); ++rank) {
        for (std::size_t i = 0; i < results.size(); ++i) expect_equal(said[rank][i], said[0][i]);
    }
    return said[0];
}

/// Expects of each result, with one rank and with three, what the serial check says.
void expect_serial_verdicts(const Graph& graph, Vertex key, const std::vector<Parents>& results)
{
    for (const int ranks : {1, 3}) {
        const std::vector<Verdict> made = verdicts(graph, ranks, key, results);
        for (std::size_t i = 0; i < results.size(); ++i) {
            SCOPED_TRACE("result " + std::to_string(i) + ", ranks " + std::to_string(ranks));
            expect_equal(made[i], serial_verdict(graph, key, results[i]));
        }
    }
}

/// Expects one fault of one result, with one rank and with three, and whatever else the serial check says.
void expect_fault(const Graph& graph, Vertex key, const Parents& parents, Fault fault, int rule)
{
    const Verdict expected = serial_verdict(graph, key, parents);
    ASSERT_EQ(expected.fault, fault) << "the test does not break what it means to";
    ASSERT_EQ(expected.rule, rule);
    expect_serial_verdicts(graph, key, {parents});
}

/// The first vertex for which the condition holds.
template <typename F>
Vertex first_vertex(const Graph& graph, F&& holds)
{
    for (Vertex v = 0; v < graph.n; ++v) {
        if (holds(v)) return v;
    }
    throw std::logic_error("the graph has no such vertex");
}

Vertex connected_key(const Graph& graph)
{
    return first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].size() > 20; });
}

// --- Verdicts --------------------------------------------------------------------------------------------------------------------------------------

TEST_F(GpuValidation, AcceptsSearches)
{
    for (const auto& [scale, edge_factor] : {std::pair{1, 1}, {3, 2}, {5, 16}, {8, 1}, {10, 16}, {13, 4}, {16, 16}}) {
        const Graph graph(scale, edge_factor, static_cast<std::uint64_t>(scale));
        for (const Vertex key : {Vertex{0}, graph.n / 3, graph.n - 1}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", key " + std::to_string(key));
            const Parents parents = search(graph, key).parents;
            ASSERT_TRUE(serial_verdict(graph, key, parents).valid());
            expect_serial_verdicts(graph, key, {parents, parents});
        }
    }
}

TEST_F(GpuValidation, AcceptsAnIsolatedKey)
{
    const Graph graph(10, 2);
    const Vertex key = first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].empty(); });
    const Parents parents = search(graph, key).parents;
    for (const int ranks : {1, 3}) {
        const Verdict verdict = verdicts(graph, ranks, key, {parents}).front();
        EXPECT_TRUE(verdict.valid()) << testing::PrintToString(verdict);
        EXPECT_EQ(verdict.component_tuples, 0U);
        EXPECT_EQ(verdict.reached, 1U);
        EXPECT_EQ(verdict.max_level, 0);
    }
}

TEST_F(GpuValidation, RejectsAKeyThatIsNotItsOwnParent)
{
    const Graph graph(9, 8);
    const Vertex key = connected_key(graph);
    Parents parents = search(graph, key).parents;
    for (const std::int32_t wrong : {static_cast<std::int32_t>(graph.neighbours[static_cast<std::size_t>(key)].back()), -1, 1 << 30}) {
        parents[static_cast<std::size_t>(key)] = wrong;
        expect_fault(graph, key, parents, Fault::key_parent, 1);
    }
}

TEST_F(GpuValidation, RejectsParentsOutOfRange)
{
    const Graph graph(9, 8);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 2; });
    for (const std::int32_t wrong : {static_cast<std::int32_t>(graph.n), -2, -2147483647 - 1, 2147483647}) {
        Parents parents = good.parents;
        parents[static_cast<std::size_t>(v)] = wrong;
        expect_fault(graph, key, parents, Fault::parent_range, 1);
    }
}

TEST_F(GpuValidation, RejectsAVertexThatIsItsOwnParent)
{
    const Graph graph(9, 8);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    for (const std::int64_t level : {-1, 1}) {
        Parents parents = good.parents;
        const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == level; });
        parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(v);
        expect_fault(graph, key, parents, Fault::own_parent, 1);
    }
}

TEST_F(GpuValidation, RejectsAnUnreachedParent)
{
    const Graph graph(10, 4);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    Parents parents = good.parents;
    const Vertex unreached = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] < 0; });
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 2; });
    parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(unreached);
    expect_fault(graph, key, parents, Fault::parent_unreached, 1);
}

TEST_F(GpuValidation, RejectsACycle)
{
    const Graph graph(10, 4);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    Parents parents = good.parents;
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 3; });
    const auto top = static_cast<std::size_t>(good.parents[static_cast<std::size_t>(good.parents[static_cast<std::size_t>(v)])]);
    parents[top] = static_cast<std::int32_t>(v);
    expect_fault(graph, key, parents, Fault::cycle, 1);
}

TEST_F(GpuValidation, RejectsACycleOfAllVerticesButTheKey)
{
    const Graph graph(10, 4);
    Parents parents(static_cast<std::size_t>(graph.n));
    for (std::size_t v = 1; v < parents.size(); ++v) parents[v] = static_cast<std::int32_t>(v + 1 < parents.size() ? v + 1 : 1);
    parents[0] = 0;
    expect_fault(graph, 0, parents, Fault::cycle, 1);
}

TEST_F(GpuValidation, RejectsLevelsTooFarApart)
{
    // v and its sibling u are joined. With u as its parent v goes a level down, away from its old parent.
    const Graph graph(10, 16);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    const auto level = [&](Vertex v) { return good.levels[static_cast<std::size_t>(v)]; };
    const auto sibling = [&](Vertex v) {
        for (const Vertex u : graph.neighbours[static_cast<std::size_t>(v)]) {
            if (u != v && level(u) == level(v)) return u;
        }
        return Vertex{-1};
    };
    const Vertex v = first_vertex(graph, [&](Vertex u) { return level(u) == 2 && sibling(u) >= 0; });
    Parents parents = good.parents;
    parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(sibling(v));
    expect_fault(graph, key, parents, Fault::edge_levels, 3);
}

TEST_F(GpuValidation, RejectsAVertexLeftOut)
{
    const Graph graph(10, 16);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    const std::int64_t deepest = *std::max_element(good.levels.begin(), good.levels.end());
    const Vertex leaf = first_vertex(graph, [&](Vertex v) { return good.levels[static_cast<std::size_t>(v)] == deepest; });
    Parents parents = good.parents;
    parents[static_cast<std::size_t>(leaf)] = -1;
    expect_fault(graph, key, parents, Fault::leaves_component, 4);
}

TEST_F(GpuValidation, RejectsATreeEdgeThatIsNoEdge)
{
    // Another parent of the same level, which is not joined to v: all levels stay as they are.
    const Graph graph(10, 16);
    const Vertex key = connected_key(graph);
    const Search good = search(graph, key);
    const auto level = [&](Vertex v) { return good.levels[static_cast<std::size_t>(v)]; };
    const Vertex v = first_vertex(graph, [&](Vertex u) { return level(u) == 2; });
    const Vertex stranger = first_vertex(graph, [&](Vertex u) { return level(u) == 1 && !graph.joined(u, v); });
    Parents parents = good.parents;
    parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(stranger);
    expect_fault(graph, key, parents, Fault::missing_tree_edge, 5);
}

TEST_F(GpuValidation, TellsLevelsOfDeepTrees)
{
    // A path that ends with the source of edge 0 and has its target at level 1, so that edge 0 breaks rule 3. Its last levels, 253 and more, pass
    // what a byte holds. Parents have greater numbers than their children, which is the slow order for doubling in place.
    const Graph graph(11, 16);
    const auto [last, second] = graph.edges[0];
    const Vertex key = graph.n - 1;
    ASSERT_TRUE(last != second && last != key && second != key);
    std::vector<Parents> results;
    for (const std::size_t length : {253U, 254U, 255U, 256U, 257U, 258U, 512U, 1000U, 2048U}) {
        std::vector<Vertex> path{key, second};
        for (Vertex v = key - 1; path.size() + 1 < length; --v) {
            if (v != last && v != second) path.push_back(v);
        }
        path.push_back(last);
        Parents parents(static_cast<std::size_t>(graph.n), -1);
        for (std::size_t i = 0; i < length; ++i) parents[static_cast<std::size_t>(path[i])] = static_cast<std::int32_t>(path[i > 0 ? i - 1 : 0]);
        const Verdict expected = serial_verdict(graph, key, parents);
        ASSERT_EQ(expected.edge, 0);
        ASSERT_EQ(expected.fault, Fault::edge_levels);
        ASSERT_EQ(expected.level, static_cast<std::int64_t>(length) - 1);
        results.push_back(parents);
    }
    expect_serial_verdicts(graph, key, results);
}

TEST_F(GpuValidation, SaysWhatTheSerialCheckSaysOfRandomFaults)
{
    std::mt19937_64 random(11);
    for (const auto& [scale, edge_factor] : {std::pair{5, 4}, {7, 8}, {10, 8}}) {
        const Graph graph(scale, edge_factor, random());
        const auto n = static_cast<std::uint64_t>(graph.n);
        const Vertex key = first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].size() > 3; });
        std::vector<Parents> results;
        for (int i = 0; i < 150; ++i) {
            Parents parents = search(graph, key).parents;
            for (std::uint64_t faults = 1 + random() % 3; faults > 0; --faults) {
                const std::size_t v = random() % n;
                const auto& list = graph.neighbours[v];
                if (random() % 2 == 0 && !list.empty())
                    parents[v] = static_cast<std::int32_t>(list[random() % list.size()]);
                else
                    parents[v] = static_cast<std::int32_t>(random() % (n + 2)) - 1;
            }
            results.push_back(parents);
        }
        SCOPED_TRACE("scale " + std::to_string(scale));
        expect_serial_verdicts(graph, key, results);
    }
}

TEST_F(GpuValidation, RefusesGraphsOfOtherSizes)
{
    const Stream stream;
    const KronParameters parameters = kron_parameters(10, 2, 3);
    EXPECT_THROW(KronValidator(parameters, 16384, 1023, 1, 0, Collectives{}, stream), InputError);
    EXPECT_THROW(KronValidator(kron_parameters(32, 2, 3), 16384, Vertex{1} << 32, 1, 0, Collectives{}, stream), InputError);
}

}  // namespace
}  // namespace wayfront::gpu
