// Estimates of the levels and the sizes of a graph's breadth-first searches, from a sample of searches.
#pragma once

#include <cstddef>

#include "graph/csr.hpp"

namespace wayfront {

/// The figures of a breadth-first search that may have ended early.
struct SearchSample
{
    std::size_t vertices = 0;  // the number of vertices that the search found
    std::size_t levels = 0;    // the number of levels that the search completed
    // The largest number of levels of all searches of the sample: searches from hubs end before long tails.
    std::size_t most_levels = 0;
    bool complete = false;  // whether the search found all vertices that its source reaches
};

/// The largest of four searches from vertices of different degrees. While no search finds 1/16 of `most_vertices`
/// vertices, further searches follow, up to 64. A search ends after `most_vertices` vertices or 16 `most_vertices`
/// arcs. The sample is complete only if all searches are.
/// `lists` as in sampled_levels().
[[nodiscard]] SearchSample sample_search(const CsrView& lists, std::size_t most_vertices);

/// Whether few arcs leave a part of the graph, as a clique in a chain of them: a part with 1/64 to half of all arcs, of
/// which less than a quarter leave it. The parts are the first vertices of breadth-first searches from four vertices,
/// which follow about 8 arcs of a vertex, find at most `most_vertices` and estimate the other arcs by those.
/// `lists` as in sampled_levels().
[[nodiscard]] bool is_clustered(const CsrView& lists, std::size_t most_vertices);

/// An estimate of the levels of a breadth-first search of the graph, at most `most`, from up to four searches. Each
/// search ends after about 2^16 vertices or 2^20 arcs. `lists` are the out-edges of all vertices on the only rank:
/// a vertex has the same number as the head of a list and as a neighbour.
[[nodiscard]] std::size_t sampled_levels(const CsrView& lists, std::size_t most);

/// The levels of a search from which on a graph has a large diameter. In a mesh of two dimensions, the sample has 127
/// levels or more, in the roads of the north-eastern USA 120 or more, in a cube from a corner 73; in a random graph of
/// two neighbours a vertex, and in social networks, fewer than 20.
inline constexpr std::size_t kLevelsOfLargeDiameter = 64;

/// Whether breadth-first searches of the graph have hundreds of levels, as on roads and meshes, by
/// sampled_levels().
[[nodiscard]] bool has_large_diameter(const CsrView& lists);

}  // namespace wayfront
