// Writes METIS and GAPBS files (layouts: read_metis.cpp, read_gapbs.cpp), which list the neighbours
// of one vertex after another. The whole graph is collected, and sorted when it is complete.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "graph/io/encoders.hpp"

namespace wayfront::io {

namespace {

struct Neighbour
{
    Vertex vertex;
    std::int32_t weight;
};

/// Ascending lists of neighbours. `offsets` has one element more than the graph has vertices.
struct Adjacency
{
    HostBuffer<std::int64_t> offsets;
    HostBuffer<Neighbour> neighbours;

    [[nodiscard]] std::span<const Neighbour> of(Vertex v) const
    {
        const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(v)]);
        return neighbours.span().subspan(first,
                                         static_cast<std::size_t>(offsets[static_cast<std::size_t>(v) + 1]) - first);
    }
};

enum class Direction { out, in, both };

/// Calls visit(vertex, neighbour) for each entry that an edge adds to the lists; a self-loop adds
/// one.
template <typename Visit>
void for_each_end(const Edge& edge, Direction direction, Visit visit)
{
    if (direction != Direction::in) visit(edge.source, edge.target);
    if (direction == Direction::in || (direction == Direction::both && edge.source != edge.target))
        visit(edge.target, edge.source);
}

Adjacency sort_by_vertex(Vertex vertex_count, std::span<const PackedEdge> edges, std::span<const std::int32_t> weights,
                         Direction direction)
{
    Adjacency graph;
    const auto vertices = static_cast<std::size_t>(vertex_count);
    graph.offsets = HostBuffer<std::int64_t>(vertices + 1, 0);
    for (const PackedEdge& edge : edges)
        for_each_end(edge.unpack(), direction, [&](Vertex v, Vertex) { ++graph.offsets[static_cast<std::size_t>(v)]; });
    std::exclusive_scan(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin(), std::int64_t{0});

    // Each list is filled from its start, and its offset advances; at the end, it is where the next
    // list starts.
    graph.neighbours = HostBuffer<Neighbour>(static_cast<std::size_t>(graph.offsets[vertices]));
    for (std::size_t i = 0; i < edges.size(); ++i)
        for_each_end(edges[i].unpack(), direction, [&](Vertex v, Vertex neighbour) {
            const auto place = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]++);
            graph.neighbours[place] = {neighbour, weights.empty() ? 0 : weights[i]};
        });
    for (std::size_t v = vertices; v > 0; --v) graph.offsets[v] = graph.offsets[v - 1];
    graph.offsets[0] = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        const auto list =
            graph.neighbours.span().subspan(static_cast<std::size_t>(graph.offsets[v]),
                                            static_cast<std::size_t>(graph.offsets[v + 1] - graph.offsets[v]));
        std::ranges::sort(list, {},
                          [](const Neighbour& neighbour) { return std::pair(neighbour.vertex, neighbour.weight); });
    }
    return graph;
}

/// A buffer of bytes that are written to a file.
class Output
{
public:
    Output(const std::string& path, Compression compression) : file_(path, compression) {}

    void text(std::string_view piece)
    {
        buffer_ += piece;
        if (buffer_.size() >= kBufferBytes) flush();
    }
    void text(std::int64_t number) { text(std::to_string(number)); }
    template <typename T>
    void binary(T value)
    {
        text({reinterpret_cast<const char*>(&value), sizeof value});
    }
    void commit()
    {
        flush();
        file_.commit();
    }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

    void flush()
    {
        file_.write(buffer_);
        buffer_.clear();
    }

    OutputFile file_;
    std::string buffer_;
};

class AdjacencyEncoder : public Encoder
{
public:
    AdjacencyEncoder(FileFormat format, const std::string& path, const GraphHeader& header)
        : format_(format),
          header_(header),
          output_(path, is_text(format) ? compression_of(path) : Compression::none),
          edges_(static_cast<std::size_t>(header.edge_count)),
          weights_(header.weights == WeightKind::int32 ? static_cast<std::size_t>(header.edge_count) : 0)
    {
    }

    void append(std::span<const PackedEdge> edges, const WeightSpan& weights) override
    {
        std::ranges::copy(edges, edges_.begin() + held_);
        if (const auto* integers = std::get_if<std::span<const std::int32_t>>(&weights))
            std::ranges::copy(*integers, weights_.begin() + held_);
        held_ += edges.size();
    }

    void commit() override
    {
        if (format_ == FileFormat::metis) {
            write_metis(sorted(Direction::both));
        } else {
            Adjacency graph = sorted(header_.directed ? Direction::out : Direction::both);
            output_.binary(static_cast<std::uint8_t>(header_.directed ? 1 : 0));
            output_.binary(static_cast<std::int64_t>(graph.neighbours.size()));
            output_.binary(static_cast<std::int64_t>(header_.vertex_count));
            write_rows(graph);
            if (header_.directed) {
                graph = {};  // only one direction is in memory at a time
                write_rows(sorted(Direction::in));
            }
        }
        output_.commit();
    }

private:
    [[nodiscard]] Adjacency sorted(Direction direction) const
    {
        return sort_by_vertex(header_.vertex_count, edges_.span(), weights_.span(), direction);
    }

    void write_metis(const Adjacency& graph)
    {
        const bool weighted = header_.weights == WeightKind::int32;
        output_.text(std::to_string(header_.vertex_count) + ' ' + std::to_string(header_.edge_count) +
                     (weighted ? " 001\n" : "\n"));
        for (Vertex v = 0; v < header_.vertex_count; ++v) {
            std::string_view separator;
            for (const Neighbour& neighbour : graph.of(v)) {
                output_.text(separator);
                output_.text(neighbour.vertex + 1);
                separator = " ";
                if (!weighted) continue;
                output_.text(" ");
                output_.text(std::int64_t{neighbour.weight});
            }
            output_.text("\n");
        }
    }

    void write_rows(const Adjacency& graph)
    {
        for (const std::int64_t offset : graph.offsets) output_.binary(offset);
        for (const Neighbour& neighbour : graph.neighbours) {
            output_.binary(static_cast<std::int32_t>(neighbour.vertex));
            if (format_ == FileFormat::gapbs_wsg) output_.binary(neighbour.weight);
        }
    }

    FileFormat format_;
    GraphHeader header_;
    Output output_;
    HostBuffer<PackedEdge> edges_;
    HostBuffer<std::int32_t> weights_;
    std::size_t held_ = 0;
};

[[noreturn]] void refuse(const std::string& path, const std::string& reason)
{
    throw InputError(path + ": " + reason);
}

}  // namespace

std::size_t adjacency_encoder_bytes(const GraphHeader& header)
{
    const auto edges = static_cast<std::size_t>(header.edge_count);
    const std::size_t edge_bytes =
        sizeof(PackedEdge) + (header.weights == WeightKind::int32 ? sizeof(std::int32_t) : 0);
    // The lists of the two directions of a directed graph are made one after the other.
    const std::size_t neighbours = header.directed ? edges : 2 * edges;
    const std::size_t offsets = static_cast<std::size_t>(header.vertex_count) + 1;
    return edges * edge_bytes + neighbours * sizeof(Neighbour) + offsets * sizeof(std::int64_t);
}

std::unique_ptr<Encoder> make_adjacency_encoder(FileFormat format, const std::string& path, const GraphHeader& header)
{
    if (header.weights > WeightKind::int64)
        refuse(path, std::string(name_of(format)) +
                         " files hold whole weights, and this graph's are floats; write .mtx, .wel or .tuples instead");
    if (header.weights == WeightKind::int64)
        refuse(path, std::string(name_of(format)) +
                         " files hold weights of 32 bits, and this graph's have 64; write .gr, .mtx or .wel instead");
    if (format == FileFormat::metis && header.directed)
        refuse(path, "METIS files hold undirected graphs, and this one is directed (--undirected makes it undirected)");
    if (format == FileFormat::gapbs_sg && header.weights != WeightKind::none)
        refuse(path, "GAPBS .sg files hold no weights, and this graph has some; write .wsg");
    if (format == FileFormat::gapbs_wsg && header.weights == WeightKind::none)
        refuse(path, "GAPBS .wsg files hold weights, and this graph has none; write .sg");
    if (format != FileFormat::metis && header.vertex_count > std::numeric_limits<std::int32_t>::max())
        refuse(path,
               "GAPBS files hold up to 2147483647 vertices, and this graph has " + std::to_string(header.vertex_count));
    return std::make_unique<AdjacencyEncoder>(format, path, header);
}

}  // namespace wayfront::io
