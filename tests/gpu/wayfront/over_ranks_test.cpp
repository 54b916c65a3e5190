// Compares the library's searches over the GPUs of several ranks, or over one GPU that ranks share,
// with searches on the cores.
#include <string>

#include <gtest/gtest.h>

#include "support/exchange_methods.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

class LibraryOverRanks : public gpu::OverRanks
{
};

/// Searches over all ranks and on this rank alone. Compares the results of all vertices, and those
/// of the rank's own vertices.
template <typename Search, typename Options>
void compare(const std::string& spec, const std::string& weights)
{
    SCOPED_TRACE(spec);
    const Graph graph = Graph::load(spec, {.weights = weights});
    const Graph alone = Graph::load(spec, {.alone = true, .weights = weights});
    Options options;
    options.engine = Engine::cpu;
    Search on_cpu(alone, options);
    options.engine = Engine::gpu;
    Search own(graph, options);
    options.gather = true;
    options.validate = true;
    Search gathered(graph, options);
    EXPECT_EQ(gathered.engine().engine, "gpu");
    for (const Vertex source : {1, 77}) {
        SCOPED_TRACE(source);
        const auto expected = on_cpu.run(source);
        const auto found = gathered.run(source);
        EXPECT_EQ(found.reached, expected.reached);
        EXPECT_EQ(own.run(source).reached, expected.reached);
        if constexpr (requires { found.levels; })
            EXPECT_EQ(found.levels, expected.levels);
        else
            EXPECT_EQ(found.distances, expected.distances);
    }
}

TEST_F(LibraryOverRanks, Levels)
{
    compare<Bfs, BfsOptions>("kron:12", "none");
    compare<Bfs, BfsOptions>("rmat:11,directed=1", "none");
}

TEST_F(LibraryOverRanks, Lengths)
{
    compare<ShortestPaths, ShortestPathsOptions>("kron:12", "uniform:1..255");
    compare<ShortestPaths, ShortestPathsOptions>("rmat:11,directed=1", "uniform:0..9");
}

}  // namespace
}  // namespace wayfront
