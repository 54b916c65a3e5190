// Thousands of small graphs on one rank: every algorithm of the CPU against Dijkstra's algorithm of
// the tests, for every type of weights.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "algo/sssp/grid_sssp.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "cpu/sssp/one_rank_search.hpp"
#include "graph/construction.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"
#include "support/weighted_shapes.hpp"

namespace wayfront::cpu {
namespace {

using algo::SsspMethod;

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

struct Way
{
    std::string name;
    SsspMethod method;
    bool in_rounds;  // searched in rounds, as over a grid
};

const std::array kWays{
    Way{"Dijkstra", SsspMethod::dijkstra, false}, Way{"delta-stepping", SsspMethod::delta_stepping, false},
    Way{"delta-stepping in rounds", SsspMethod::delta_stepping, true},
    Way{"Bellman-Ford", SsspMethod::bellman_ford, true}, Way{"push-pull", SsspMethod::push_pull, true}};

template <typename W>
class AllMethods : public testing::Test
{
protected:
    using Graph = oracle::WeightedGraph<OracleWeight<W>>;

    void build(const Graph& graph)
    {
        graph_ = &graph;
        ConstructionOptions options;
        options.list_order = ListOrder::weights;
        built_.emplace(construct(grid_, ShareFeed<W>(graph, 0, 1), options));
    }

    /// `parallel`: every round, however small, is shared by all threads.
    void check(const Way& way, std::int64_t source, double cutoff, bool parallel)
    {
        algo::SsspOptions options;
        options.method = way.method;
        options.cutoff = cutoff;
        const auto make_engine = [parallel](const CsrBlock& block, bool narrow) {
            return make_sssp_engine(block, narrow, parallel ? SsspTuning{0, 0} : SsspTuning{});
        };
        const std::unique_ptr<algo::SsspSearch> search =
            way.in_rounds ? algo::make_grid_sssp(grid_, *built_, options, make_engine)
                          : make_one_rank_search(*built_, options);
        for (const std::int64_t from : {source, graph_->vertices - 1}) {
            search->run(from);
            check_sssp<W>(grid_.world(), *graph_, from, cutoff, search->result());
            if (this->HasFailure()) FAIL() << way.name << " from " << from << ": " << search->description();
        }
    }

private:
    const comm::ProcessGrid grid_{comm::Communicator::alone(), {1, 1}};
    const Graph* graph_ = nullptr;
    std::optional<DistributedGraph> built_;
};
using WeightTypes = testing::Types<std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(AllMethods, WeightTypes);

TYPED_TEST(AllMethods, FindTheDistancesOfSmallGraphs)
{
    constexpr int graphs_of_each = 60;
    RandomNumbers random(31);
    for (const Shape shape : kShapes) {
        for (const WeightRange kind : kWeightRanges) {
            for (int i = 0; i < graphs_of_each; ++i) {
                // Only in few cases, because threads that wait for each other are slow if other
                // programs keep the cores busy.
                const bool parallel = random.chance(0.01);
                const ThreadGuard guard(parallel ? 2 : 1);
                const auto graph = shaped_graph<TypeParam>(random, shape, random.chance(0.2) ? 1000 : 120, kind);
                const std::int64_t source = random.below(static_cast<std::uint32_t>(graph.vertices));
                const double cutoff = random.chance(0.1) ? random.below(20) : kNoCutoff;
                this->build(graph);
                for (const Way& way : kWays) {
                    this->check(way, source, cutoff, parallel);
                    if (this->HasFailure())
                        FAIL() << "graph " << i << ", shape " << kShapeNames[static_cast<std::size_t>(shape)]
                               << ", weights " << static_cast<int>(kind);
                }
            }
        }
    }
}

TYPED_TEST(AllMethods, FollowAPathOf100000Vertices)
{
    RandomNumbers random(32);
    oracle::WeightedGraph<OracleWeight<TypeParam>> path{100000, false, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v)
        path.edges.push_back({v - 1, v, random_weight<TypeParam>(random, WeightRange::any)});
    const ThreadGuard guard(1);
    this->build(path);
    for (const Way& way : kWays) this->check(way, 40000, kNoCutoff, false);
}

}  // namespace
}  // namespace wayfront::cpu
