// Collects the vertices and edges of formats that declare both and name the vertices: GraphML and
// GML. Their readers pass them one by one.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/io/graph_file.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

/// The number of occurrences of a key or a tag in a text: of `word` before a blank, a line's end or `[`.
[[nodiscard]] std::size_t count_words(std::string_view text, std::string_view word);

/// The sizes of a graph that its text declares; it may have more.
struct ExpectedSizes
{
    std::size_t vertices = 0;
    std::size_t edges = 0;
    std::size_t reader_bytes = 0;  // the memory of the reader beside the graph
};

class DeclaredGraph
{
public:
    /// Reserves room for the edges. `path` and `options` outlive the object. Calls
    /// options.before_memory with the memory of the graph and its reader, and throws what it throws.
    DeclaredGraph(std::string_view path, const ReadOptions& options, const ExpectedSizes& expected);

    /// Throws InputError if the vertex is there already.
    void add_vertex(std::string_view name, TextPlace place);
    /// The vertices at the ends may be added later. A weight is a number as text; either all edges
    /// have weights, or none. Throws InputError.
    void add_edge(std::string_view source, std::string_view target, std::optional<std::string_view> weight,
                  TextPlace place);

    /// Throws InputError if an edge ends at a vertex that is not there.
    [[nodiscard]] GraphShare finish(bool directed);

private:
    [[nodiscard]] std::size_t place_of(std::string_view name, TextPlace place);
    void reserve(std::size_t edges, std::size_t other_bytes);
    void add_weight(std::string_view text, TextPlace place);
    void make_real();
    [[nodiscard]] Weights weights() const;

    std::string_view path_;
    const ReadOptions& options_;
    NameTable names_;
    std::vector<bool> added_;                                // by place in names_
    std::unordered_map<std::size_t, TextPlace> only_named_;  // places in names_ that edges alone have, so far
    HostBuffer<PackedEdge> edges_;                           // the first edge_count_ are edges
    std::size_t edge_count_ = 0;
    bool real_ = false;                // whether one of the weights is no whole number
    std::vector<std::int64_t> whole_;  // the weights until then
    std::vector<float> singles_;       // all weights from then on; or
    std::vector<double> doubles_;      // with options.double_precision
    ReadNotes notes_;
};

}  // namespace wayfront::io
