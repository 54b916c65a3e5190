// The options with which the resident search is tested.
#pragma once

#include <string>
#include <vector>

#include "gpu/bfs/device_search.hpp"

namespace wayfront::gpu::bfs {

inline constexpr double kNever = 1e300;

/// A name, and the options of a resident search.
struct SearchWay
{
    std::string name;
    DeviceSearchOptions options;
};

/// Options with which searches of a small graph take all kinds of steps.
inline std::vector<SearchWay> search_ways()
{
    return {
        {"by_the_counts",
         {.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 3},
          .bottom_up_from_vertices = 40,
          .levels = true}},
        {"top_down_whatever_the_vertices",
         {.direction = {.bottom_up_from_edges = kNever}, .bottom_up_from_vertices = kNever, .levels = true}},
        {"many_edges_whatever_their_number",
         {.direction = {.bottom_up_from_edges = kNever},
          .bottom_up_from_vertices = kNever,
          .many_edges = 0,
          .levels = true}},
        // The levels find more than 2048 and at most 11000 vertices, by more than 11000 edges.
        {"many_edges_counted_when_published",
         {.direction = {.bottom_up_from_edges = kNever},
          .bottom_up_from_vertices = 11000,
          .many_edges = 0,
          .levels = true}},
        {"forced_top_down", {.direction = {.choice = algo::DirectionChoice::top_down}, .levels = true}},
        {"forced_bottom_up", {.direction = {.choice = algo::DirectionChoice::bottom_up}, .levels = true}},
        {"with_hubs",
         {.direction = {.choice = algo::DirectionChoice::top_down},
          .many_edges = 0,
          .large_items_from = 0,
          .most_hubs = 2048,
          .levels = true}},
        {"bottom_up_for_hubs_alone",
         {.direction = {.bottom_up_from_edges = 20, .top_down_below_vertices = 3},
          .bottom_up_from_vertices = kNever,
          .many_edges = 0,
          .most_split_edges = kNever,
          .most_tail_edges = kNever,
          .most_hubs = 1024,
          .levels = true}},
        {"visited_outside_of_shared_memory",
         {.direction = {.bottom_up_from_edges = 9000, .top_down_below_vertices = 3},
          .bottom_up_from_vertices = 9000,
          .levels = true,
          .visited_in_shared = false}},
    };
}

}  // namespace wayfront::gpu::bfs
