// The cut-outs of real graphs that come with the project (tests/data/README.md), for searches on
// GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/io/graph_file.hpp"
#include "oracle/serial_bfs.hpp"
#include "support/data_folders.hpp"

namespace wayfront {

struct RealGraph
{
    std::string file;
    // A vertex of the largest component; counted from 0, even if the file counts from 1.
    std::int64_t key;
    bool long_ways;  // whether searches have tens of levels, which are slow if ranks share a GPU
};

inline const std::vector<RealGraph>& real_graphs()
{
    static const std::vector<RealGraph> graphs{{"enron.txt", 5, false},
                                               {"gnutella.txt.zst", 0, false},
                                               {"new-york.gr.gz", 640, true},
                                               {"north-east.gr.xz", 2507, true}};
    return graphs;
}

/// The graph of the file, directed or not. Each rank reads the file.
inline oracle::Graph read_real_graph(const RealGraph& real)
{
    const EdgeList list = read_graph(test_data() + "/" + real.file).list;
    oracle::Graph graph{list.vertex_count, list.directed, {}};
    for (const PackedEdge& edge : list.edges) graph.edges.emplace_back(edge.source(), edge.target());
    return graph;
}

/// The graph with its edges in both directions.
inline oracle::Graph symmetrised(oracle::Graph graph)
{
    graph.directed = false;
    return graph;
}

}  // namespace wayfront
