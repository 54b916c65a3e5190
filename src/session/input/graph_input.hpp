// Loads GRAPH, a file or a spec, as an edge list that is distributed over the ranks.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "base/host_buffer.hpp"
#include "graph/edge_list.hpp"
#include "graph/generators/spec.hpp"
#include "graph/io/graph_file.hpp"
#include "graph/vertex_numbers.hpp"
#include "job/job.hpp"
#include "session/output/graph_target.hpp"
#include "session/output/named_files.hpp"

namespace wayfront::session {

struct GraphOptions
{
    std::string graph;
    std::string extension;  // from --format; if empty, the extension of the graph's name
    bool directed = false;
    bool undirected = false;
    bool compact = false;        // leave no gaps between the vertices of an edge list
    bool names = false;          // the ends of an edge list's edges are names
    std::string vertex_numbers;  // with --compact or names: the file to which the vertices' numbers are written
    bool reverse = false;        // turn each directed edge around
    bool zero_based = false;
    bool one_based = false;
    std::string weights;
    bool double_precision = false;  // weights that are not whole numbers have 64 bits
    bool has_precision_option = false;
    bool precision_given = false;
    ColumnChoice columns;
    Seeds seeds;

    /// Throws InputError if the graph's name contains neither a known extension nor a generator, or
    /// if options contradict each other or do not suit the graph. `target` is the file that the
    /// graph will be written to, or null; the options must suit it, too.
    void check(const GraphTarget* target = nullptr) const;

    /// Whether the vertices may have names; true if the format is unknown.
    [[nodiscard]] bool may_have_names() const;

    /// The format of the graph's file. Pre: it is not a generated graph.
    [[nodiscard]] FileFormat format() const;

    /// For check_outputs(): the file that gets the numbers of vertices.
    [[nodiscard]] NamedFile named_numbers() const { return {"--vertex-numbers", vertex_numbers, {}}; }

    /// For check_outputs(). `role` is the graph's name in the help. The path is empty if no file is
    /// read.
    [[nodiscard]] NamedFile named(const std::string& role) const;

    /// The number that a file of this format will give to the first vertex.
    [[nodiscard]] Vertex first_vertex_in(FileFormat format) const;
};

/// The origin of the direction of the edges.
enum class DirectionFrom { spec, format, header, option, assumed };

struct LoadedGraph
{
    std::string name;                   // as given
    std::string format;                 // "DIMACS", ..., "generated"
    Vertex first_vertex = 0;            // the number of the list's vertex 0 in the input
    bool compact = false;               // whether --compact left out the numbers without edges
    HostBuffer<Vertex> listed_numbers;  // the input's numbers of the list's vertices, ascending; empty unless `compact`
    bool named = false;                 // whether the input has names in place of numbers
    std::shared_ptr<const VertexNames> names{};  // the names of the list's vertices, in order; null unless `named`
    EdgeCount edges = 0;                         // the edges of all ranks
    std::optional<std::uint64_t> seed{};         // --seed, if the graph or its weights depend on it
    std::string weights_spec{};                  // the text of --weights
    DirectionFrom direction_from = DirectionFrom::spec;
    bool reversed = false;  // whether the edges of the list lead from targets to sources of the input
    EdgeList list;          // this rank's share

    /// The numbers or names of the list's vertices in the input.
    [[nodiscard]] VertexNumbers numbers() const
    {
        if (named) return VertexNumbers(*names);
        return listed_numbers.empty() ? VertexNumbers(first_vertex) : VertexNumbers(listed_numbers.span());
    }
    /// The input's number of the list's vertex `v`; kUnreached stays the same.
    [[nodiscard]] Vertex input_number(Vertex v) const { return v == kUnreached ? v : numbers()[v]; }

    /// Returns the list's number of the vertex that the input calls `number`; names are numbered from
    /// 0. If there is no such vertex, throws an InputError that names `option`.
    [[nodiscard]] Vertex list_number(const std::string& option, std::int64_t number) const;
    /// The same for a text, which is a number or, if `named`, a name.
    [[nodiscard]] Vertex list_number(const std::string& option, std::string_view text) const;

    /// The edges of a vertex, on average; directed edges count where they start.
    [[nodiscard]] double mean_degree() const
    {
        const double ways = list.directed ? 1 : 2;
        return ways * static_cast<double>(edges) / static_cast<double>(std::max<Vertex>(list.vertex_count, 1));
    }

    /// Whether the numbers or names of vertices are stored as a list, because they do not follow from the first number.
    [[nodiscard]] bool has_list() const { return compact || named; }
};

/// Reverses each edge of the list. Pre: the edges are directed.
void reverse_edges(LoadedGraph& graph);

/// Gives the edges the weights and the precision of the options. Weights of the input are replaced,
/// with a note. Collective.
void settle_weights(const job::Job& job, const GraphOptions& options, LoadedGraph& graph);

/// Reads or generates the graph. Collective.
LoadedGraph load_graph(const job::Job& job, const GraphOptions& options, bool with_weights);

/// The end of a message about memory, which offers --compact if few numbers up to that of the
/// largest vertex belong to vertices with edges; otherwise, or if graph.list has no edges, empty.
/// Collective.
std::string advice_on_gaps(const job::Job& job, const LoadedGraph& graph);

/// If vertices have names, or with --compact, prints a note on the result `path` if it has no column
/// of vertices, and no file gets their names or numbers.
void note_order(const job::Job& job, const GraphOptions& options, const LoadedGraph& graph, const std::string& path);

/// Gives an unweighted graph weights of 1, with a note. Collective.
void require_weights(const job::Job& job, LoadedGraph& graph);

}  // namespace wayfront::session
