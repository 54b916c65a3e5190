// Writes DIMACS, Matrix Market and edge list files: a header, then one line per edge.
#include <algorithm>
#include <charconv>
#include <concepts>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "graph/io/encoders.hpp"

namespace wayfront::io {

namespace {

/// A buffer of text that is written to a file.
class LineBuffer
{
public:
    explicit LineBuffer(OutputFile file) : file_(std::move(file)) { text_.resize(kBufferBytes); }

    /// Begins a line of up to kLineBytes.
    void reserve_line()
    {
        if (text_.size() - used_ < kLineBytes) flush();
    }
    void put(char c) { text_[used_++] = c; }
    void put(std::string_view text)
    {
        std::ranges::copy(text, at());
        used_ += text.size();
    }
    void put(std::int64_t number)
    {
        used_ = static_cast<std::size_t>(std::to_chars(at(), end(), number).ptr - text_.data());
    }
    void put(std::int32_t number) { put(std::int64_t{number}); }
    /// Writes the shortest text that is read back as the same float, bit by bit.
    void put(std::floating_point auto number)
    {
        used_ = static_cast<std::size_t>(std::to_chars(at(), end(), number).ptr - text_.data());
    }
    /// Writes a float so that it is recognised as a float, even if it is whole.
    void put_real(std::floating_point auto number)
    {
        const std::size_t first = used_;
        put(number);
        if (std::string_view(text_.data() + first, used_ - first).find_first_of(".e") == std::string_view::npos)
            put(".0");
    }

    void flush()
    {
        file_.write({text_.data(), used_});
        used_ = 0;
    }
    void commit()
    {
        flush();
        file_.commit();
    }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
    static constexpr std::size_t kLineBytes = 256;

    char* at() { return text_.data() + used_; }
    char* end() { return text_.data() + text_.size(); }

    OutputFile file_;
    std::string text_;
    std::size_t used_ = 0;
};

/// The form of an edge's line.
struct LineStyle
{
    std::string header{};
    std::string_view marker{};  // before each edge
    char separator = ' ';
    Vertex first_vertex = 1;       // the number of the first vertex in the file
    bool both_directions = false;  // each edge has two lines, one per direction
    bool lower_triangle = false;   // the larger vertex comes first
    bool show_reals = false;       // whole floats are written with a point
};

[[noreturn]] void refuse(const std::string& path, const std::string& reason)
{
    throw InputError(path + ": " + reason);
}

LineStyle dimacs_style(const std::string& path, const GraphHeader& header)
{
    const std::string vertices = std::to_string(header.vertex_count) + ' ';
    if (header.weights > WeightKind::int64)
        refuse(path,
               "DIMACS files hold whole weights, and this graph's are floats; write .mtx, .wel or .tuples instead");
    if (header.weights == WeightKind::none) {
        if (header.directed)
            refuse(path,
                   "DIMACS files of directed graphs hold weights, and this graph has none; give it some (--weights), "
                   "or write .mtx or .el");
        return {.header = "p tw " + vertices + std::to_string(header.edge_count) + '\n'};
    }
    const EdgeCount arcs = header.directed ? header.edge_count : 2 * header.edge_count;
    return {.header = "p sp " + vertices + std::to_string(arcs) + '\n',
            .marker = "a ",
            .both_directions = !header.directed};
}

LineStyle matrix_market_style(const GraphHeader& header)
{
    const char* const field = header.weights == WeightKind::none ? "pattern"
                              : is_whole(header.weights)         ? "integer"
                                                                 : "real";
    const std::string vertices = std::to_string(header.vertex_count) + ' ';
    return {.header = std::string("%%MatrixMarket matrix coordinate ") + field +
                      (header.directed ? " general\n" : " symmetric\n") + vertices + vertices +
                      std::to_string(header.edge_count) + '\n',
            .lower_triangle = !header.directed};
}

LineStyle edge_list_style(const GraphHeader& header)
{
    return {.header = std::string(header.directed ? "# Directed" : "# Undirected") + " graph: source target" +
                      (header.weights == WeightKind::none ? "" : " weight") + "\n# Nodes: " +
                      std::to_string(header.vertex_count) + " Edges: " + std::to_string(header.edge_count) + '\n' +
                      (header.first_vertex == 0
                           ? ""
                           : "# Vertices are numbered from " + std::to_string(header.first_vertex) + '\n'),
            .first_vertex = header.first_vertex,
            .show_reals = true};
}

LineStyle csv_style(const GraphHeader& header)
{
    return {.header = std::string("source,target") + (header.weights == WeightKind::none ? "\n" : ",weight\n"),
            .separator = ',',
            .first_vertex = header.first_vertex,
            .show_reals = true};
}

LineStyle style_of(FileFormat format, const std::string& path, const GraphHeader& header)
{
    if (format == FileFormat::dimacs) return dimacs_style(path, header);
    if (format == FileFormat::csv) return csv_style(header);
    return format == FileFormat::matrix_market ? matrix_market_style(header) : edge_list_style(header);
}

class LineEncoder : public Encoder
{
public:
    LineEncoder(const std::string& path, LineStyle style)
        : style_(std::move(style)), buffer_(OutputFile(path, compression_of(path)))
    {
        buffer_.put(style_.header);
    }

    void append(std::span<const PackedEdge> edges, const WeightSpan& weights) override
    {
        std::visit([&](const auto& kind) { append_lines(edges, kind); }, weights);
    }

    void commit() override { buffer_.commit(); }

private:
    template <typename Kind>
    void append_lines(std::span<const PackedEdge> edges, const Kind& weights)
    {
        for (std::size_t i = 0; i < edges.size(); ++i) {
            Vertex source = edges[i].source() + style_.first_vertex;
            Vertex target = edges[i].target() + style_.first_vertex;
            if (style_.lower_triangle && source < target) std::swap(source, target);
            put_line(source, target, weights, i);
            if (style_.both_directions) put_line(target, source, weights, i);
        }
    }

    template <typename Kind>
    void put_line(Vertex source, Vertex target, const Kind& weights, [[maybe_unused]] std::size_t i)
    {
        buffer_.reserve_line();
        buffer_.put(style_.marker);
        buffer_.put(source);
        buffer_.put(style_.separator);
        buffer_.put(target);
        if constexpr (!std::is_same_v<Kind, std::monostate>) {
            buffer_.put(style_.separator);
            put_weight(weights[i]);
        }
        buffer_.put('\n');
    }

    template <typename Weight>
    void put_weight(Weight weight)
    {
        if constexpr (std::is_floating_point_v<Weight>)
            style_.show_reals ? buffer_.put_real(weight) : buffer_.put(weight);
        else
            buffer_.put(weight);
    }

    LineStyle style_;
    LineBuffer buffer_;
};

}  // namespace

std::unique_ptr<Encoder> make_line_encoder(FileFormat format, const std::string& path, const GraphHeader& header)
{
    LineStyle style = style_of(format, path, header);  // may throw, so the file is not created yet
    return std::make_unique<LineEncoder>(path, std::move(style));
}

}  // namespace wayfront::io
