// GRAPH, a file or a spec, as every rank's share of an edge list.
#pragma once

#include <string>

#include "app/cli/option_group.hpp"
#include "app/job.hpp"
#include "graph/edge_list.hpp"
#include "graph/generators/spec.hpp"

namespace wayfront::app {

struct GraphOptions
{
    std::string graph;
    bool directed = false;
    bool undirected = false;
    bool zero_based = false;
    bool one_based = false;
    std::string weights;
    Seeds seeds;

    /// The options, for subcommands that look at weights or do not.
    [[nodiscard]] OptionGroup group(bool with_weights);

    /// Throws InputError if the graph's name says neither a format nor a generator, or if options contradict each other or do not suit the graph and
    /// `output`, the file that it is to be written to, if any.
    void check(const std::string& output = "") const;

    /// What `output` is to call the first vertex.
    [[nodiscard]] Vertex first_vertex_in(const std::string& output) const;
};

/// What says whether a graph is directed.
enum class DirectionFrom { spec, format, header, option, assumed };

struct LoadedGraph
{
    std::string name;         // as given
    std::string format;       // "DIMACS", ..., "generated"
    Vertex first_vertex = 0;  // what the input calls vertex 0 of the list
    EdgeCount edges = 0;      // of all ranks
    DirectionFrom direction_from = DirectionFrom::spec;
    EdgeList list;  // this rank's share

    [[nodiscard]] Vertex outside(Vertex v) const { return v == kUnreached ? v : v + first_vertex; }

    /// The list's vertex that the input calls `number`. Throws InputError, naming the option, where there is none.
    [[nodiscard]] Vertex inside(const std::string& option, std::int64_t number) const;
};

/// Reads or generates the graph. Collective.
LoadedGraph load_graph(const Job& job, const GraphOptions& options, bool with_weights);

/// Part of the help: the file formats and the generators.
std::string graph_notes();

}  // namespace wayfront::app
