// The memory of searches for shortest paths on the cores of a rank, known before they begin.
#pragma once

#include <cstddef>

namespace wayfront::algo {

/// Entries of a list whose lists are by weight that are stored beside its row or column.
inline constexpr std::size_t kHeadEntries = 4;

/// A rank's part of a graph with weights, and how it is searched.
struct SsspSize
{
    double rows = 0;
    double columns = 0;
    double own = 0;               // vertices of the rank
    double arcs = 0;              // arcs of the rank's lists of one direction
    double word_bytes = 4;        // the bytes of a weight, and of a distance
    double id_bytes = 4;          // the bytes of a parent in a result
    bool symmetric = false;       // the lists of columns are those of rows
    bool lists_by_weight = true;  // whether lists are sorted by weight, as push-pull needs them
    bool on_one_rank = false;     // whether a method of one rank searches, without a grid
};

/// An estimate, from above, of the bytes that searches take on a rank beside the graph, results included.
[[nodiscard]] double sssp_bytes(const SsspSize& size);

}  // namespace wayfront::algo
