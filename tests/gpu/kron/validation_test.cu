// Compares the verdicts of the validator on the GPU with those of a serial check that shares no
// code with the validator. Three ranks are three threads, each with a stream, on one GPU. Parents
// alone cannot break rule 2, because the levels are computed from parents.
#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/kron/kron_device.cuh"
#include "gpu/kron/validation.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "oracle/serial_validation.cuh"
#include "support/gpu/thread_ranks.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu::kron {
namespace {

class GpuValidation : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Validates one result after the other, with one validator for each rank. Every rank must return
/// the same verdict.
std::vector<Verdict> verdicts(const TestGraph& graph, int ranks, Vertex key, const std::vector<Parents>& results)
{
    std::vector<std::vector<Verdict>> said(static_cast<std::size_t>(ranks));
    on_thread_ranks(ranks, [&](DeviceCollectives& together, std::size_t rank) {
        const Stream stream;
        KronValidator validator(graph.source.parameters(), graph.source.edge_count(), graph.n, together, stream);
        for (const Parents& parents : results) {
            Parents own;
            for (std::size_t v = rank; v < parents.size(); v += static_cast<std::size_t>(ranks))
                own.push_back(parents[v]);
            const DeviceBuffer<std::int32_t> device = upload(std::span<const std::int32_t>(own), stream);
            said[rank].push_back(validator.validate(key, device.data()));
        }
    });
    for (std::size_t rank = 1; rank < said.size(); ++rank) {
        for (std::size_t i = 0; i < results.size(); ++i) expect_equal(said[rank][i], said[0][i]);
    }
    return said[0];
}

/// Expects the verdict of the serial check for each result, with one rank and with three.
void expect_serial_verdicts(const TestGraph& graph, Vertex key, const std::vector<Parents>& results)
{
    for (const int ranks : {1, 3}) {
        const std::vector<Verdict> made = verdicts(graph, ranks, key, results);
        for (std::size_t i = 0; i < results.size(); ++i) {
            SCOPED_TRACE("result " + std::to_string(i) + ", ranks " + std::to_string(ranks));
            expect_equal(made[i], serial_verdict(graph, key, results[i]));
        }
    }
}

/// Expects one fault of one result, with one rank and with three. The other fields must be those of
/// the serial check.
void expect_fault(const TestGraph& graph, Vertex key, const Parents& parents, Fault fault, int rule)
{
    const Verdict expected = serial_verdict(graph, key, parents);
    ASSERT_EQ(expected.fault, fault) << "the test does not break what it means to";
    ASSERT_EQ(expected.rule, rule);
    expect_serial_verdicts(graph, key, {parents});
}

/// The first vertex that satisfies the condition.
template <typename F>
Vertex first_vertex(const TestGraph& graph, F&& holds)
{
    for (Vertex v = 0; v < graph.n; ++v) {
        if (holds(v)) return v;
    }
    throw std::logic_error("the graph has no such vertex");
}

Vertex connected_key(const TestGraph& graph)
{
    return first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].size() > 20; });
}

// --- Verdicts ------------------------------------------------------------------------------------

TEST_F(GpuValidation, AcceptsSearches)
{
    for (const auto& [scale, edge_factor] : {std::pair{1, 1}, {3, 2}, {5, 16}, {8, 1}, {10, 16}, {13, 4}, {16, 16}}) {
        const TestGraph graph(scale, edge_factor, static_cast<std::uint64_t>(scale));
        for (const Vertex key : {Vertex{0}, graph.n / 3, graph.n - 1}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", key " + std::to_string(key));
            const Parents parents = serial_search(graph, key).parents;
            ASSERT_TRUE(serial_verdict(graph, key, parents).valid());
            expect_serial_verdicts(graph, key, {parents, parents});
        }
    }
}

TEST_F(GpuValidation, AcceptsAnIsolatedKey)
{
    const TestGraph graph(10, 2);
    const Vertex key =
        first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].empty(); });
    const Parents parents = serial_search(graph, key).parents;
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
    const TestGraph graph(9, 8);
    const Vertex key = connected_key(graph);
    Parents parents = serial_search(graph, key).parents;
    for (const std::int32_t wrong :
         {static_cast<std::int32_t>(graph.neighbours[static_cast<std::size_t>(key)].back()), -1, 1 << 30}) {
        parents[static_cast<std::size_t>(key)] = wrong;
        expect_fault(graph, key, parents, Fault::key_parent, 1);
    }
}

TEST_F(GpuValidation, RejectsParentsOutOfRange)
{
    const TestGraph graph(9, 8);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 2; });
    for (const std::int32_t wrong : {static_cast<std::int32_t>(graph.n), -2, -2147483647 - 1, 2147483647}) {
        Parents parents = good.parents;
        parents[static_cast<std::size_t>(v)] = wrong;
        expect_fault(graph, key, parents, Fault::parent_range, 1);
    }
}

TEST_F(GpuValidation, RejectsAVertexThatIsItsOwnParent)
{
    const TestGraph graph(9, 8);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    for (const std::int64_t level : {-1, 1}) {
        Parents parents = good.parents;
        const Vertex v =
            first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == level; });
        parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(v);
        expect_fault(graph, key, parents, Fault::own_parent, 1);
    }
}

TEST_F(GpuValidation, RejectsAnUnreachedParent)
{
    const TestGraph graph(10, 4);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    Parents parents = good.parents;
    const Vertex unreached =
        first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] < 0; });
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 2; });
    parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(unreached);
    expect_fault(graph, key, parents, Fault::parent_unreached, 1);
}

TEST_F(GpuValidation, RejectsACycle)
{
    const TestGraph graph(10, 4);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    Parents parents = good.parents;
    const Vertex v = first_vertex(graph, [&](Vertex u) { return good.levels[static_cast<std::size_t>(u)] == 3; });
    const auto top =
        static_cast<std::size_t>(good.parents[static_cast<std::size_t>(good.parents[static_cast<std::size_t>(v)])]);
    parents[top] = static_cast<std::int32_t>(v);
    expect_fault(graph, key, parents, Fault::cycle, 1);
}

TEST_F(GpuValidation, RejectsACycleOfAllVerticesButTheKey)
{
    const TestGraph graph(10, 4);
    Parents parents(static_cast<std::size_t>(graph.n));
    for (std::size_t v = 1; v < parents.size(); ++v)
        parents[v] = static_cast<std::int32_t>(v + 1 < parents.size() ? v + 1 : 1);
    parents[0] = 0;
    expect_fault(graph, 0, parents, Fault::cycle, 1);
}

TEST_F(GpuValidation, RejectsLevelsTooFarApart)
{
    // v and its sibling u are joined by an edge. If u is the parent of v, v is one level deeper,
    // two levels from its old parent.
    const TestGraph graph(10, 16);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
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
    const TestGraph graph(10, 16);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    const std::int64_t deepest = *std::max_element(good.levels.begin(), good.levels.end());
    const Vertex leaf =
        first_vertex(graph, [&](Vertex v) { return good.levels[static_cast<std::size_t>(v)] == deepest; });
    Parents parents = good.parents;
    parents[static_cast<std::size_t>(leaf)] = -1;
    expect_fault(graph, key, parents, Fault::leaves_component, 4);
}

TEST_F(GpuValidation, RejectsATreeEdgeThatIsNoEdge)
{
    // The new parent has the same level as the old one but no edge to v, so that all levels stay
    // the same.
    const TestGraph graph(10, 16);
    const Vertex key = connected_key(graph);
    const SerialSearch good = serial_search(graph, key);
    const auto level = [&](Vertex v) { return good.levels[static_cast<std::size_t>(v)]; };
    const Vertex v = first_vertex(graph, [&](Vertex u) { return level(u) == 2; });
    const Vertex stranger = first_vertex(graph, [&](Vertex u) { return level(u) == 1 && !graph.joined(u, v); });
    Parents parents = good.parents;
    parents[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(stranger);
    expect_fault(graph, key, parents, Fault::missing_tree_edge, 5);
}

TEST_F(GpuValidation, TellsLevelsOfDeepTrees)
{
    // A path ends with the source of edge 0, and the target of edge 0 is at level 1, so that edge 0
    // breaks rule 3. The path's last levels, 253 and more, do not fit a byte. Parents have greater
    // numbers than their children, which is the slow order for pointer doubling in place.
    const TestGraph graph(11, 16);
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
        for (std::size_t i = 0; i < length; ++i)
            parents[static_cast<std::size_t>(path[i])] = static_cast<std::int32_t>(path[i > 0 ? i - 1 : 0]);
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
        const TestGraph graph(scale, edge_factor, random());
        const auto n = static_cast<std::uint64_t>(graph.n);
        const Vertex key =
            first_vertex(graph, [&](Vertex v) { return graph.neighbours[static_cast<std::size_t>(v)].size() > 3; });
        std::vector<Parents> results;
        for (int i = 0; i < 150; ++i) {
            Parents parents = serial_search(graph, key).parents;
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
    OneRank alone;
    EXPECT_THROW(KronValidator(parameters, 16384, 1023, alone, stream), InputError);
    EXPECT_THROW(KronValidator(kron_parameters(32, 2, 3), 16384, Vertex{1} << 32, alone, stream), InputError);
}

}  // namespace
}  // namespace wayfront::gpu::kron
