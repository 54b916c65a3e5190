// Real graphs: parts of them, which come with the project, and the whole graphs if they are
// available.
#include "support/data_folders.hpp"
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

struct RealGraph
{
    const char* file;
    Vertex vertices;
    EdgeCount edges;
    bool directed;
    WeightKind weights;
};

void expect_sizes(const std::string& path, const RealGraph& graph)
{
    const GraphShare share = read_graph(path);
    EXPECT_EQ(share.list.vertex_count, graph.vertices);
    EXPECT_EQ(static_cast<EdgeCount>(share.list.edges.size()), graph.edges);
    EXPECT_EQ(share.list.directed, graph.directed);
    EXPECT_EQ(share.facts.weights, graph.weights);
}

class WholeGraphs : public testing::TestWithParam<RealGraph>
{
};

TEST_P(WholeGraphs, HaveTheSizesThatTheirSourcesGive)
{
    const std::string path = shared_data() + '/' + GetParam().file;
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << GetParam().file << " is not in the folder of shared data, \"" << shared_data() << '"';
    expect_sizes(path, GetParam());
}

std::string test_name(const testing::TestParamInfo<RealGraph>& info)
{
    std::string name = info.param.file;
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(Shared, WholeGraphs,
                         testing::Values(RealGraph{"USA-road-d.NY.gr.gz", 264346, 733846, true, WeightKind::int32},
                                         RealGraph{"NE.gr.xz", 1524453, 1934010, false, WeightKind::none},
                                         RealGraph{"soc-Slashdot0902.txt.gz", 82168, 948464, true, WeightKind::none},
                                         RealGraph{"email-Enron.txt.gz", 36692, 367662, true, WeightKind::none},
                                         RealGraph{"p2p-Gnutella31.txt.gz", 62586, 147892, true, WeightKind::none}),
                         test_name);

class CutOuts : public testing::TestWithParam<RealGraph>
{
};

TEST_P(CutOuts, HaveTheirSizes)
{
    expect_sizes(test_data() + '/' + GetParam().file, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Own, CutOuts,
                         testing::Values(RealGraph{"new-york.gr.gz", 1000, 2156, true, WeightKind::int32},
                                         RealGraph{"north-east.gr.xz", 4000, 3395, false, WeightKind::none},
                                         RealGraph{"enron.txt", 100, 648, true, WeightKind::none},
                                         RealGraph{"gnutella.txt.zst", 2000, 2499, true, WeightKind::none}),
                         test_name);

}  // namespace
}  // namespace wayfront
