// Shares: together they contain the whole file; their errors name the lines of the file; their
// facts are merged.
#include <atomic>
#include <chrono>
#include <thread>

#include "graph/io/text_blocks.hpp"
#include "support/data_folders.hpp"
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::edges_of;
using io_testing::floats_of;
using io_testing::input_error;
using io_testing::integers_of;
using io_testing::parse_whole;

/// Edges whose numbers differ in length from the numbers beside them.
std::vector<Edge> test_edges(std::size_t count, Vertex vertex_count)
{
    std::vector<Edge> edges;
    std::uint64_t state = 99;
    const auto vertex = [&] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto wide = static_cast<Vertex>(state >> 20);
        return wide % (state % 3 == 0 ? 10 : vertex_count);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Vertex source = vertex();
        edges.push_back({source, vertex()});
    }
    return edges;
}

struct TestFile
{
    FileFormat format;
    std::string text;
};

constexpr Vertex kVertices = 5000;

/// One text of some 200 KB in each text format, so that each share has several blocks, too.
std::vector<TestFile> test_files()
{
    const std::vector<Edge> edges = test_edges(20000, kVertices);
    const std::string counts = std::to_string(kVertices) + ' ' + std::to_string(edges.size()) + '\n';
    TestFile dimacs{FileFormat::dimacs, "c first\np sp " + counts};
    TestFile bare{FileFormat::dimacs, "p tw " + counts};
    TestFile market{FileFormat::matrix_market,
                    "%%MatrixMarket matrix coordinate real general\n" + std::to_string(kVertices) + ' ' + counts};
    TestFile list{FileFormat::edge_list, "# a comment\n"};
    TestFile metis{FileFormat::metis, std::to_string(kVertices) + " 0\n"};
    std::vector<std::vector<Vertex>> lists(kVertices);
    std::size_t metis_edges = 0;
    std::int32_t weight = -500;
    for (const Edge& edge : edges) {
        const std::string ends = std::to_string(edge.source + 1) + ' ' + std::to_string(edge.target + 1);
        dimacs.text += "a " + ends + ' ' + std::to_string(++weight * 100003) + '\n';
        bare.text += ends + '\n';
        if (weight % 100 == 0) bare.text += "c in between\n";
        market.text += ends + ' ' + std::to_string(weight) + ".5\n";
        list.text += ends + '\n';
        lists[static_cast<std::size_t>(edge.source)].push_back(edge.target + 1);
        if (edge.source != edge.target) lists[static_cast<std::size_t>(edge.target)].push_back(edge.source + 1);
        ++metis_edges;
    }
    metis.text = std::to_string(kVertices) + ' ' + std::to_string(metis_edges) + '\n';
    for (std::size_t v = 0; v < lists.size(); ++v) {
        if (v % 97 == 0) metis.text += "% in between\n";
        for (const Vertex neighbour : lists[v]) metis.text += std::to_string(neighbour) + ' ';
        metis.text += '\n';
    }
    return {dimacs, bare, market, list, metis};
}

/// The edges and weights of all shares in their order, and the facts of all.
struct Joined
{
    std::vector<Edge> edges;
    std::vector<double> weights;
    ShareFacts facts;
};

void join(Joined& joined, const GraphShare& share)
{
    joined.facts = merge(joined.facts, share.facts);
    for (const Edge& edge : edges_of(share.list)) joined.edges.push_back(edge);
    if (weight_kind(share.list.weights) == WeightKind::int32)
        for (const std::int32_t weight : integers_of(share.list)) joined.weights.push_back(weight);
    if (weight_kind(share.list.weights) == WeightKind::float32)
        for (const float weight : floats_of(share.list)) joined.weights.push_back(weight);
}

TEST(GraphShares, TogetherAreTheFile)
{
    for (const TestFile& file : test_files()) {
        Joined whole;
        join(whole, parse_whole(file.format, file.text, 1));
        for (int parts = 1; parts <= 7; ++parts) {
            Joined joined;
            for (int part = 0; part < parts; ++part)
                join(joined, parse_text(file.format, file.text, "file",
                                        {.format = {}, .part = part, .parts = parts, .threads = 1 + part % 3}));
            EXPECT_EQ(joined.edges, whole.edges) << name_of(file.format) << " in " << parts;
            EXPECT_EQ(joined.weights, whole.weights);
            EXPECT_NO_THROW(check_totals("file", joined.facts));
            EXPECT_EQ(joined.facts.vertex_count, whole.facts.vertex_count);
            EXPECT_EQ(joined.facts.weights, whole.facts.weights);
            EXPECT_EQ(joined.facts.seen_edges, whole.facts.seen_edges);
            EXPECT_EQ(joined.facts.directed, whole.facts.directed);
        }
    }
}

TEST(GraphShares, AreOfNearlyEqualSize)
{
    const std::vector<TestFile> files = test_files();
    const std::size_t edges = parse_whole(FileFormat::dimacs, files[0].text).list.edges.size();
    for (int part = 0; part < 4; ++part) {
        const GraphShare share = parse_text(FileFormat::dimacs, files[0].text, "file",
                                            {.format = {}, .part = part, .parts = 4, .threads = 1});
        EXPECT_NEAR(static_cast<double>(share.list.edges.size()), static_cast<double>(edges) / 4,
                    static_cast<double>(edges) / 40);
    }
}

TEST(GraphShares, MayBeMoreThanThereAreLines)
{
    for (const int parts : {3, 5, 50}) {
        Joined joined;
        for (int part = 0; part < parts; ++part)
            join(joined, parse_text(FileFormat::edge_list, "0 1\n1 2\n2 0", "file",
                                    {.format = {}, .part = part, .parts = parts, .threads = 1}));
        EXPECT_EQ(joined.edges, (std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}}));
        EXPECT_EQ(joined.facts.vertex_count, 3);
    }
}

/// Replaces line `line` (from 1) of a text with `bad`.
std::string with_line(const std::string& text, int line, const std::string& bad)
{
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
    return text.substr(0, begin) + bad + text.substr(text.find('\n', begin));
}

TEST(GraphShares, NameTheLineOfTheFileInErrors)
{
    for (const TestFile& file : test_files()) {
        for (const int line : {7, 1234, 4321, 4999}) {
            const std::string text = with_line(file.text, line, "1 x 2");
            for (int parts = 1; parts <= 7; ++parts) {
                int errors = 0;
                for (int part = 0; part < parts; ++part) {
                    const std::string message = input_error([&] {
                        parse_text(file.format, text, "file",
                                   {.format = {}, .part = part, .parts = parts, .threads = 1 + part % 3});
                    });
                    if (message == "no error") continue;
                    ++errors;
                    const bool marked = file.text.starts_with("c first");
                    const std::string start = "file:" + std::to_string(line) +
                                              (marked ? ":1: expected a line `a " : ":3: expected a vertex from ");
                    EXPECT_TRUE(message.starts_with(start)) << name_of(file.format) << ": " << message;
                    EXPECT_TRUE(message.ends_with(marked ? "found '1'" : "found 'x'")) << message;
                }
                EXPECT_EQ(errors, 1);
            }
        }
    }
}

TEST(GraphShares, TheFirstOfSeveralFaultsIsReported)
{
    for (const TestFile& file : test_files()) {
        const std::string text =
            with_line(with_line(with_line(file.text, 3333, "-1 0"), 3300, "900000000000000 1 1 1 1"), 15, "zero");
        for (const int threads : {1, 2, 4}) {
            const std::string message = input_error([&] { parse_whole(file.format, text, threads); });
            EXPECT_TRUE(message.starts_with("file:15:1: ")) << message;
        }
    }
}

TEST(TextBlocks, ThrowWhatTheFirstOfThemThrew)
{
    std::atomic<bool> second_threw = false;
    const auto work = [&](std::size_t block) {
        if (block == 1) {
            second_threw = true;
            throw InputError("the second");
        }
        // Throws long after the second call if another thread makes that call.
        for (int wait = 0; wait < 1000 && !second_threw; ++wait)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        throw InputError("the first");
    };
    EXPECT_EQ(input_error([&] { io::for_each_block(2, 2, work); }), "the first");
}

TEST(GraphShares, AVertexOutOfRangeIsFoundAmongPlainLines)
{
    for (const int line : {9, 2500, 4990}) {
        for (const std::string bad : {"5001 1", "1 5001", "0 1", "1 0", "99999999 1"}) {
            const TestFile bare = test_files()[1];
            const std::string message =
                input_error([&] { parse_whole(bare.format, with_line(bare.text, line, bad), 2); });
            const std::string column = bad.starts_with("1 ") ? ":3: " : ":1: ";
            EXPECT_TRUE(message.starts_with("file:" + std::to_string(line) + column +
                                            "expected a vertex from 1 to 5000, found '"))
                << message;
        }
    }
}

TEST(GraphShares, AgreeOnFloatsOnceTheirFactsAreMerged)
{
    std::string text;
    for (int i = 0; i < 1000; ++i) text += std::to_string(i) + " 0 " + std::to_string(i) + '\n';
    text += "1000 0 0.5\n";
    GraphShare first =
        parse_text(FileFormat::edge_list, text, "file", {.format = {}, .part = 0, .parts = 2, .threads = 1});
    GraphShare second =
        parse_text(FileFormat::edge_list, text, "file", {.format = {}, .part = 1, .parts = 2, .threads = 1});
    EXPECT_EQ(first.facts.weights, WeightKind::int32);
    EXPECT_EQ(second.facts.weights, WeightKind::float32);
    const ShareFacts all = merge(first.facts, second.facts);
    adopt(first, all);
    adopt(second, all);
    EXPECT_EQ(floats_of(first.list)[3], 3);
    EXPECT_EQ(floats_of(second.list).back(), 0.5F);
    EXPECT_EQ(first.list.vertex_count, 1001);
    EXPECT_EQ(second.list.vertex_count, 1001);
}

TEST(GraphShares, DisagreeingWeightColumnsAreAnErrorInTheShareThatDeviates)
{
    std::string text;
    for (int i = 0; i < 100; ++i) text += i < 60 ? "1 2\n" : "1 2 3\n";
    EXPECT_EQ(input_error([&] {
                  parse_text(FileFormat::edge_list, text, "file", {.format = {}, .part = 0, .parts = 4, .threads = 1});
              }),
              "no error");
    EXPECT_EQ(input_error([&] {
                  parse_text(FileFormat::edge_list, text, "file", {.format = {}, .part = 3, .parts = 4, .threads = 1});
              }).substr(0, 5),
              "file:");
    EXPECT_EQ(input_error([&] { parse_whole(FileFormat::edge_list, text); }),
              "file:61:5: expected the end of the line, found '3'");
}

TEST(GraphShares, FactsMergeInAnyOrder)
{
    ShareFacts a;
    a.known = true;
    a.seen_edges = 5;
    a.vertex_count = 10;
    a.weights = WeightKind::int32;
    a.mirror_balance = 3;
    ShareFacts b = a;
    b.seen_edges = 7;
    b.vertex_count = 4;
    b.weights = WeightKind::float32;
    b.mirror_balance = 0U - std::uint64_t{3};
    for (const ShareFacts& all : {merge(a, b), merge(b, a), merge(merge({}, a), merge(b, {}))}) {
        EXPECT_TRUE(all.known);
        EXPECT_EQ(all.seen_edges, 12);
        EXPECT_EQ(all.vertex_count, 10);
        EXPECT_EQ(all.weights, WeightKind::float32);
        EXPECT_EQ(all.mirror_balance, 0U);
    }
    EXPECT_FALSE(merge({}, {}).known);
}

TEST(GraphShares, AreEmptyForAllButTheFirstOfACompressedFile)
{
    const std::string path = test_data() + "/new-york.gr.gz";
    GraphShare first = read_graph_share(path, {.format = {}, .part = 0, .parts = 3});
    GraphShare third = read_graph_share(path, {.format = {}, .part = 2, .parts = 3});
    EXPECT_TRUE(third.list.edges.empty());
    EXPECT_FALSE(third.facts.known);
    ShareFacts all = merge(third.facts, first.facts);
    EXPECT_NO_THROW(check_totals(path, all));
    adopt(third, all);
    EXPECT_EQ(third.list.vertex_count, first.list.vertex_count);
    EXPECT_TRUE(third.list.directed);
    EXPECT_TRUE(integers_of(third.list).empty());
}

TEST(GraphShares, TellWhatMemoryTheyWillTake)
{
    for (const TestFile& file : test_files()) {
        std::size_t bytes = 0;
        const GraphShare share =
            parse_text(file.format, file.text, "test",
                       {.format = {}, .before_memory = [&bytes](std::size_t told) { bytes = told; }});
        const std::size_t taken =
            share.list.edges.size() * (sizeof(PackedEdge) + (share.list.weighted() ? sizeof(std::int32_t) : 0));
        EXPECT_GE(bytes, taken) << name_of(file.format);
        // A METIS file has each edge twice. Its number of slots is the number of values that its
        // blocks' bytes can hold, and small arrays of slots are in memory as a whole.
        const std::size_t most = file.format == FileFormat::metis ? 5 * taken / 2 : taken + taken / 10;
        EXPECT_LE(bytes, most) << name_of(file.format);
        EXPECT_THROW(
            parse_text(file.format, file.text, "test",
                       {.format = {}, .before_memory = [](std::size_t) { throw ResourceError("too little"); }}),
            ResourceError);
    }
}

TEST(GraphShares, SomeEdgesWithWeightsAndSomeWithoutDoNotAgree)
{
    EdgeList list = io_testing::make_list(2, true, {{0, 1}});
    EXPECT_EQ(input_error([&] { promote_weights(list, WeightKind::int32); }),
              "some edges of the graph have weights, and others have none");
}

}  // namespace
}  // namespace wayfront
