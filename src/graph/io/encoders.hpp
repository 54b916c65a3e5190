// The encoders that write the formats; graph_writer.cpp chooses one.
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

    /// Pre: weights are of the header's kind; there are as many weights as edges.
    virtual void append(std::span<const PackedEdge> edges, const WeightSpan& weights) = 0;
    /// To be called when all edges have been appended. Writes the rest and commits the file.
    virtual void commit() = 0;
};

/// For formats with one line per edge: DIMACS, Matrix Market, edge lists.
std::unique_ptr<Encoder> make_line_encoder(FileFormat format, const std::string& path, const GraphHeader& header);
/// For formats with lists of neighbours: METIS, GAPBS.
std::unique_ptr<Encoder> make_adjacency_encoder(FileFormat format, const std::string& path, const GraphHeader& header);
/// The largest number of bytes that the encoder of lists keeps in memory at a time.
std::size_t adjacency_encoder_bytes(const GraphHeader& header);
std::unique_ptr<Encoder> make_tuple_encoder(const std::string& path, const GraphHeader& header);

}  // namespace wayfront::io
