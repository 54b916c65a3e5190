// Small graphs. All ranks know them completely, for the oracle, and hold them in shares, for the
// program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/edge_list.hpp"
#include "oracle/serial_bfs.hpp"

namespace wayfront {

struct TestGraph
{
    std::string name;  // of letters and digits
    oracle::Graph graph;
    std::vector<std::int64_t> keys;  // to search from, one after the other
};

/// Corner cases and ordinary graphs, of up to a few hundred vertices.
const std::vector<TestGraph>& small_graphs();

/// A graph with random edges over all vertices.
oracle::Graph random_graph(std::int64_t vertices, std::size_t edges, bool directed, std::uint64_t seed);

/// The complete graph of a spec.
oracle::Graph generated_graph(const std::string& spec);

/// The way in which a list of edges is dealt to the ranks.
enum class Deal {
    in_turn,
    to_the_last,  // the last rank has all edges
    unequal,      // the first rank has no edges, the last has the most
};

/// This rank's share of the graph.
EdgeList share_of(const oracle::Graph& graph, Deal deal, int rank, int ranks);

/// Gathers value(i) of each local number i of the ranks' vertices, in the order of vertices: number
/// i of rank r is vertex i * ranks + r. Collective; the result is the same on all ranks.
template <typename F>
std::vector<std::int64_t> gather_by_vertex(const comm::Communicator& world, std::int64_t vertices, F&& value)
{
    const auto ranks = static_cast<std::int64_t>(world.size());
    std::vector<std::size_t> counts;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
        counts.push_back(static_cast<std::size_t>((vertices + ranks - 1 - rank) / ranks));
    std::vector<std::int64_t> own;
    for (std::size_t i = 0; i < counts[static_cast<std::size_t>(world.rank())]; ++i) own.push_back(value(i));
    std::vector<std::int64_t> by_rank(static_cast<std::size_t>(vertices));
    world.all_gather_v(std::span<const std::int64_t>(own), counts, std::span<std::int64_t>(by_rank));
    std::vector<std::int64_t> by_vertex(by_rank.size());
    std::size_t position = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        for (std::size_t i = 0; i < counts[rank]; ++i) by_vertex[i * counts.size() + rank] = by_rank[position++];
    return by_vertex;
}

}  // namespace wayfront
