#include "algo/bfs/direction.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront::algo {
namespace {

constexpr double kVertices = 1000;
constexpr double kEdges = 8000;

Direction next(const DirectionPolicy& policy, Direction last, std::uint64_t vertices, std::uint64_t out_edges)
{
    return policy.bounds({.vertices = kVertices, .arcs = 2 * kEdges}).next(last, {vertices, out_edges});
}

TEST(DirectionPolicy, GoesBottomUpWhenTheFrontiersEdgesExceedTheirShare)
{
    const DirectionPolicy policy{DirectionChoice::automatic, 10, 14};
    EXPECT_EQ(next(policy, Direction::top_down, 1, 0), Direction::top_down);
    EXPECT_EQ(next(policy, Direction::top_down, 1, 800), Direction::top_down);  // 8000 / 10
    EXPECT_EQ(next(policy, Direction::top_down, 1, 801), Direction::bottom_up);
    EXPECT_EQ(next({DirectionChoice::automatic, 100, 14}, Direction::top_down, 1, 81), Direction::bottom_up);
}

TEST(DirectionPolicy, GoesTopDownAgainWhenTheFrontierIsSmall)
{
    const DirectionPolicy policy{DirectionChoice::automatic, 10, 14};
    // 1000^2 / (14 * 8000) = 8.93.
    EXPECT_EQ(next(policy, Direction::bottom_up, 9, 0), Direction::bottom_up);
    EXPECT_EQ(next(policy, Direction::bottom_up, 8, 0), Direction::top_down);
    EXPECT_EQ(next({DirectionChoice::automatic, 10, 40}, Direction::bottom_up, 4, 0), Direction::bottom_up);
}

TEST(DirectionPolicy, AlphaFitsTheDegree)
{
    const DirectionPolicy policy{.fits_alpha = true};
    const auto edges_of_switch = [&](double vertices, double edges) {
        return policy.bounds({.vertices = vertices, .arcs = 2 * edges}).bottom_up_from_edges;
    };
    EXPECT_DOUBLE_EQ(edges_of_switch(1000, 8000), 800) << "16 edges a vertex: the paper's alpha";
    EXPECT_DOUBLE_EQ(edges_of_switch(1000, 3000), 3000.0 / 5) << "6 edges a vertex";
    EXPECT_DOUBLE_EQ(edges_of_switch(1000, 999), 999.0 / 2) << "a tree";
    EXPECT_DOUBLE_EQ(policy.alpha_for({.vertices = 1000, .arcs = 5000, .directed = true}), 4);
    EXPECT_DOUBLE_EQ(DirectionPolicy{}.bounds({.vertices = 1000, .arcs = 2 * 999}).bottom_up_from_edges, 99.9)
        << "as the options say";
    EXPECT_EQ(policy.bounds({}).next(Direction::top_down, {1, 0}), Direction::top_down);
}

TEST(DirectionPolicy, AFrontierOfOneVertexTurnsTopDown)
{
    // 1000^2 / (14 * 200000) = 0.36.
    const DirectionBounds dense = DirectionPolicy{}.bounds({.vertices = 1000, .arcs = 400000});
    EXPECT_EQ(dense.next(Direction::bottom_up, {1, 0}), Direction::top_down);
    EXPECT_EQ(dense.next(Direction::bottom_up, {2, 0}), Direction::bottom_up);
}

TEST(SearchDirection, ASwitchInVainNeedsMoreEdgesTheNextTime)
{
    SearchDirection direction(DirectionPolicy{.alpha = 10, .beta = 125}.bounds({.vertices = 1000, .arcs = 16000}));
    const auto next = [&](std::uint64_t vertices, std::uint64_t out_edges) {
        return direction.next({vertices, out_edges});
    };
    EXPECT_EQ(direction.last(), Direction::top_down);
    EXPECT_EQ(next(1, 99), Direction::top_down);
    EXPECT_EQ(next(99, 801), Direction::bottom_up);
    EXPECT_EQ(next(1, 0), Direction::top_down) << "fewer than 99 were found";
    EXPECT_EQ(next(99, 6400), Direction::top_down);
    EXPECT_EQ(next(99, 6401), Direction::bottom_up);
    EXPECT_EQ(next(99, 0), Direction::bottom_up) << "as many were found";
    EXPECT_EQ(next(1, 0), Direction::top_down);
    EXPECT_EQ(next(50, 6401), Direction::bottom_up) << "only the first level after a switch counts";
}

TEST(SearchDirection, AFrontierWhoseEdgesLeadBackStaysTopDown)
{
    const DirectionBounds bounds = DirectionPolicy{.alpha = 10, .beta = 125}.bounds({.vertices = 1000, .arcs = 16000});
    const auto next = [](SearchDirection& direction, std::uint64_t out_edges, bool frontier_reaches_unvisited) {
        return direction.next({99, out_edges}, [frontier_reaches_unvisited] { return frontier_reaches_unvisited; });
    };
    SearchDirection direction(bounds);
    EXPECT_EQ(next(direction, 801, false), Direction::top_down);
    EXPECT_EQ(next(direction, 6400, true), Direction::top_down) << "a switch in vain, though it did not happen";
    EXPECT_EQ(next(direction, 6401, true), Direction::bottom_up);
    SearchDirection last(bounds);
    EXPECT_EQ(next(last, 8001, false), Direction::bottom_up) << "the unvisited vertices have fewer edges";
    SearchDirection other(bounds);
    EXPECT_EQ(next(other, 801, true), Direction::bottom_up);
}

TEST(DirectionPolicy, AForcedDirectionStays)
{
    for (const Direction last : {Direction::top_down, Direction::bottom_up})
        for (const std::uint64_t size : {1U, 1000000U}) {
            EXPECT_EQ(next({DirectionChoice::top_down, 10, 14}, last, size, size), Direction::top_down);
            EXPECT_EQ(next({DirectionChoice::bottom_up, 10, 14}, last, size, size), Direction::bottom_up);
        }
}

TEST(DirectionPolicy, AGraphWithoutEdgesStaysTopDown)
{
    EXPECT_EQ(DirectionPolicy{}.bounds({}).next(Direction::top_down, {1, 0}), Direction::top_down);
}

TEST(ParseDirection, ReadsWhatItPrints)
{
    EXPECT_EQ(parse_direction("auto"), DirectionChoice::automatic);
    EXPECT_EQ(parse_direction(to_string(Direction::top_down)), DirectionChoice::top_down);
    EXPECT_EQ(parse_direction(to_string(Direction::bottom_up)), DirectionChoice::bottom_up);
    EXPECT_EQ(to_string(Direction::top_down), "top-down");
    EXPECT_EQ(to_string(Direction::bottom_up), "bottom-up");
}

TEST(ParseDirection, NamesWhatItFoundAndWhatItWanted)
{
    for (const std::string text : {"", "up", "Auto", "top_down", "top-down "}) {
        try {
            parse_direction(text);
            FAIL() << "'" << text << "' was read";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("'" + text + "'"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("bottom-up"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
