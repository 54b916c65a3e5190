// A graph for many concurrent searches, each by one thread block.
//
// Vertices with edges are renumbered by descending out-degree; the number is called a *place*. The
// first arcs of each place fill one sector of 32 bytes, whose address follows from the place. So
// most vertices are read by a single load, and the places that a warp reads together have about
// equally many arcs. The other arcs of longer lists are in a separate array, the *rest*. If all
// places and weights fit 16 bits, an arc is one word, with the weight in its upper half, and a
// sector has eight arcs. Otherwise an arc is two words, and a sector has four arcs. Unused entries
// of a sector are arcs of weight 0 from the place to itself, which change nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kSectorWords = 8;
/// Number of words of a rest that are read at a time. A rest is padded to a multiple of this, as a
/// sector is.
inline constexpr std::uint32_t kRestWords = 4;
/// If a rest has more words, all lanes of a warp read it together.
inline constexpr std::uint32_t kMostOwnWords = 64;
/// If a rest has more words, all warps of a block read it together. At most kMostBlockLists places
/// have such a rest.
inline constexpr std::uint32_t kMostWarpWords = 4096;
inline constexpr std::uint32_t kMostBlockLists = 1024;
inline constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;

enum class ArcForm : std::uint8_t { one_word, two_words };

[[nodiscard]] constexpr std::uint32_t words_of_arc(ArcForm form)
{
    return form == ArcForm::one_word ? 1 : 2;
}
[[nodiscard]] constexpr std::uint32_t arcs_of_sector(ArcForm form)
{
    return kSectorWords / words_of_arc(form);
}

/// The graph as an argument of kernels.
struct ArcSectorsView
{
    std::uint32_t vertices = 0;
    std::uint32_t places = 0;
    std::uint32_t expanding = 0;  // places below this one have arcs
    // Places below this one have more arcs than half a sector.
    std::uint32_t half_full = 0;
    // Places below this one have more arcs than a sector.
    std::uint32_t long_lists = 0;
    // Places below this one have long lists: the lanes of a warp read the rest of a list together.
    std::uint32_t shared_lists = 0;
    // Places below this one have longer lists: the threads of a block read the rest of a list together.
    std::uint32_t block_lists = 0;
    const std::uint32_t* sectors = nullptr;  // kSectorWords words for each place
    // The first word of each long list's rest, a multiple of kRestWords, and the end of the last
    // rest.
    const std::uint32_t* rest_begins = nullptr;
    const std::uint32_t* rest = nullptr;
    const std::uint32_t* place_of_vertex = nullptr;  // kNoPlace for vertices without edges
};

/// The arrays of a view in host memory.
struct ArcSectors
{
    ArcForm form = ArcForm::two_words;
    std::vector<std::uint32_t> sectors, rest_begins, rest, place_of_vertex;
    std::uint32_t expanding = 0, half_full = 0, long_lists = 0, shared_lists = 0, block_lists = 0;
    double mean_weight = 0;
    double mean_degree = 0;  // mean degree of the places that have arcs

    [[nodiscard]] ArcSectorsView view() const;
};

/// Copies a graph. Edges of an unweighted graph have weight 1; a float weight is stored as its
/// bits. Throws InputError if a whole weight or the number of arcs of long lists does not fit 32
/// bits. Pre: the graph is on one rank; its weights are uint32, float32 or none; no weight is
/// negative.
[[nodiscard]] ArcSectors make_arc_sectors(const DistributedGraph& graph);

}  // namespace wayfront::gpu::apsp
