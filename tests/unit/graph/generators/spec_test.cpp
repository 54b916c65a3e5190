// Graph specs: the graphs that they describe, and the messages for invalid ones.
#include "graph/generators/spec.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront {
namespace {

using Pair = std::pair<Vertex, Vertex>;

std::vector<Pair> edges_of(const EdgeSource& source)
{
    std::vector<PackedEdge> edges(static_cast<std::size_t>(source.edge_count()));
    source.edges(0, edges);
    std::vector<Pair> pairs;
    pairs.reserve(edges.size());
    for (const PackedEdge& edge : edges) pairs.emplace_back(edge.source(), edge.target());
    return pairs;
}

std::vector<Pair> edges_of(const std::string& spec, Seeds seeds = {})
{
    return edges_of(*make_edge_source(spec, seeds));
}

std::string error_of(const std::string& spec)
{
    try {
        make_edge_source(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

const std::vector<std::string> kEverySpec = {
    "kron:7", "rmat:7", "random:100,400", "regular:40,4", "regular:40,5",       "ring:9",
    "path:9", "star:9", "complete:9",     "grid:5x7",     "rmat:6,3,permute=0", "random:n=2,m=9"};

TEST(Spec, ShapesAreTheirTextbookEdges)
{
    EXPECT_EQ(edges_of("ring:4"), (std::vector<Pair>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    EXPECT_EQ(edges_of("path:4"), (std::vector<Pair>{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_EQ(edges_of("path:1"), (std::vector<Pair>{}));
    EXPECT_EQ(edges_of("star:4"), (std::vector<Pair>{{0, 1}, {0, 2}, {0, 3}}));
    EXPECT_EQ(edges_of("complete:4"), (std::vector<Pair>{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}));
    EXPECT_EQ(edges_of("complete:1"), (std::vector<Pair>{}));
    //  0 - 1 - 2
    //  |   |   |
    //  3 - 4 - 5
    EXPECT_EQ(edges_of("grid:2x3"), (std::vector<Pair>{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(edges_of("grid:1x3"), edges_of("path:3"));
    EXPECT_EQ(edges_of("grid:3x1"), edges_of("path:3"));
    EXPECT_EQ(edges_of("grid:1x1"), (std::vector<Pair>{}));
}

TEST(Spec, CompleteGraphsStayExactIfRootsAreRounded)
{
    const auto source = make_edge_source("complete:268435456");
    EXPECT_EQ(source->edge_count(), (EdgeCount{1} << 55) - (EdgeCount{1} << 27));
    for (const Vertex j : {Vertex{134217729}, Vertex{200000001}, Vertex{268435455}}) {
        std::vector<PackedEdge> edges(3);
        source->edges(j * (j - 1) / 2 - 1, edges);  // the last edge of j - 1 and the first two of j
        EXPECT_EQ(edges[0].unpack(), (Edge{j - 2, j - 1}));
        EXPECT_EQ(edges[1].unpack(), (Edge{0, j}));
        EXPECT_EQ(edges[2].unpack(), (Edge{1, j}));
    }
}

TEST(Spec, SizesAreThoseNamed)
{
    const std::map<std::string, std::pair<Vertex, EdgeCount>> sizes = {
        {"kron:7", {128, 2048}},
        {"kron:7,3", {128, 384}},
        {"kron:scale=7,ef=2", {128, 256}},
        {"rmat:scale=5,ef=4", {32, 128}},
        {"random:10,7", {10, 7}},
        {"random:m=7,n=10", {10, 7}},
        {"random:1,0", {1, 0}},
        {"regular:n=10,d=4", {10, 20}},
        {"regular:10,3", {10, 15}},
        {"regular:10,0", {10, 0}},
        {"regular:1,0", {1, 0}},
        {"ring:5", {5, 5}},
        {"star:1", {1, 0}},
        {"grid:1000x1000", {1000000, 1998000}},
        {"kron:47", {Vertex{1} << 47, EdgeCount{1} << 51}},
        {"path:281474976710656", {Vertex{1} << 48, (Vertex{1} << 48) - 1}}};
    for (const auto& [spec, size] : sizes) {
        const auto source = make_edge_source(spec);
        EXPECT_EQ(source->vertex_count(), size.first) << spec;
        EXPECT_EQ(source->edge_count(), size.second) << spec;
        EXPECT_FALSE(source->directed()) << spec;
    }
    EXPECT_TRUE(make_edge_source("random:10,7,directed=1")->directed());
    EXPECT_TRUE(make_edge_source("rmat:5,directed=1")->directed());
}

TEST(Spec, AnyRangeHoldsTheSameEdges)
{
    for (const std::string& spec : kEverySpec) {
        const auto source = make_edge_source(spec);
        const std::vector<Pair> all = edges_of(*source);
        for (std::size_t first = 0; first < all.size(); ++first) {
            std::vector<PackedEdge> part(std::min<std::size_t>(first % 5 + 1, all.size() - first));
            source->edges(static_cast<EdgeCount>(first), part);
            for (std::size_t i = 0; i < part.size(); ++i) {
                ASSERT_EQ(part[i].source(), all[first + i].first) << spec;
                ASSERT_EQ(part[i].target(), all[first + i].second) << spec;
            }
        }
    }
}

TEST(Spec, VerticesAreInRange)
{
    for (const std::string& spec : kEverySpec) {
        const auto source = make_edge_source(spec);
        for (const auto& [u, v] : edges_of(*source)) {
            ASSERT_TRUE(0 <= u && u < source->vertex_count() && 0 <= v && v < source->vertex_count())
                << spec << ": " << u << " " << v;
        }
    }
}

TEST(Spec, SeedsChangeRandomGraphsAndNoOthers)
{
    for (const std::string& spec : kEverySpec) {
        const bool random = spec.starts_with("kron") || spec.front() == 'r';
        if (spec == "ring:9" || spec == "random:n=2,m=9") continue;
        const Seeds others = {.seed1 = 5, .seed2 = 6, .seed = 7};
        EXPECT_EQ(edges_of(spec) == edges_of(spec, others), !random) << spec;
        EXPECT_EQ(edges_of(spec, others), edges_of(spec, others)) << spec;
    }
    EXPECT_EQ(edges_of("random:50,60,7"), edges_of("random:50,60", {.seed = 7}));
    EXPECT_EQ(edges_of("random:50,60,seed=7"), edges_of("random:50,60,7", {.seed = 8}));
    EXPECT_EQ(edges_of("kron:6,seed1=5,seed2=6"), edges_of("kron:6", {.seed1 = 5, .seed2 = 6}));
    EXPECT_NE(edges_of("kron:6,seed1=5"), edges_of("kron:6"));
}

TEST(Spec, OnlyKronHasWeights)
{
    std::vector<float> weights(4, -1);
    EXPECT_TRUE(make_edge_source("kron:5")->weights(0, weights));
    EXPECT_GE(weights[0], 0);
    EXPECT_FALSE(make_edge_source("rmat:5")->weights(0, weights));
}

struct BadSpec
{
    const char* spec;
    std::vector<const char*> says;  // parts of the message
};

TEST(Spec, BadOnesAreNamedWithWhatIsWrongAndWhatIsAccepted)
{
    const std::vector<BadSpec> bad = {
        {"krom:22",
         {"'krom:22'", "no generator 'krom'", "kron, rmat, random, regular, ring, path, star, complete, grid"}},
        {"", {"no generator ''", "kron"}},
        {"kron", {"colon", "kron:SCALE"}},
        {"kron:", {"scale is missing", "kron:SCALE"}},
        {"kron:0", {"scale", "1 to 47", "'0'"}},
        {"kron:48", {"scale", "1 to 47", "'48'"}},
        {"kron:-3", {"scale", "'-3'"}},
        {"kron:2x", {"scale", "'2x'"}},
        {"kron: 5", {"scale", "' 5'"}},
        {"kron:99999999999999999999999", {"scale", "1 to 47"}},
        {"kron:20,ef=0", {"ef", "1 to 68719476736"}},
        {"kron:47,ef=513", {"ef", "1 to 512"}},
        {"kron:20,ef", {"ef", "'ef'"}},
        {"kron:20,seed1=-1", {"seed1", "'-1'"}},
        {"kron:20,seed1=18446744073709551616", {"seed1", "18446744073709551615"}},
        {"kron:20,weights=1", {"no argument 'weights'", "scale, ef, seed1, seed2"}},
        {"kron:20,", {"comma"}},
        {"kron:,20", {"empty"}},
        {"kron:20,=3", {"empty"}},
        {"kron:20,ef=3,ef=4", {"ef is given twice"}},
        {"kron:20,scale=4", {"scale is given twice"}},
        {"kron:ef=3,20", {"'20'", "needs a name, too"}},
        {"kron:20,16,2,3,4", {"'4'", "too many"}},
        {"rmat:5,a=1.5", {"a", "0 to 1", "'1.5'"}},
        {"rmat:5,a=nan", {"a", "'nan'"}},
        {"rmat:5,a=.9,b=.2", {"a + b + c"}},
        {"rmat:5,permute=2", {"permute", "0 to 1"}},
        {"random:5", {"m is missing"}},
        {"random:0,0", {"n", "1 to 281474976710656"}},
        {"random:281474976710657,1", {"n", "1 to 281474976710656"}},
        {"random:1,1", {"n must be at least 2"}},
        {"random:5,72057594037927937", {"m", "72057594037927936"}},
        {"regular:5,3", {"even"}},
        {"regular:5,5", {"d", "0 to 4"}},
        {"regular:281474976710656,513", {"d", "0 to 512"}},
        {"ring:2", {"n", "3 to"}},
        {"path:0", {"n", "1 to"}},
        {"complete:268435457", {"n", "1 to 268435456"}},
        {"grid:10", {"1000x1000"}},
        {"grid:", {"1000x1000"}},
        {"grid:0x5", {"rows"}},
        {"grid:5x", {"columns", "''"}},
        {"grid:5x5x5", {"columns", "'5x5'"}},
        {"grid:16777217x16777217", {"columns"}},
    };
    for (const BadSpec& one : bad) {
        const std::string message = error_of(one.spec);
        EXPECT_FALSE(message.empty()) << one.spec << " was accepted";
        for (const char* part : one.says)
            EXPECT_NE(message.find(part), std::string::npos) << one.spec << ": no \"" << part << "\" in\n" << message;
    }
}

TEST(Spec, SpecsAreDistinguishedFromFiles)
{
    for (const char* spec : {"kron:22", "krom:22", "grid:", "random:n=5,m=6", "Kron:5"})
        EXPECT_TRUE(looks_like_spec(spec)) << spec;
    for (const char* file :
         {"", "kron", "graph.gr", "./kron:22", "data/kron:22", "kron.tuples:1", "C:\\graph.gr", ":22", "a-b:3"})
        EXPECT_FALSE(looks_like_spec(file)) << file;
}

TEST(Spec, HelpListsEveryGenerator)
{
    std::set<std::string_view> names;
    for (const GeneratorHelp& help : generator_help()) {
        names.insert(help.name);
        EXPECT_EQ(help.usage.substr(0, help.name.size() + 1), std::string(help.name) + ":");
        EXPECT_FALSE(help.meaning.empty());
    }
    EXPECT_EQ(names.size(), 9U);
}

TEST(Specs, SuggestTheNameOfAnArgument)
{
    EXPECT_NE(error_of("kron:10,edgefactor=8").find("; did you mean 'ef'?"), std::string::npos)
        << error_of("kron:10,edgefactor=8");
    EXPECT_NE(error_of("random:nodes=5,m=4").find("; did you mean 'n'?"), std::string::npos);
    EXPECT_EQ(error_of("ring:edgefactor=8").find("did you mean"), std::string::npos);
}

}  // namespace
}  // namespace wayfront
