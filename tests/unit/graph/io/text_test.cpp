// Small files of every text format, written by hand, compared with the expected graphs.
#include <sys/mman.h>

#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::edges_of;
using io_testing::floats_of;
using io_testing::integers_of;
using io_testing::parse_whole;
using EdgeVector = std::vector<Edge>;

TEST(DimacsReader, ReadsArcs)
{
    const GraphShare share = parse_whole(FileFormat::dimacs,
                                         "c a comment\n"
                                         "c\n"
                                         "p sp 5 4\n"
                                         "c another\n"
                                         "a 1 2 803\n"
                                         "a 5 5 0\n"
                                         "\n"
                                         "a\t2   1\t-7 \r\n"
                                         "c last words\n"
                                         "a 1 2 2147483647");
    EXPECT_EQ(share.list.vertex_count, 5);
    EXPECT_TRUE(share.list.directed);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {4, 4}, {1, 0}, {0, 1}}));
    EXPECT_EQ(integers_of(share.list), (std::vector<std::int32_t>{803, 0, -7, 2147483647}));
    EXPECT_EQ(share.facts.declared_edges, 4);
    EXPECT_EQ(share.facts.seen_edges, 4);
    EXPECT_EQ(share.facts.header_line, 3);
    EXPECT_EQ(share.facts.first_vertex, 1);
    EXPECT_TRUE(share.facts.vertex_count_known);
}

TEST(DimacsReader, ReadsBareAndMarkedEdges)
{
    for (const char* const kind : {"tw", "edge", "col"}) {
        const GraphShare share = parse_whole(FileFormat::dimacs, std::string("p ") + kind + " 4 3\n1 2\ne 3 4\n2 2\n");
        EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {2, 3}, {1, 1}}));
        EXPECT_FALSE(share.list.directed);
        EXPECT_FALSE(share.list.weighted());
    }
}

TEST(DimacsReader, ReadsAGraphWithoutEdges)
{
    const GraphShare share = parse_whole(FileFormat::dimacs, "p sp 3 0");
    EXPECT_EQ(share.list.vertex_count, 3);
    EXPECT_TRUE(share.list.edges.empty());
    EXPECT_EQ(weight_kind(share.list.weights), WeightKind::int32);
}

TEST(MatrixMarketReader, ReadsAGeneralMatrixOfIntegers)
{
    const GraphShare share = parse_whole(FileFormat::matrix_market,
                                         "%%MatrixMarket matrix coordinate integer general\n"
                                         "% a comment\n"
                                         "%\n"
                                         "  3 3 3\n"
                                         "1 3 -5\n"
                                         "3 1 5\n"
                                         "   2   2   9\n");
    EXPECT_EQ(share.list.vertex_count, 3);
    EXPECT_TRUE(share.list.directed);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 2}, {2, 0}, {1, 1}}));
    EXPECT_EQ(integers_of(share.list), (std::vector<std::int32_t>{-5, 5, 9}));
    EXPECT_EQ(share.facts.header_line, 4);
    EXPECT_EQ(share.facts.first_vertex, 1);
}

TEST(MatrixMarketReader, ReadsASymmetricPattern)
{
    const GraphShare share = parse_whole(FileFormat::matrix_market,
                                         "%%MatrixMarket  MATRIX Coordinate pattern Symmetric\n4 4 2\n3 1\n4 4\n");
    EXPECT_FALSE(share.list.directed);
    EXPECT_FALSE(share.list.weighted());
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{2, 0}, {3, 3}}));
}

TEST(MatrixMarketReader, ReadsReals)
{
    for (const char* const field : {"real", "double"}) {
        const GraphShare share =
            parse_whole(FileFormat::matrix_market, std::string("%%MatrixMarket matrix coordinate ") + field +
                                                       " general\n2 2 4\n1 2 0.25\n2 1 3000000000\n1 1 -1e-3\n2 2 7\n");
        EXPECT_EQ(floats_of(share.list), (std::vector<float>{0.25F, 3e9F, -1e-3F, 7})) << field;
    }
}

TEST(EdgeListReader, ReadsPlainEdges)
{
    const GraphShare share = parse_whole(FileFormat::edge_list,
                                         "# Directed graph: p2p \r\n"
                                         "# FromNodeId\tToNodeId\r\n"
                                         "% KONECT says so too\n"
                                         "0\t1\r\n"
                                         "7 3\n"
                                         "\n"
                                         "5 5\n"
                                         " 2 \t 4 \n"
                                         "# in between\n"
                                         "1\t0");
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{0, 1}, {7, 3}, {5, 5}, {2, 4}, {1, 0}}));
    EXPECT_EQ(share.list.vertex_count, 8);
    EXPECT_FALSE(share.facts.vertex_count_known);
    EXPECT_TRUE(share.list.directed);
    EXPECT_FALSE(share.list.weighted());
    EXPECT_EQ(share.facts.seen_edges, 5);
    EXPECT_EQ(share.facts.declared_edges, -1);
    EXPECT_EQ(share.facts.first_vertex, 0);
}

TEST(EdgeListReader, KeepsWholeWeightsWhole)
{
    const GraphShare share = parse_whole(FileFormat::edge_list, "0 1 16777217\n1 2 -3\n");
    EXPECT_EQ(integers_of(share.list), (std::vector<std::int32_t>{16777217, -3}));
}

TEST(EdgeListReader, MakesAllWeightsFloatsIfOneIs)
{
    EXPECT_EQ(floats_of(parse_whole(FileFormat::edge_list, "0 1 2\n1 2 0.5\n2 3 -4\n").list),
              (std::vector<float>{2, 0.5F, -4}));
    EXPECT_EQ(floats_of(parse_whole(FileFormat::edge_list, "0 1 1e2\n1 2 3\n").list), (std::vector<float>{100, 3}));
    EXPECT_EQ(floats_of(parse_whole(FileFormat::edge_list, "0 1 3.\n").list), (std::vector<float>{3}));
}

TEST(EdgeListReader, TakesVerticesOf48Bits)
{
    std::string text = "281474976710655 4294967296\n";
    // There are so many lines that the fast functions parse some of them.
    for (int again = 0; again < 100; ++again) text += "1234567890 281474976710655\n";
    const GraphShare share = parse_whole(FileFormat::edge_list, text);
    EXPECT_EQ(share.list.vertex_count, kMaxVertices);
    EXPECT_EQ(edges_of(share.list).front(), (Edge{281474976710655, 4294967296}));
    EXPECT_EQ(edges_of(share.list)[1], (Edge{1234567890, 281474976710655}));
}

TEST(MetisReader, ReadsThePlainForm)
{
    // The example of the METIS manual, without weights.
    const GraphShare share = parse_whole(FileFormat::metis,
                                         "% a graph\n"
                                         "7 11\n"
                                         "5 3 2\n"
                                         "1 3 4\n"
                                         "5 4 2 1\n"
                                         "2 3 6 7\n"
                                         "% in between\n"
                                         "1 3 6\n"
                                         "5 4 7\n"
                                         "6 4\n");
    EXPECT_EQ(share.list.vertex_count, 7);
    EXPECT_FALSE(share.list.directed);
    EXPECT_EQ(edges_of(share.list),
              (EdgeVector{{0, 4}, {0, 2}, {0, 1}, {1, 2}, {1, 3}, {2, 4}, {2, 3}, {3, 5}, {3, 6}, {4, 5}, {5, 6}}));
    EXPECT_EQ(share.facts.declared_edges, 11);
    EXPECT_EQ(share.facts.seen_edges, 11);
    EXPECT_EQ(share.facts.header_line, 2);
}

TEST(MetisReader, ReadsEdgeWeightsAndSkipsTheOthers)
{
    EXPECT_EQ(integers_of(parse_whole(FileFormat::metis, "3 2 1\n2 10 3 -20\n1 10\n1 -20\n").list),
              (std::vector<std::int32_t>{10, -20}));
    EXPECT_EQ(integers_of(parse_whole(FileFormat::metis, "3 2 011\n9 2 10 3 -20\n9 1 10\n9 1 -20\n").list),
              (std::vector<std::int32_t>{10, -20}));
    EXPECT_EQ(
        integers_of(parse_whole(FileFormat::metis, "3 2 111 2\n5 8 9 2 10 3 -20\n5 8 9 1 10\n5 8 9 1 -20\n").list),
        (std::vector<std::int32_t>{10, -20}));
    EXPECT_EQ(edges_of(parse_whole(FileFormat::metis, "3 2 100\n5 2 3\n5 1\n5 1\n").list),
              (EdgeVector{{0, 1}, {0, 2}}));
    EXPECT_EQ(edges_of(parse_whole(FileFormat::metis, "3 2 10 3\n5 6 7 2 3\n5 6 7 1\n5 6 7 1\n").list),
              (EdgeVector{{0, 1}, {0, 2}}));
}

TEST(MetisReader, ReadsWholeWeightsWrittenWithAPoint)
{
    EXPECT_EQ(integers_of(parse_whole(FileFormat::metis, "3 2 1\n2 15.0 3 -20.\n1 15\n1 -20.000\n").list),
              (std::vector<std::int32_t>{15, -20}));
    EXPECT_EQ(integers_of(parse_whole(FileFormat::metis, "2 1 11\n7.0 2 2147483647.0\n9. 1 2147483647\n").list),
              (std::vector<std::int32_t>{2147483647}));
}

TEST(MetisReader, TakesAnEmptyLineForAnIsolatedVertex)
{
    const GraphShare share = parse_whole(FileFormat::metis, "5 1\n\n4\r\n  \n2\n\n\n\n");
    EXPECT_EQ(share.list.vertex_count, 5);
    EXPECT_EQ(edges_of(share.list), (EdgeVector{{1, 3}}));
}

TEST(MetisReader, CountsALoopOnce)
{
    EXPECT_EQ(edges_of(parse_whole(FileFormat::metis, "2 2\n1 2\n1\n").list), (EdgeVector{{0, 0}, {0, 1}}));
}

/// A text of many blocks, and the edges that it contains: numbers of all lengths, several line ends
/// and separators, comments.
struct LongText
{
    std::string text;
    EdgeVector edges;
    std::vector<std::int32_t> weights;
};

LongText make_long_text(std::size_t lines, bool weighted, bool plain)
{
    LongText made;
    std::uint64_t state = 12345;
    const auto next = [&](std::uint64_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return (state >> 33) % below;
    };
    constexpr std::uint64_t kScales[] = {10, 1000, 100000, 100000000, 1000000000, 4294967296, 281474976710656};
    for (std::size_t i = 0; i < lines; ++i) {
        const std::uint64_t scale = plain ? 100000000 : kScales[next(7)];
        const auto vertex = [&] { return static_cast<Vertex>((next(1U << 31) << 20 | next(1U << 20)) % scale); };
        const Edge edge{vertex(), vertex()};
        made.edges.push_back(edge);
        if (!plain && next(50) == 0) made.text += next(2) == 0 ? "# a comment\n" : "\n";
        const char* const separator = plain || next(20) != 0 ? " " : "\t ";
        made.text.append(std::to_string(edge.source)).append(separator).append(std::to_string(edge.target));
        if (weighted) {
            made.weights.push_back(static_cast<std::int32_t>(next(1U << 31)) * (next(2) == 0 ? 1 : -1));
            made.text.append(separator).append(std::to_string(made.weights.back()));
        }
        made.text += plain || next(20) != 0 ? "\n" : " \r\n";
    }
    return made;
}

TEST(EdgeListReader, ReadsManyBlocksInTheOrderOfTheFile)
{
    for (const bool plain : {true, false}) {
        for (const bool weighted : {false, true}) {
            const LongText made = make_long_text(40000, weighted, plain);
            for (const int threads : {1, 2, 5}) {
                const GraphShare share = parse_whole(FileFormat::edge_list, made.text, threads);
                EXPECT_EQ(edges_of(share.list), made.edges);
                if (weighted) {
                    EXPECT_EQ(integers_of(share.list), made.weights);
                }
                Vertex largest = 0;
                for (const Edge& edge : made.edges) largest = std::max({largest, edge.source, edge.target});
                EXPECT_EQ(share.list.vertex_count, largest + 1);
            }
        }
    }
}

TEST(EdgeListReader, FindsOneFloatAmongManyWholeWeights)
{
    LongText made = make_long_text(40000, true, true);
    made.text += "1 2 0.5\n";
    const GraphShare share = parse_whole(FileFormat::edge_list, made.text, 3);
    std::vector<float> expected(made.weights.begin(), made.weights.end());
    expected.push_back(0.5F);
    EXPECT_EQ(floats_of(share.list), expected);
}

/// A text that ends where its page ends, before a page that cannot be read: a read beyond the end
/// ends the process.
class TextBeforeAbyss
{
public:
    explicit TextBeforeAbyss(std::string_view text) : bytes_(text.size())
    {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        mapped_ = (text.size() + page - 1) / page * page + page;
        memory_ =
            static_cast<char*>(::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        begin_ = memory_ + mapped_ - page - text.size();
        std::ranges::copy(text, begin_);
        ::mprotect(memory_ + mapped_ - page, page, PROT_NONE);
    }
    TextBeforeAbyss(const TextBeforeAbyss&) = delete;
    TextBeforeAbyss& operator=(const TextBeforeAbyss&) = delete;
    ~TextBeforeAbyss() { ::munmap(memory_, mapped_); }

    [[nodiscard]] std::string_view text() const { return {begin_, bytes_}; }

private:
    std::size_t bytes_;
    std::size_t mapped_ = 0;
    char* memory_ = nullptr;
    char* begin_ = nullptr;
};

TEST(TextReaders, DoNotLookBeyondTheEnd)
{
    const LongText plain = make_long_text(300, false, true);
    const LongText weighted = make_long_text(300, true, true);
    for (std::size_t cut = 0; cut < 60; ++cut) {
        // The texts are cut at any byte. Most of them are valid, except those that are cut in the
        // middle of a line; none may be read beyond its end.
        for (const LongText* whole : {&plain, &weighted}) {
            const TextBeforeAbyss abyss(std::string_view(whole->text).substr(0, whole->text.size() - cut));
            io_testing::input_error([&] { parse_whole(FileFormat::edge_list, abyss.text()); });
            const TextBeforeAbyss arcs("p tw 99999999 1\n" + whole->text.substr(0, whole->text.size() - cut));
            io_testing::input_error([&] { parse_whole(FileFormat::dimacs, arcs.text()); });
            const TextBeforeAbyss lists("301 99 1\n" + whole->text.substr(0, whole->text.size() - cut));
            io_testing::input_error([&] { parse_whole(FileFormat::metis, lists.text()); });
        }
    }
    const TextBeforeAbyss whole(plain.text);
    EXPECT_EQ(edges_of(parse_whole(FileFormat::edge_list, whole.text()).list), plain.edges);
}

}  // namespace
}  // namespace wayfront
