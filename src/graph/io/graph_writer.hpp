// Writing graph files, of all formats that are read.
//
//     GraphWriter writer("roads.gr.zst", {.vertex_count = n, .edge_count = m, .directed = true,
//     .weights = WeightKind::int32});
//     writer.append(edges, weights);     again and again, m edges in all
//     writer.commit();
//
// One process writes a file; if the edges are spread over ranks, it appends their shares one after
// the other. DIMACS, Matrix Market, edge lists and tuples pass through; METIS and GAPBS need the
// edges sorted by vertex and hold the whole graph in memory until commit(). Until then there is no
// file under the real name, and without commit() none remains under any name (OutputFile).
//
// The constructor throws InputError if the format cannot hold the graph. The limits of the formats:
//   DIMACS         no floats; directed edges need weights. Undirected edges with weights are
//                  written as two arcs each (a loop, too)
//   METIS          undirected graphs, int32 weights or none
//   GAPBS          up to 2^31 - 1 vertices; .sg no weights, .wsg int32 weights
//   tuples         undirected graphs with edges; weights go to NAME.weights as floats, which must
//                  hold them exactly
// CSV files and tuples do not record the number of vertices: vertices without edges after the largest vertex of
// an edge are lost. CSV files record neither whether they are undirected, nor whether vertices are numbered from
// 0 or from 1.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "graph/edge_list.hpp"
#include "graph/io/graph_file.hpp"

namespace wayfront {

/// The facts of a graph that must be known before its first edge is written.
struct GraphHeader
{
    Vertex vertex_count = 0;
    EdgeCount edge_count = 0;  // as they are appended: an undirected edge once
    bool directed = false;
    WeightKind weights = WeightKind::none;
    // The number of the first vertex in edge lists; the other formats have their own rule.
    Vertex first_vertex = 0;
};

/// Weights of some edges.
using WeightSpan = std::variant<std::monostate, std::span<const std::int32_t>, std::span<const std::int64_t>,
                                std::span<const float>, std::span<const double>>;

/// The weights of the edges first to first + count - 1.
WeightSpan weight_span(const Weights& weights, std::size_t first, std::size_t count);

namespace io {
class Encoder;
}

class GraphWriter
{
public:
    /// Without `format`, the name selects the format. Throws ResourceError if the disk has less
    /// free space than the file needs at least.
    GraphWriter(const std::string& path, const GraphHeader& header, std::optional<FileFormat> format = {});
    GraphWriter(GraphWriter&&) noexcept;
    GraphWriter& operator=(GraphWriter&&) noexcept;
    ~GraphWriter();

    /// Adds edges, with as many weights, of the header's kind. Pre: their vertices are below
    /// vertex_count. Throws ResourceError if the disk is full.
    void append(std::span<const PackedEdge> edges, const WeightSpan& weights);

    /// Completes the file. Throws ResultError unless edge_count edges were appended.
    void commit();

private:
    GraphHeader header_;
    EdgeCount appended_ = 0;
    std::unique_ptr<io::Encoder> encoder_;
};

/// The most bytes that a GraphWriter holds at a time, buffers of bounded size not counted.
std::size_t writer_bytes(FileFormat format, const GraphHeader& header);

}  // namespace wayfront
