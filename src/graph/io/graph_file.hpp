// Reads and writes graph files.
//
// Reading. A file is read in shares, one per rank: read_graph_share(path, {.part = rank, .parts =
// ranks}) parses about 1/parts of its bytes, cut between lines or records, with all threads of the
// rank. A compressed file cannot be cut: part 0 reads the whole file, and the other parts get an
// empty share. No function here communicates. A share's knowledge of the whole graph is in its
// ShareFacts, a plain struct. The ranks gather each other's facts (as bytes), combine them with
// merge(), and pass the result to
//     check_totals(path, all);     // header against contents; the same result on every rank
//     adopt(share, all);           // vertex count, direction, weights of the whole graph
//
//     const GraphShare mine = read_graph_share(path, options);
//     const ShareFacts all = allgather-and-merge(mine.facts);
//
// read_graph(path) does the same for a single process.
//
// In memory, vertices are numbered from 0 in all formats; facts.first_vertex is the number of the
// first vertex in the file. If facts.named, the edges of a share store names (vertex_names.hpp), and
// the caller numbers the vertices when it has the names of all shares.
//
// How each format is read (docs/formats.md has the details):
//   DIMACS         `p sp`: directed arcs, whole weights; `p tw`, `p edge`, `p col`: undirected, no
//                  weights
//   Matrix Market  coordinate; general: directed; symmetric: undirected; pattern: no weights;
//                  integer: whole weights; real and double: float
//   edge list      as its header says, otherwise directed; no weights, whole ones, or float if any
//                  weight has a point or an exponent; as many vertices as the header says, and at
//                  least 1 + the largest
//   METIS          undirected, int32 weights or none; vertex weights and sizes skipped; each edge
//                  is twice in the file, once in memory
//   GAPBS          as the file says; .wsg int32 weights; each undirected edge is twice in the file,
//                  once in memory
//   GraphML, GML   as the file says; names of vertices; weights of text as in edge lists
//   tuples         undirected, float weights if NAME.weights exists; 1 + the largest vertex
// Whole weights are int32 if all of them fit, otherwise int64; floats are double if the options say
// so. Negative weights are read; NaN and infinities are refused. Loops and repeated edges are kept.
//
// Errors: InputError for every fault of a file, with `path:line:column: expected ..., found '...'`
// for a text; ResourceError if memory does not suffice. The counts in a header are trusted only as
// far as the size of the file agrees with them; memory is allocated by the size of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/progress_listener.hpp"
#include "graph/edge_list.hpp"
#include "graph/io/file_format.hpp"
#include "graph/large_numbers.hpp"
#include "graph/vertex_names.hpp"

namespace wayfront {

/// The kind of a file's weights, in the order of the alternatives of `Weights`. Weights of two
/// kinds together are of the larger kind.
enum class WeightKind : std::uint8_t { none, int32, int64, float32, float64 };

WeightKind weight_kind(const Weights& weights);
/// The name of a kind: "int32".
[[nodiscard]] std::string_view name_of(WeightKind kind);
/// The bytes that a weight takes in memory.
[[nodiscard]] std::size_t bytes_of(WeightKind kind);
/// Uninitialised weights of a kind; no buffer for none.
[[nodiscard]] Weights weight_buffer(WeightKind kind, std::size_t count);
[[nodiscard]] inline bool is_whole(WeightKind kind)
{
    return kind == WeightKind::int32 || kind == WeightKind::int64;
}

/// The columns of an edge list that hold sources, targets and weights: names, or numbers from 1;
/// empty: as the file names them, or in this order. The weights can be "none".
struct ColumnChoice
{
    std::string source{};
    std::string target{};
    std::string weight{};

    [[nodiscard]] bool any() const { return !source.empty() || !target.empty() || !weight.empty(); }
};

struct ReadOptions
{
    std::optional<FileFormat> format{};  // without a value: by the name of the file
    int part = 0;
    int parts = 1;
    int threads = 0;  // 0: as OpenMP chooses
    // Weights of text files that are not whole numbers are float64, not float32.
    bool double_precision = false;
    /// The number of the first vertex of an edge list, 0 or 1, which overrides the header. Other
    /// formats determine it themselves.
    std::optional<Vertex> first_vertex{};
    ColumnChoice columns{};
    /// Whether the vertices of an edge list may have any number up to 2^63 - 1 (large_numbers.hpp);
    /// those on the sides of a bipartite graph may not.
    bool large_numbers = false;
    /// Whether the ends of the edges of an edge list are names, also those that could be numbers. If
    /// not, they are names if both ends of the first edge begin with letters.
    bool names = false;
    /// If set, the function is called with the largest number of bytes that the share takes in
    /// memory, before they are allocated: edges, weights, and the text of a compressed file or of a
    /// pipe. An exception that it throws ends the reading.
    std::function<void(std::size_t)> before_memory{};
    // If set, is informed of the bytes that are unpacked, scanned and read.
    ProgressListener* progress = nullptr;
};

/// Actions of a reader that users may not expect.
struct ReadNotes
{
    bool timestamps = false;     // a column of an edge list holds times, and was skipped
    bool node_lines = false;     // lines about vertices were skipped
    bool lost_digits = false;    // weights have digits that their type does not keep
    bool counts_line = false;    // the first line of an edge list has the numbers of vertices and edges
    bool may_be_counts = false;  // the first line may have these numbers, but is read as an edge
    bool times_as_weights = false;
    bool matrix = false;    // an edge list may be an adjacency matrix
    bool left_out = false;  // a column was not read
    // The first line of an edge list is that of the columns, though it might be an edge of names, or
    // has no usual names.
    bool row_of_columns = false;
    bool row_is_edge = false;     // the first line could be that of the columns, but is an edge
    bool vertex_numbers = false;  // the lines of vertices begin with their sizes or weights (METIS)

    ReadNotes& operator|=(const ReadNotes& other)
    {
        timestamps = timestamps || other.timestamps;
        node_lines = node_lines || other.node_lines;
        lost_digits = lost_digits || other.lost_digits;
        counts_line = counts_line || other.counts_line;
        may_be_counts = may_be_counts || other.may_be_counts;
        times_as_weights = times_as_weights || other.times_as_weights;
        matrix = matrix || other.matrix;
        left_out = left_out || other.left_out;
        row_of_columns = row_of_columns || other.row_of_columns;
        row_is_edge = row_is_edge || other.row_is_edge;
        vertex_numbers = vertex_numbers || other.vertex_numbers;
        return *this;
    }
};

/// The first line of an edge list that may be an edge or, if it agrees with the other lines, the
/// numbers of vertices and edges: `vertices edges`, or `vertices vertices edges`
/// (read_edge_list.cpp).
struct FirstLine
{
    bool present = false;
    bool joins_next = false;    // the second line begins or ends at one of its numbers
    bool has_weight = false;    // the first line has three numbers
    bool no_edge = false;       // only the first line has a weight, or only the other lines have weights
    bool read_as_edge = false;  // if the other lines can agree by chance
    Vertex source = 0;          // counted from 0, as vertices are
    Vertex target = 0;
    EdgeCount edges = 0;  // its last number

    /// Whether no share has read the line as an edge.
    [[nodiscard]] bool is_apart() const { return present && !read_as_edge; }
};

/// The facts about a graph file that are known from one share, or from several merged ones.
/// Trivially copyable, so that ranks can exchange them as bytes.
struct ShareFacts
{
    bool known = false;  // false: this share read nothing (part > 0 of a compressed file)
    int part = 0;        // the number of a share; merged facts have none
    bool directed = false;
    // False for an edge list without a direction, which counts as directed.
    bool direction_known = true;
    ReadNotes notes{};
    bool named = false;               // whether edges store names (vertex_names.hpp); then vertex_count is 0
    bool vertex_count_known = false;  // false: the count is 1 + the largest vertex seen
    WeightKind weights = WeightKind::none;
    FileFormat format = FileFormat::edge_list;
    Vertex vertex_count = 0;
    std::int64_t first_vertex = 0;  // the number of the first vertex in the file: 0 or 1
    // Only of bipartite KONECT files: the number of vertices on the right, which the file numbers from 1 again.
    Vertex right_vertices = 0;
    // Edges by the header, counted in its way; -1 if the header has no count.
    EdgeCount declared_edges = -1;
    bool declared_at_least = false;  // whether there may be more edges than the header says
    FirstLine first_line{};
    EdgeCount seen_edges = 0;      // edges of this share, counted in the header's way
    std::int64_t header_line = 0;  // the line of the header's counts, from 1; 0 in a binary file
    // If the file holds each undirected edge twice: the sum of the hashes of the edges read forward
    // minus that of the edges read backward; over all shares, these add up to 0.
    std::uint64_t mirror_balance = 0;
};
static_assert(std::is_trivially_copyable_v<ShareFacts>);

/// Merges the facts of two shares of one file. The operation is associative and commutative;
/// ShareFacts{} is its neutral element.
ShareFacts merge(const ShareFacts& a, const ShareFacts& b);

/// Throws InputError if the shares together do not have what the header declares. Decides what the
/// first line of an edge list means if it may be the numbers of vertices and edges; throws
/// InputError if it may be either.
void check_totals(const std::string& path, ShareFacts& all);

struct GraphShare
{
    EdgeList list;
    ShareFacts facts;
    LargeNumbers large_numbers{};  // without lists unless the options allow large numbers
    BlockNames names{};            // without tables unless facts.named
};

/// Gives a share the vertex count and the direction of the whole graph, and converts its weights to
/// the common kind. If they lose digits, share.facts.notes says so.
void adopt(GraphShare& share, const ShareFacts& all);

/// Converts the weights of `list` to `kind`, which is not below their own kind. Throws
/// InputError if the list has edges without weights and `kind` is a kind of weights. Returns
/// whether all weights keep their digits.
bool promote_weights(EdgeList& list, WeightKind kind);

/// False for inputs that only one process can read: compressed files, pipes, and standard input.
bool can_be_shared(const std::string& path);

/// The format of an input: by the extension of its name or, if it is not known, by a banner or a
/// header in a regular file. Throws InputError, as format_of().
[[nodiscard]] FileFormat input_format_of(const std::string& path);

/// Reads one share of a file.
GraphShare read_graph_share(const std::string& path, const ReadOptions& options = {});

/// Reads a whole file in one process and checks its totals.
GraphShare read_graph(const std::string& path, std::optional<FileFormat> format = {}, int threads = 0);

/// Parses a share of a text in memory. Messages use `name` in place of the path. Pre:
/// is_text(format).
GraphShare parse_text(FileFormat format, std::string_view text, std::string_view name, const ReadOptions& options = {});

}  // namespace wayfront
