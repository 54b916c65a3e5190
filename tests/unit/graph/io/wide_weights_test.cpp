// Weights of 64 bits: whole numbers that do not fit 32, and floating-point numbers of double
// precision.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/io/graph_file.hpp"
#include "graph/io/graph_writer.hpp"
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using namespace io_testing;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

template <typename Weight>
std::vector<Weight> weights_of(const EdgeList& list)
{
    const auto& weights = std::get<HostBuffer<Weight>>(list.weights);
    return {weights.begin(), weights.end()};
}

/// Reads the text in shares, as several ranks do, and merges the facts of the shares.
std::vector<EdgeList> read_shares(FileFormat format, const std::string& text, int parts)
{
    std::vector<GraphShare> shares;
    ShareFacts all;
    for (int part = 0; part < parts; ++part) {
        shares.push_back(parse_text(format, text, "file", {.part = part, .parts = parts}));
        all = merge(all, shares.back().facts);
    }
    std::vector<EdgeList> lists;
    for (GraphShare& share : shares) {
        adopt(share, all);
        lists.push_back(std::move(share.list));
    }
    return lists;
}

TEST(WideWeights, WholeNumbersHaveTheBitsThatTheyNeed)
{
    const std::vector<std::int64_t> expected{7, 4294967295, -5, kLeast, kMost};
    const std::string rest = "1 2 4294967295\n2 3 -5\n3 1 -9223372036854775808\n1 3 9223372036854775807\n";
    EXPECT_EQ(weights_of<std::int64_t>(parse_whole(FileFormat::edge_list, "1 3 7\n" + rest).list), expected);
    EXPECT_EQ(
        weights_of<std::int64_t>(parse_whole(FileFormat::matrix_market,
                                             "%%MatrixMarket matrix coordinate integer general\n3 3 5\n1 3 7\n" + rest)
                                     .list),
        expected);
    std::string arcs = "p sp 3 5\na 1 3 7\n";
    for (std::size_t begin = 0; begin < rest.size(); begin = rest.find('\n', begin) + 1)
        arcs += "a " + rest.substr(begin, rest.find('\n', begin) + 1 - begin);
    EXPECT_EQ(weights_of<std::int64_t>(parse_whole(FileFormat::dimacs, arcs).list), expected);
    EXPECT_EQ(integers_of(parse_whole(FileFormat::edge_list, "0 1 2147483647\n0 1 -2147483648\n").list),
              (std::vector<std::int32_t>{2147483647, -2147483648}));
    EXPECT_EQ(weights_of<std::int64_t>(
                  parse_whole(FileFormat::edge_list, "0 1 {'weight': 7}\n0 1 {'weight': 3000000000}\n").list),
              (std::vector<std::int64_t>{7, 3000000000}));
}

TEST(WideWeights, ManyLines)
{
    std::string text;
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < 40000; ++i) {
        expected.push_back(i == 39000 ? 1'000'000'000'000'000'000 : i % 2 == 0 ? i : -i);
        text += std::to_string(i % 100) + ' ' + std::to_string(i % 77) + ' ' + std::to_string(expected.back()) + '\n';
    }
    EXPECT_EQ(weights_of<std::int64_t>(parse_whole(FileFormat::edge_list, text, 2).list), expected);
}

TEST(WideWeights, SharesAgree)
{
    for (const int parts : {1, 2, 5}) {
        std::vector<std::int64_t> whole;
        for (const EdgeList& list :
             read_shares(FileFormat::edge_list, "0 1 7\n1 2 8\n2 3 5000000000\n3 4 9\n4 5 1\n", parts))
            for (const std::int64_t weight : weights_of<std::int64_t>(list)) whole.push_back(weight);
        EXPECT_EQ(whole, (std::vector<std::int64_t>{7, 8, 5000000000, 9, 1}));

        std::vector<float> real;
        for (const EdgeList& list :
             read_shares(FileFormat::edge_list, "0 1 7\n1 2 8\n2 3 5000000000\n3 4 0.5\n4 5 1\n", parts))
            for (const float weight : floats_of(list)) real.push_back(weight);
        EXPECT_EQ(real, (std::vector<float>{7, 8, 5e9F, 0.5F, 1}));
    }
}

TEST(WideWeights, DoublePrecision)
{
    const auto read = [](FileFormat format, const std::string& text) {
        return parse_text(format, text, "file", {.double_precision = true}).list;
    };
    EXPECT_EQ(weights_of<double>(read(FileFormat::edge_list, "0 1 0.1\n1 2 3\n2 3 1e300\n3 0 1e-300\n")),
              (std::vector<double>{0.1, 3, 1e300, 1e-300}));
    EXPECT_EQ(input_error([&] { read(FileFormat::edge_list, "3 0 1e-400\n"); }),
              "file:1:5: expected a weight that is not rounded to 0, found '1e-400'");
    EXPECT_EQ(weights_of<double>(read(FileFormat::edge_list, "0 1 3\n1 2 0.1\n")), (std::vector<double>{3, 0.1}));
    EXPECT_EQ(weights_of<double>(read(FileFormat::matrix_market,
                                      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.1\n2 3 7\n")),
              (std::vector<double>{0.1, 7}));
    // Whole numbers are not affected.
    EXPECT_EQ(integers_of(read(FileFormat::edge_list, "0 1 3\n")), (std::vector<std::int32_t>{3}));
    EXPECT_EQ(input_error([&] { read(FileFormat::edge_list, "0 1 1e309\n"); }),
              "file:1:5: expected a weight that is a finite number up to 1.7e308, found '1e309'");
}

TEST(WideWeights, AreWrittenExactly)
{
    const TemporaryFolder folder;
    const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 0}};
    const std::vector<std::int64_t> whole{kMost, -5, 4294967295};
    for (const char* const name : {"a.gr", "a.mtx", "a.wel", "a.csv"}) {
        write_graph(folder.file(name), make_list(3, true, edges, whole));
        EXPECT_EQ(weights_of<std::int64_t>(read_graph(folder.file(name)).list), whole) << name;
    }
    const std::vector<double> real{0.1, 1e300, 3};
    for (const char* const name : {"b.mtx", "b.wel", "b.csv"}) {
        write_graph(folder.file(name), make_list(3, true, edges, real));
        EXPECT_EQ(weights_of<double>(read_graph_share(folder.file(name), {.double_precision = true}).list), real)
            << name;
    }
    for (const char* const name : {"a.wsg", "a.graph"})
        EXPECT_NE(input_error([&] {
                      write_graph(folder.file(name), make_list(3, false, edges, whole));
                  }).find("hold weights of 32 bits"),
                  std::string::npos);
    write_graph(folder.file("c.tuples"), make_list(3, false, edges, std::vector<std::int64_t>{4294967296, 1, 2}));
    EXPECT_EQ(floats_of(read_graph(folder.file("c.tuples")).list), (std::vector<float>{4294967296.0F, 1, 2}));
    EXPECT_NE(input_error([&] {
                  write_graph(folder.file("d.tuples"), make_list(3, false, edges, real));
              }).find("cannot represent the weight 0.1"),
              std::string::npos);
}

}  // namespace
}  // namespace wayfront
