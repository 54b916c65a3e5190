// Kronecker graphs: equal bit for bit to those of Graph500's reference generator, for any division
// into parts.
#include "graph/generators/kron.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/kron_oracle.hpp"
#include "oracle/sha256.hpp"

namespace wayfront {
namespace {

std::vector<PackedEdge> edges_of(const EdgeSource& source, EdgeCount first, std::size_t count)
{
    std::vector<PackedEdge> edges(count);
    source.edges(first, edges);
    return edges;
}

std::vector<float> weights_of(const EdgeSource& source, EdgeCount first, std::size_t count)
{
    std::vector<float> weights(count);
    EXPECT_TRUE(source.weights(first, weights));
    return weights;
}

TEST(Sha256, KnowsTheStandardsExamples)
{
    const std::string abc = "abc";
    EXPECT_EQ(test::sha256(std::as_bytes(std::span(abc))),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(test::sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

struct ReferenceFile
{
    int scale;
    EdgeCount edge_factor;
    std::uint64_t seed1;
    std::uint64_t seed2;
    const char* tuples;   // SHA-256 of the file that the reference generator writes
    const char* weights;  // SHA-256 of its second file
};

class KronReference : public testing::TestWithParam<ReferenceFile>
{
};

TEST_P(KronReference, WritesTheSameFiles)
{
    const ReferenceFile& file = GetParam();
    const KronSource source(file.scale, file.edge_factor, file.seed1, file.seed2);
    const auto count = static_cast<std::size_t>(source.edge_count());
    const std::vector<PackedEdge> edges = edges_of(source, 0, count);
    const std::vector<float> weights = weights_of(source, 0, count);
    EXPECT_EQ(test::sha256(std::as_bytes(std::span(edges))), file.tuples);
    EXPECT_EQ(test::sha256(std::as_bytes(std::span(weights))), file.weights);
}

INSTANTIATE_TEST_SUITE_P(
    Files, KronReference,
    testing::Values(ReferenceFile{10, 16, 2, 3, "b6890e5051a7a45a3b22e4742f6c7b37dbdffb8608a05565bc237a0962f62b10",
                                  "199971e6332f459fe9980a9824b2961e9ec6c724118e24549a1c3880d28616b4"},
                    ReferenceFile{12, 16, 2, 3, "a21c53347c8ca6146a2712f99f8a8800e5fabba1a6f4c9177f56f59f863287eb",
                                  "58f03ecd7d252607d60b90a2e0f3509dd59c90dec385bbc444ad677545a8a370"},
                    ReferenceFile{12, 16, 1234567890123456789, 9876543210987654321U,
                                  "81603a1fa6d8c6925d38315b48d621a0a789d8aa2d8768fc442d9a1c65fd9124",
                                  "6d482c3c04086621e1ac101e08bc40f806e1d123bcee1696e77aa543a0fd85fa"},
                    ReferenceFile{10, 16, UINT64_MAX, UINT64_MAX,
                                  "a8ef3b501513b1691f2315efa92b666d46643cd93c430ea51b51d4df0cd86aae",
                                  "aa451377e7b7a6214b48dc927071ea303352c199e61b5c868d1cc40ab4f6a351"},
                    ReferenceFile{9, 7, 42, 7, "0a648a5507769b16dc7ee5ccaa7dfca56cb5a37863fa0013f9b9a56f193e5903",
                                  "0adb7eb3af9b20ffe472b8e9afccd111399e0d11021541c62f6ff6f2acfe84c5"}),
    [](const auto& param) {
        return "scale" + std::to_string(param.param.scale) + "_ef" + std::to_string(param.param.edge_factor) + "_" +
               std::to_string(param.index);
    });

/// Compares the edges at both ends and in the middle of a graph with the oracle.
void compare_with_oracle(int scale, std::uint64_t seed1, std::uint64_t seed2, EdgeCount first, std::size_t count)
{
    SCOPED_TRACE("scale " + std::to_string(scale) + ", edges from " + std::to_string(first));
    const KronSource source(scale, 16, seed1, seed2);
    const test::KronOracle oracle(scale, seed1, seed2);
    const std::vector<PackedEdge> edges = edges_of(source, first, count);
    const std::vector<float> weights = weights_of(source, first, count);
    for (std::size_t i = 0; i < count; ++i) {
        const test::KronOracle::Made made = oracle.edge(static_cast<std::uint64_t>(first) + i);
        ASSERT_EQ(static_cast<std::uint64_t>(edges[i].source()), made.source) << "edge " << i;
        ASSERT_EQ(static_cast<std::uint64_t>(edges[i].target()), made.target) << "edge " << i;
        ASSERT_EQ(weights[i], made.weight) << "edge " << i;
    }
}

TEST(Kron, EqualsTheOracleAtEveryScale)
{
    for (int scale = 1; scale <= 47; ++scale) {
        const EdgeCount m = EdgeCount{16} << scale;
        const auto count = static_cast<std::size_t>(m < 37 ? m : 37);
        compare_with_oracle(scale, 2, 3, 0, count);
        compare_with_oracle(scale, 0x123456789ABCDEF0, 0xFEDCBA9876543210, m - static_cast<EdgeCount>(count), count);
        compare_with_oracle(scale, 5, 0, m / 3, static_cast<std::size_t>(m < 64 ? 5 : 37));
    }
}

TEST(Kron, RejectedNumbersAreDrawnAgain)
{
    // Found by search: the streams of these edges, with seeds 2 and 3, have a draw below the limit;
    // those of 298590 and 371136 have it in the levels above the lowest 32.
    struct Rejecting
    {
        int scale;
        std::uint64_t edge;
    };
    for (const auto& [scale, e] :
         {Rejecting{20, 49556}, {20, 138800}, {20, 152390}, {40, 5062}, {40, 99839}, {47, 298590}, {47, 371136}}) {
        ASSERT_GT(test::KronOracle(scale, 2, 3).edge(e).rejected, 0) << e;
        compare_with_oracle(scale, 2, 3, static_cast<EdgeCount>(e) - 3, 32);
    }
}

TEST(Kron, AnyRangeHoldsTheSameEdges)
{
    const KronSource source(9, 5, 7, 8);
    const auto m = static_cast<std::size_t>(source.edge_count());
    const std::vector<PackedEdge> all = edges_of(source, 0, m);
    const std::vector<float> all_weights = weights_of(source, 0, m);
    for (std::size_t first = 0, count = 0; first < m; first += count, count = (count + 1) % 67) {
        const std::size_t wanted = std::min(count, m - first);
        const std::vector<PackedEdge> edges = edges_of(source, static_cast<EdgeCount>(first), wanted);
        const std::vector<float> weights = weights_of(source, static_cast<EdgeCount>(first), wanted);
        for (std::size_t i = 0; i < wanted; ++i) {
            ASSERT_EQ(edges[i], all[first + i]);
            ASSERT_EQ(weights[i], all_weights[first + i]);
        }
    }
}

TEST(Kron, TheFunctionsForKernelsMakeTheSameEdges)
{
    for (const int scale : {3, 20, 45}) {
        const KronSource source(scale, 16, 2, 3);
        const std::vector<PackedEdge> edges = edges_of(source, 50, 60);
        const std::vector<float> weights = weights_of(source, 50, 60);
        for (std::uint64_t i = 0; i < 60; ++i) {
            MrgState stream = kron_stream(source.parameters(), mrg_powers().power, 50 + i);
            EXPECT_EQ(PackedEdge::pack(kron_edge(source.parameters(), stream)), edges[i]);
            EXPECT_EQ(kron_weight(stream), weights[i]);
        }
    }
}

TEST(Kron, EveryDrawsWeightIsTheReferencesProduct)
{
    for (std::uint32_t draw = 0; draw < kMrgModulus; draw += draw < 1000000 || draw > kMrgModulus - 1000000 ? 1 : 997) {
        const auto product =
            static_cast<float>(static_cast<double>(static_cast<float>(draw)) * 4.65661287524579692e-10);
        ASSERT_EQ(kron_weight_of(draw), product) << draw;
    }
}

TEST(Kron, SaysWhatItIs)
{
    const KronSource source(11, 3, 2, 3);
    EXPECT_EQ(source.vertex_count(), 2048);
    EXPECT_EQ(source.edge_count(), 6144);
    EXPECT_FALSE(source.directed());
}

}  // namespace
}  // namespace wayfront
