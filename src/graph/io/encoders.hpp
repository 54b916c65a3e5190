// The writers' side of each format; graph_writer.cpp picks one.
#pragma once

#include <memory>
#include <string>

#include "graph/io/graph_writer.hpp"
#include "graph/io/output_file.hpp"

namespace wayfront::io {

class Encoder
{
public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// Pre: weights are of the header's kind, as many as edges.
    virtual void append(std::span<const PackedEdge> edges, const WeightSpan& weights) = 0;
    /// Everything has been appended: writes what is missing and commits the file.
    virtual void commit() = 0;
};

/// One line an edge: DIMACS, Matrix Market, edge lists.
std::unique_ptr<Encoder> make_line_encoder(FileFormat format, const std::string& path, const GraphHeader& header);
/// Lists of neighbours: METIS, GAPBS.
std::unique_ptr<Encoder> make_adjacency_encoder(FileFormat format, const std::string& path, const GraphHeader& header);
/// The most bytes that the encoder of lists holds at a time.
std::size_t adjacency_encoder_bytes(const GraphHeader& header);
std::unique_ptr<Encoder> make_tuple_encoder(const std::string& path, const GraphHeader& header);

}  // namespace wayfront::io
