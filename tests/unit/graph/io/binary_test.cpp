// GAPBS and Graph500 files, laid out by hand.
#include <cmath>

#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::edges_of;
using io_testing::floats_of;
using io_testing::input_error;
using io_testing::integers_of;
using io_testing::TemporaryFolder;
using EdgeVector = std::vector<Edge>;

/// A sequence of bytes that represent numbers.
class Bytes
{
public:
    template <typename T>
    Bytes& operator<<(T value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    template <typename T>
    Bytes& operator<<(std::initializer_list<T> values)
    {
        for (const T value : values) *this << value;
        return *this;
    }
    [[nodiscard]] const std::string& string() const { return bytes_; }

private:
    std::string bytes_;
};

using I64 = std::initializer_list<std::int64_t>;
using I32 = std::initializer_list<std::int32_t>;

Bytes gapbs(bool directed, I64 offsets, I32 neighbours, std::int64_t entries)
{
    Bytes bytes;
    bytes << static_cast<std::uint8_t>(directed ? 1 : 0) << entries << static_cast<std::int64_t>(offsets.size() - 1)
          << offsets << neighbours;
    return bytes;
}

/// The triangle 0-1-2 with a tail 2-3; vertex 4 has no edges.
std::string undirected_sg()
{
    return gapbs(false, {0, 2, 4, 7, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, 8).string();
}

std::string directed_sg()
{
    Bytes bytes = gapbs(true, {0, 2, 2, 3}, {1, 2, 0}, 3);
    bytes << I64{0, 1, 2, 3} << I32{2, 0, 0};
    return bytes.string();
}

TEST(GapbsReader, TakesAnUndirectedEdgeOnce)
{
    const TemporaryFolder folder;
    const GraphShare share = read_graph(folder.write("a.sg", undirected_sg()));
    EXPECT_EQ(share.list.vertex_count, 5);
    EXPECT_FALSE(share.list.directed);
    EXPECT_FALSE(share.list.weighted());
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
    EXPECT_EQ(share.facts.first_vertex, 0);
}

TEST(GapbsReader, ReadsADirectedGraphWithAndWithoutItsInverse)
{
    const TemporaryFolder folder;
    const std::string with = directed_sg();
    const std::string without = with.substr(0, 17 + 4 * 8 + 3 * 4);
    for (const std::string& bytes : {with, without}) {
        const GraphShare share = read_graph(folder.write("a.sg", bytes));
        EXPECT_TRUE(share.list.directed);
        EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {0, 2}, {2, 0}}));
    }
}

TEST(GapbsReader, ReadsWeights)
{
    const TemporaryFolder folder;
    const GraphShare share =
        read_graph(folder.write("a.wsg", gapbs(false, {0, 2, 3, 4}, {1, 10, 2, -20, 0, 10, 0, -20}, 4).string()));
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {0, 2}}));
    EXPECT_EQ(integers_of(share.list), (std::vector<std::int32_t>{10, -20}));
}

TEST(GapbsReader, ReadsAGraphWithoutEdgesOrVertices)
{
    const TemporaryFolder folder;
    EXPECT_EQ(read_graph(folder.write("a.sg", gapbs(false, {0, 0, 0}, {}, 0).string())).list.vertex_count, 2);
    EXPECT_EQ(read_graph(folder.write("a.sg", gapbs(true, {0}, {}, 0).string())).list.vertex_count, 0);
}

TEST(GapbsReader, SharesTogetherAreTheFile)
{
    const TemporaryFolder folder;
    for (const std::string& bytes : {undirected_sg(), directed_sg()}) {
        const std::string path = folder.write("a.sg", bytes);
        const EdgeVector whole = edges_of(read_graph(path).list);
        for (int parts = 1; parts <= 7; ++parts) {
            EdgeVector joined;
            ShareFacts all;
            for (int part = 0; part < parts; ++part) {
                const GraphShare share = read_graph_share(path, {.format = {}, .part = part, .parts = parts});
                for (const Edge& edge : edges_of(share.list)) joined.push_back(edge);
                all = merge(all, share.facts);
            }
            EXPECT_EQ(joined, whole);
            EXPECT_NO_THROW(check_totals(path, all));
        }
    }
}

TEST(BadGapbs, Faults)
{
    const TemporaryFolder folder;
    const auto expect = [&](const std::string& bytes, const std::string& message) {
        const std::string path = folder.write("a.sg", bytes);
        EXPECT_EQ(input_error([&] { read_graph(path); }), path + ": " + message);
    };
    expect("", "the file is empty");
    expect("\1\2\3", "expected a GAPBS header of 17 bytes and offsets, found 3 bytes");
    expect("\7" + undirected_sg().substr(1), "expected 0 or 1 in the first byte (directed or not), found 7");
    expect(undirected_sg() + "x",
           "expected a file of the size that the header's 5 vertices and 8 neighbours need, found 98 bytes");
    expect(undirected_sg().substr(0, 96),
           "expected a file of the size that the header's 5 vertices and 8 neighbours need, found 96 bytes");
    expect(directed_sg().substr(0, 80),
           "expected a file of the size that the header's 3 vertices and 3 neighbours need, found 80 bytes");

    Bytes huge;
    huge << std::uint8_t{0} << std::int64_t{INT64_MAX} << std::int64_t{INT64_MAX} << std::int64_t{0};
    expect(huge.string(),
           "expected a file of the size that the header's 9223372036854775807 vertices and 9223372036854775807 "
           "neighbours need, found 25 bytes");
    Bytes negative;
    negative << std::uint8_t{0} << std::int64_t{-1} << std::int64_t{-1} << std::int64_t{0};
    expect(negative.string(),
           "expected a file of the size that the header's -1 vertices and -1 neighbours need, found 25 bytes");

    expect(gapbs(true, {1, 2, 2, 3}, {1, 2, 0}, 3).string(), "expected offsets from 0 to 3, found 1 to 3");
    expect(gapbs(true, {0, 2, 2, 2}, {1, 2, 0}, 3).string(), "expected offsets from 0 to 3, found 0 to 2");
    expect(gapbs(true, {0, 2, 1, 3}, {1, 2, 0}, 3).string(),
           "expected offsets that do not decrease, found 2 before 1 at vertex 1");
    expect(gapbs(true, {0, 2, 2, 3}, {1, 3, 0}, 3).string(), "expected a vertex from 0 to 2 as neighbour 1, found 3");
    expect(gapbs(true, {0, 2, 2, 3}, {1, 2, -1}, 3).string(), "expected a vertex from 0 to 2 as neighbour 2, found -1");
    expect(gapbs(false, {0, 1, 1}, {1}, 1).string(),
           "expected vertex 0 among the neighbours of vertex 1 as neighbour 0 is this edge from its other end, found "
           "none");
}

std::string tuples(const EdgeVector& edges)
{
    Bytes bytes;
    for (const Edge& edge : edges) bytes << PackedEdge::pack(edge);
    return bytes.string();
}

TEST(TupleReader, ReadsTuplesOf48Bits)
{
    const TemporaryFolder folder;
    // v0 = 0x123400000001, v1 = 2, byte by byte.
    const std::string path =
        folder.write("a.tuples", std::string("\x01\0\0\0\x02\0\0\0\x34\x12\0\0", 12) + tuples({{5, 6}}));
    const GraphShare share = read_graph(path);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0x123400000001, 2}, {5, 6}}));
    EXPECT_EQ(share.list.vertex_count, 0x123400000002);
    EXPECT_FALSE(share.list.directed);
    EXPECT_FALSE(share.list.weighted());
}

TEST(TupleReader, ReadsWeightsBesideThem)
{
    const TemporaryFolder folder;
    const std::string path = folder.write("a.tuples", tuples({{0, 1}, {1, 2}, {2, 3}, {3, 3}, {0, 2}}));
    Bytes weights;
    weights << std::initializer_list<float>{0.5F, 0.25F, 0, -1, 7};
    folder.write("a.tuples.weights", weights.string());
    EXPECT_EQ(floats_of(read_graph(path).list), (std::vector<float>{0.5F, 0.25F, 0, -1, 7}));
    for (int parts = 1; parts <= 7; ++parts) {
        std::vector<float> joined;
        EdgeVector edges;
        for (int part = 0; part < parts; ++part) {
            const GraphShare share = read_graph_share(path, {.format = {}, .part = part, .parts = parts});
            for (const float weight : floats_of(share.list)) joined.push_back(weight);
            for (const Edge& edge : edges_of(share.list)) edges.push_back(edge);
        }
        EXPECT_EQ(joined, (std::vector<float>{0.5F, 0.25F, 0, -1, 7}));
        EXPECT_EQ(edges, edges_of(read_graph(path).list));
    }
}

TEST(BadTuples, Faults)
{
    const TemporaryFolder folder;
    const auto error = [&](const std::string& path) { return input_error([&] { read_graph(path); }); };
    const std::string empty = folder.write("empty.tuples", "");
    EXPECT_EQ(error(empty), empty + ": the file is empty");
    const std::string cut = folder.write("cut.tuples", tuples({{0, 1}}) + "12345");
    EXPECT_EQ(error(cut), cut + ": expected tuples of 12 bytes, found 17 bytes, which is not a multiple of 12");

    const std::string path = folder.write("a.tuples", tuples({{0, 1}, {1, 2}}));
    folder.write("a.tuples.weights", "1234567");
    EXPECT_EQ(error(path), path + ".weights: expected 8 bytes, a float for each of 2 edges, found 7");
    Bytes weights;
    weights << 1.0F << std::nanf("");
    folder.write("a.tuples.weights", weights.string());
    EXPECT_EQ(error(path), path + ".weights: expected a finite weight for edge 1, found nan");
}

}  // namespace
}  // namespace wayfront
