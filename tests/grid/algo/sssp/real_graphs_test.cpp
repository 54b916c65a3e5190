// Shortest paths in the real graphs of tests/data, in every way, against the Boost Graph Library.
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "cpu/sssp/one_rank_search.hpp"
#include "graph/construction.hpp"
#include "graph/io/graph_file.hpp"
#include "oracle/boost_dijkstra.hpp"
#include "support/data_folders.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::algo {
namespace {

struct RealGraph
{
    std::string name;
    std::string file;
    std::int64_t source;
    bool large;  // only for one rank, and not for Bellman-Ford
};

void PrintTo(const RealGraph& graph, std::ostream* out)
{
    *out << graph.file;
}

class RealGraphs : public GridTest, public testing::WithParamInterface<RealGraph>
{
protected:
    /// The file's edges, with its weights or, if it has none, with random ones. Each rank reads it.
    template <typename W>
    static oracle::WeightedGraph<OracleWeight<W>> read(const std::string& file)
    {
        const EdgeList list = read_graph(test_data() + "/" + file).list;
        oracle::WeightedGraph<OracleWeight<W>> graph{list.vertex_count, list.directed, {}};
        RandomNumbers random(41);
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            auto weight = random_weight<W>(random, WeightRange::any);
            if (const auto* const whole = std::get_if<HostBuffer<std::int32_t>>(&list.weights))
                weight = static_cast<OracleWeight<W>>((*whole)[i]);
            if (std::is_floating_point_v<W>) weight /= 1000;  // so that sums are rounded
            graph.edges.push_back({list.edges[i].source(), list.edges[i].target(), weight});
        }
        return graph;
    }

    template <typename W>
    void check(const RealGraph& real)
    {
        const auto graph = read<W>(real.file);
        const std::vector<OracleWeight<W>> expected = oracle::boost_dijkstra(graph, real.source);
        const ThreadGuard threads(2);
        const comm::ProcessGrid grid(world, shapes_of(ranks)[shapes_of(ranks).size() / 2]);
        ConstructionOptions by_weight;
        by_weight.list_order = ListOrder::weights;
        const DistributedGraph distributed = construct(grid, ShareFeed<W>(graph, rank, ranks), by_weight);
        const auto compare = [&](SsspMethod method, const std::unique_ptr<SsspSearch>& search) {
            SCOPED_TRACE(testing::Message() << real.file << ": " << search->description());
            search->run(real.source);
            EXPECT_EQ(search->result().method, method);
            EXPECT_GE(search->result().reached, 100U) << "the source is a poor choice";
            const auto distances = gather_distances<OracleWeight<W>>(world, graph.vertices, search->result().distances);
            const auto parents =
                gather_by_vertex(world, graph.vertices, [&](std::size_t i) { return search->result().parents[i]; });
            if (rank != 0) return;
            EXPECT_TRUE(distances == expected) << "distances differ";
            EXPECT_EQ(oracle::parents_fault(graph, real.source, expected, parents), "");
        };
        for (const SsspMethod method : {SsspMethod::push_pull, SsspMethod::delta_stepping, SsspMethod::bellman_ford}) {
            if (real.large && method == SsspMethod::bellman_ford) continue;
            SsspOptions options;
            options.method = method;
            compare(method, make_grid_sssp(grid, distributed, options, [](const CsrBlock& block, bool narrow) {
                        return cpu::make_sssp_engine(block, narrow);
                    }));
        }
        if (ranks > 1) return;
        for (const SsspMethod method : {SsspMethod::dijkstra, SsspMethod::delta_stepping}) {
            SsspOptions options;
            options.method = method;
            compare(method, cpu::make_one_rank_search(distributed, options));
        }
    }
};

TEST_P(RealGraphs, HaveTheDistancesOfTheBoostGraphLibrary)
{
    const RealGraph& real = GetParam();
    if (real.large && ranks > 1) GTEST_SKIP() << "a thousand rounds of large graphs are for one rank";
    check<std::uint32_t>(real);
    check<float>(real);
    if (real.large) return;
    check<std::int64_t>(real);
    check<double>(real);
}

INSTANTIATE_TEST_SUITE_P(Own, RealGraphs,
                         testing::Values(RealGraph{"Enron", "enron.txt", 5, false},
                                         RealGraph{"Gnutella", "gnutella.txt.zst", 0, false},
                                         RealGraph{"NewYork", "new-york.gr.gz", 640, false},
                                         RealGraph{"NorthEast", "north-east.gr.xz", 2507, false},
                                         RealGraph{"WholeNewYork", "USA-road-d.NY.gr.gz", 1000, true}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace wayfront::algo
