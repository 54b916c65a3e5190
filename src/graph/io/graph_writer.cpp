#include "graph/io/graph_writer.hpp"

#include <string>

#include "base/error.hpp"
#include "graph/io/encoders.hpp"
#include "graph/io/output_file.hpp"

namespace wayfront {

namespace {

std::unique_ptr<io::Encoder> make_encoder(FileFormat format, const std::string& path, const GraphHeader& header)
{
    switch (format) {
        case FileFormat::dimacs:
        case FileFormat::matrix_market:
        case FileFormat::edge_list:
        case FileFormat::csv:
            return io::make_line_encoder(format, path, header);
        case FileFormat::metis:
        case FileFormat::gapbs_sg:
        case FileFormat::gapbs_wsg:
            return io::make_adjacency_encoder(format, path, header);
        case FileFormat::graphml:
        case FileFormat::gml:
            throw InputError(path + ": " + name_of(format) + " is read, and not written");
        case FileFormat::tuples:
            break;
    }
    return io::make_tuple_encoder(path, header);
}

/// A lower bound of the size of the file; 0 for a compressed file.
double least_bytes(FileFormat format, const std::string& path, const GraphHeader& header)
{
    const auto edges = static_cast<double>(header.edge_count);
    const auto vertices = static_cast<double>(header.vertex_count);
    const bool weighted = header.weights != WeightKind::none;
    if (format == FileFormat::tuples) return edges * (sizeof(PackedEdge) + (weighted ? sizeof(float) : 0));
    if (format == FileFormat::gapbs_sg || format == FileFormat::gapbs_wsg) {
        const double one_way =
            (vertices + 1) * sizeof(std::int64_t) + edges * (weighted ? 2 : 1) * sizeof(std::int32_t);
        return header.directed ? 2 * one_way : one_way;  // an undirected edge may be a loop, which has one entry
    }
    if (compression_of(path) != Compression::none) return 0;
    constexpr double number_bytes = 2;  // a digit and a separator
    if (format == FileFormat::metis) return vertices + edges * number_bytes * (weighted ? 2 : 1);
    return edges * number_bytes * (weighted ? 3 : 2);
}

std::size_t size_of(const WeightSpan& weights, std::size_t without)
{
    std::size_t size = without;
    visit_weights(weights, [&](const auto& some) { size = some.size(); });
    return size;
}

}  // namespace

WeightSpan weight_span(const Weights& weights, std::size_t first, std::size_t count)
{
    WeightSpan some;
    visit_weights(weights, [&](const auto& all) { some = all.span().subspan(first, count); });
    return some;
}

std::size_t writer_bytes(FileFormat format, const GraphHeader& header)
{
    const bool adjacency =
        format == FileFormat::metis || format == FileFormat::gapbs_sg || format == FileFormat::gapbs_wsg;
    return adjacency ? io::adjacency_encoder_bytes(header) : 0;
}

GraphWriter::GraphWriter(const std::string& path, const GraphHeader& header, std::optional<FileFormat> format)
    : header_(header)
{
    const FileFormat written = format ? *format : format_of(path);
    encoder_ = make_encoder(written, path, header);  // refuses graphs that the format cannot store
    OutputFile::require_space(path, least_bytes(written, path, header));
}
GraphWriter::GraphWriter(GraphWriter&&) noexcept = default;
GraphWriter& GraphWriter::operator=(GraphWriter&&) noexcept = default;
GraphWriter::~GraphWriter() = default;

void GraphWriter::append(std::span<const PackedEdge> edges, const WeightSpan& weights)
{
    if (weights.index() != static_cast<std::size_t>(header_.weights) || size_of(weights, edges.size()) != edges.size())
        throw ResultError("writing a graph: weights that are not those announced");
    appended_ += static_cast<EdgeCount>(edges.size());
    if (appended_ > header_.edge_count)
        throw ResultError("writing a graph: more edges than the " + std::to_string(header_.edge_count) + " announced");
    encoder_->append(edges, weights);
}

void GraphWriter::commit()
{
    if (appended_ != header_.edge_count)
        throw ResultError("writing a graph: " + std::to_string(appended_) + " edges instead of the " +
                          std::to_string(header_.edge_count) + " announced");
    encoder_->commit();
}

}  // namespace wayfront
