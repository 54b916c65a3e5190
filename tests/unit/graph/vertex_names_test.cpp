#include "graph/vertex_names.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graph/io/graph_file.hpp"

namespace wayfront {
namespace {

using Names = std::vector<std::string>;

/// The names of a list in its order.
Names to_vector(const VertexNames& list)
{
    Names names;
    for (std::size_t i = 0; i < list.size(); ++i) names.emplace_back(list[i]);
    return names;
}

/// The key that Python would sort by: numbers first, by value.
auto key_of(const std::string& name)
{
    const bool number = name.find_first_not_of("0123456789") == std::string::npos;
    return std::tuple(!number, number ? std::stoll(name) : 0, number ? name.size() : 0, name);
}

TEST(VertexNames, TheOrderOfNames)
{
    const Names ordered{"0", "00", "7",  "07",  "10", "010",     "1000000000000000000", "-1", "1a",
                        "A", "a",  "a1", "a10", "a2", "\xC3\xA9"};
    for (std::size_t i = 0; i < ordered.size(); ++i)
        for (std::size_t j = 0; j < ordered.size(); ++j) EXPECT_EQ(name_less(ordered[i], ordered[j]), i < j);
}

/// Reads `text` in shares, joins their names, and returns the edges by name, in order.
std::vector<std::pair<std::string, std::string>> edges_in_shares(const std::string& text, int parts, bool names)
{
    std::vector<std::pair<std::string, std::string>> edges;
    for (int part = 0; part < parts; ++part) {
        GraphShare share = parse_text(FileFormat::edge_list, text, "g.el",
                                      {.part = part, .parts = parts, .threads = 2, .names = names});
        EXPECT_TRUE(share.facts.named);
        const VertexNames vertices = list_names(share.names);
        number_by_name(share.list.edges.span(), share.names, vertices);
        for (const PackedEdge edge : share.list.edges)
            edges.emplace_back(vertices[static_cast<std::size_t>(edge.source())],
                               vertices[static_cast<std::size_t>(edge.target())]);
    }
    return edges;
}

TEST(VertexNames, SharesOfALargeText)
{
    std::mt19937 random(5);
    const auto name = [&random] {
        std::string text(1 + random() % 12, 'a');
        for (char& c : text) c = "abcxyz0123456789"[random() % 16];
        return "n" + text;
    };
    std::vector<std::pair<std::string, std::string>> edges;
    std::string text = "# a comment\n";
    for (int i = 0; i < 40000; ++i) {
        edges.emplace_back(name(), name());
        text += edges.back().first + (i % 3 == 0 ? "  " : " ") + edges.back().second + '\n';
    }
    for (const int parts : {1, 2, 3, 7}) EXPECT_EQ(edges_in_shares(text, parts, false), edges);
}

TEST(VertexNames, ListsAndPlaces)
{
    std::mt19937 random(7);
    std::set<std::string> all;
    BlockNames blocks(3);
    for (std::size_t block = 0; block < 3; ++block) {
        NameTable table;
        std::map<std::string, std::size_t> places;
        for (int i = 0; i < 1000; ++i) {
            const std::string name = std::to_string(random() % 700) + (random() % 2 == 0 ? "" : "x");
            const auto [at, added] = places.emplace(name, places.size());
            EXPECT_EQ(table.place_of(name), at->second);
            all.insert(name);
        }
        blocks.set(block, std::move(table));
    }
    const VertexNames list = list_names(blocks);
    Names expected(all.begin(), all.end());
    std::ranges::sort(expected, {}, key_of);
    EXPECT_EQ(to_vector(list), expected);
    for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list.find(expected[i]), i);
    EXPECT_EQ(list.find("700x"), std::nullopt);
    EXPECT_EQ(list.find(""), std::nullopt);
    EXPECT_TRUE(list_names({}).empty());
}

/// The two names that are one number, of a list of names; empty if there are none.
std::pair<std::string, std::string> spellings_in(Names names)
{
    std::ranges::sort(names, name_less);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const VertexNames list(views);
    const auto found = two_spellings(list);
    return found ? std::pair(std::string(found->first), std::string(found->second))
                 : std::pair<std::string, std::string>();
}

TEST(VertexNames, TwoSpellingsOfANumber)
{
    using Two = std::pair<std::string, std::string>;
    EXPECT_EQ(spellings_in({"a", "07", "8", "7"}), (Two{"7", "07"}));
    EXPECT_EQ(spellings_in({"007", "07"}), (Two{"07", "007"}));
    EXPECT_EQ(spellings_in({"+7", "7"}), (Two{"7", "+7"}));
    EXPECT_EQ(spellings_in({"+7", "07", "b"}), (Two{"07", "+7"}));
    EXPECT_EQ(spellings_in({"-7", "-07"}), (Two{"-7", "-07"}));
    EXPECT_EQ(spellings_in({"-0", "0"}), (Two{"0", "-0"}));
    EXPECT_EQ(spellings_in({"-7", "7", "08", "+9", "7.0", "7a", "07a", "+", "-", "", "--7", "70", "700"}), Two());
}

TEST(VertexNames, LinesOfNames)
{
    const std::string text = "# a comment\n\na b\n\"b\" 7\n% another\n7 c";
    GraphShare share = parse_text(FileFormat::edge_list, text, "g.el", {});
    EXPECT_EQ(share.names.lines(), 6U);
    EXPECT_EQ(share.names.line_of("a"), 3U);
    EXPECT_EQ(share.names.line_of("b"), 3U);
    EXPECT_EQ(share.names.line_of("7"), 4U);
    EXPECT_EQ(share.names.line_of("c"), 6U);
    EXPECT_EQ(share.names.line_of("d"), std::nullopt);
}

TEST(VertexNames, FirstLinesOfNames)
{
    using Edges = std::vector<std::pair<std::string, std::string>>;
    const Edges two{{"a", "b"}, {"b", "c"}};
    EXPECT_EQ(edges_in_shares("a b\nb c\n", 1, false), two);
    EXPECT_EQ(edges_in_shares("source,target\na,b\nb,c\n", 1, false), two);
    EXPECT_EQ(edges_in_shares("x;y;length\na;b;1\nb;c;2\n", 1, false), two);
    EXPECT_EQ(edges_in_shares("to\tfrom\nb\ta\nc\tb\n", 2, false), two);
    EXPECT_EQ(edges_in_shares("a,b,1\nb,c,2\n", 1, false), two);
    EXPECT_EQ(edges_in_shares("a b {'weight': 3}\nb c {'weight': 4}\n", 1, false), two);
    EXPECT_EQ(edges_in_shares("\"a\"\"b, c\",\" d \"\nx,y\n", 1, true), (Edges{{"a\"b, c", " d "}, {"x", "y"}}));
    EXPECT_EQ(edges_in_shares("7 07\n1 7\n", 1, true), (Edges{{"7", "07"}, {"1", "7"}}));
    EXPECT_EQ(edges_in_shares("node-1 node-2 803\nb c 5\n", 1, false), (Edges{{"node-1", "node-2"}, {"b", "c"}}));
    EXPECT_EQ(edges_in_shares("a b", 1, false), (Edges{{"a", "b"}}));
    for (const char* const bad :
         {"a b\nc\n", "a b c\n", "a,b\n,c\n", "a,b\nb,c,d\n", "a,b,1\nb,c,\n", "a b {}\nb c 5\n"})
        EXPECT_THROW(parse_text(FileFormat::edge_list, bad, "g.el", {.names = true}), InputError) << bad;
    for (const char* const numbers : {"1 b\n", "a 1\nb 2\n", "1 2\na b\n", "-1 a\n"})
        EXPECT_THROW(parse_text(FileFormat::edge_list, numbers, "g.el", {}), InputError) << numbers;
}

/// Blocks of `count` names each, all of them the same, or all different.
BlockNames blocks_of_names(std::size_t blocks, std::size_t count, bool same)
{
    BlockNames names(blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
        NameTable table;
        for (std::size_t i = 0; i < count; ++i)
            static_cast<void>(table.place_of("name" + std::to_string(same ? i : block * count + i)));
        names.set(block, std::move(table));
    }
    return names;
}

TEST(VertexNames, MemoryOfNumbering)
{
    for (const std::size_t count : {100U, 80000U}) {  // counted, and by a sample
        constexpr std::size_t blocks = 15;
        const double same = numbering_bytes(blocks_of_names(blocks, count, true));
        const double different = numbering_bytes(blocks_of_names(blocks, count, false));
        const auto names = static_cast<double>(count);
        // The numbers of all places, and the names in two tables.
        EXPECT_GE(different, blocks * names * (sizeof(Vertex) + 2 * sizeof(std::string_view)));
        EXPECT_LE(different, blocks * names * 300);
        EXPECT_GE(same, blocks * names * sizeof(Vertex) + names * 2 * sizeof(std::string_view));
        EXPECT_LE(same, blocks * names * sizeof(Vertex) + names * 300);
    }
}

}  // namespace
}  // namespace wayfront
