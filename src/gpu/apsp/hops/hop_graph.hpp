// A graph for counts of the pairs of vertices at each number of edges (hop_counter.hpp).
//
// Vertices with edges are renumbered; the number is called a *place*. A batch of targets is 1024
// consecutive places. The vertices, by descending out-degree, are distributed cyclically to the batches, so
// that all batches have about the same work, and the first places of each batch have the longest
// lists.
//
// The head of a place's list has 16 entries at an address that follows from the place. Only the
// first `long_places` places of each batch may have more out-neighbours; the rest of such a list is
// in chunks of 16 entries. Unused entries contain the place itself: the graph has no loops, and
// joining a set with itself does not change it. Entries have 16 bits if all places fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_device.hpp"
#include "graph/csr.hpp"

namespace wayfront::gpu::apsp {

inline constexpr std::uint32_t kHopTargets = 1024;  // number of targets in a batch
inline constexpr std::uint32_t kHopEntries = 16;    // number of entries of a head, and of a chunk
inline constexpr std::uint32_t kMostShortPlaces = 1U << 16;

/// The graph as an argument of kernels.
template <typename Index>
struct HopGraphView
{
    std::uint32_t places = 0;
    std::uint32_t long_places = 0;  // number of first places of each batch that may have long lists
    const Index* heads = nullptr;   // kHopEntries entries of each place
    // The first chunk of each long place, for long_places places of each batch, and the end of the
    // last.
    const std::uint32_t* rests = nullptr;
    const Index* chunks = nullptr;

    [[nodiscard]] WAYFRONT_HD std::uint32_t batches() const { return (places + kHopTargets - 1) / kHopTargets; }
    [[nodiscard]] WAYFRONT_HD bool is_long(std::uint32_t place) const { return place % kHopTargets < long_places; }
    [[nodiscard]] WAYFRONT_HD const Index* head(std::uint32_t place) const
    {
        return heads + std::size_t{place} * kHopEntries;
    }
    [[nodiscard]] WAYFRONT_HD const Index* chunk(std::uint32_t number) const
    {
        return chunks + std::size_t{number} * kHopEntries;
    }
    /// The first chunk of a place, followed by the end of its chunks. Pre: is_long(place).
    [[nodiscard]] WAYFRONT_HD const std::uint32_t* rest(std::uint32_t place) const
    {
        return rests + std::size_t{place / kHopTargets} * long_places + place % kHopTargets;
    }
};

template <typename Index>
struct HopGraph
{
    std::uint32_t long_places = 0;
    std::vector<Index> heads;
    std::vector<std::uint32_t> rests;
    std::vector<Index> chunks;
    std::vector<std::uint32_t> place_of_slot;

    [[nodiscard]] HopGraphView<Index> view() const
    {
        return {static_cast<std::uint32_t>(place_of_slot.size()), long_places, heads.data(), rests.data(),
                chunks.data()};
    }
};

/// `out`: lists of out-neighbours of the first `slots` slots, without loops and duplicates. Pre for
/// std::uint16_t: at most kMostShortPlaces slots.
template <typename Index>
[[nodiscard]] HopGraph<Index> make_hop_graph(const CsrView& out, std::uint32_t slots);

extern template HopGraph<std::uint16_t> make_hop_graph<std::uint16_t>(const CsrView& out, std::uint32_t slots);
extern template HopGraph<std::uint32_t> make_hop_graph<std::uint32_t>(const CsrView& out, std::uint32_t slots);

}  // namespace wayfront::gpu::apsp
