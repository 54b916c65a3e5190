// Dijkstra's algorithm of the Boost Graph Library: an oracle that shares no code with the program
// or with the other oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "oracle/dijkstra.hpp"

namespace oracle {

/// The length of the shortest path to each vertex; infinity<W>() if there is none. Pre: no weight
/// is negative.
template <typename W>
std::vector<W> boost_dijkstra(const WeightedGraph<W>& graph, std::int64_t source)
{
    struct Arc
    {
        W weight;
    };
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::vector<Arc> arcs;
    graph.for_each_arc([&](std::int64_t u, std::int64_t v, W weight) {
        ends.emplace_back(static_cast<std::size_t>(u), static_cast<std::size_t>(v));
        arcs.push_back({weight});
    });
    using Lists = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Arc>;
    const Lists lists(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), arcs.begin(),
                      static_cast<std::size_t>(graph.vertices));
    std::vector<W> distance(static_cast<std::size_t>(graph.vertices));
    boost::dijkstra_shortest_paths(
        lists, static_cast<std::size_t>(source),
        boost::weight_map(boost::get(&Arc::weight, lists))
            .distance_map(boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, lists)))
            .distance_inf(infinity<W>())
            .distance_combine(std::plus<W>()));
    return distance;
}

}  // namespace oracle
