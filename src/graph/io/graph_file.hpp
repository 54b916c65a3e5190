// Reading and writing graph files.
//
// Reading. A file is read in shares, one a rank: read_graph_share(path, {.part = rank, .parts = ranks}) parses about 1/parts of its bytes, cut
// between lines or records, with all threads of the rank. A compressed file cannot be cut: part 0 reads it whole and the others get an empty
// share. No function here communicates. What a share knows of the whole graph is in its ShareFacts, a plain struct: ranks gather each other's
// (as bytes), fold them with merge(), and hand the sum to
//     check_totals(path, all);     // header against contents; the same answer on every rank
//     adopt(share, all);           // the vertex count, directedness and kind of weights that all agree on
//
//     const GraphShare mine = read_graph_share(path, options);      read_graph(path) does the same for a single process
//     const ShareFacts all = allgather-and-merge(mine.facts);
//
// Vertices are counted from 0 in memory, whatever the file does; facts.first_vertex says what it calls the first one.
//
// What becomes of the formats (docs/formats.md has the details):
//   DIMACS         `p sp`: directed arcs, int32 weights; `p tw`, `p edge`, `p col`: undirected, no weights
//   Matrix Market  coordinate; general: directed; symmetric: undirected; pattern: no weights, integer: int32, real and double: float
//   edge list      as its header says, otherwise directed; no weights, int32, or float if any weight of the file has a point or an exponent; as many
//                  vertices as the header says, and at least 1 + the largest
//   METIS          undirected, int32 weights or none; vertex weights and sizes are skipped; each edge stands twice in the file, once in memory
//   GAPBS          as the file says; .wsg int32 weights. An undirected edge stands twice in the file, once in memory
//   tuples         undirected, float weights where NAME.weights exists; 1 + largest vertex are there
// Negative weights are read; NaN and infinities are not. Loops and repeated edges are kept.
//
// Errors: InputError for everything that is wrong with a file, `path:line:column: expected ..., found '...'` for a text; ResourceError where memory
// lacks. A header's counts are believed only as far as the file's bytes bear them out; memory follows the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "graph/edge_list.hpp"
#include "graph/io/file_format.hpp"

namespace wayfront {

/// What a file's weights are; the larger of two is the kind that can hold both.
enum class WeightKind : std::uint8_t { none = 0, int32 = 1, float32 = 2 };

WeightKind weight_kind(const Weights& weights);

struct ReadOptions
{
    std::optional<FileFormat> format{};  // not given: what the name says
    int part = 0;
    int parts = 1;
    int threads = 0;  // 0: as many as OpenMP wants
    /// What an edge list calls its first vertex, 0 or 1, whatever its header says. Other formats have a rule of their own.
    std::optional<Vertex> first_vertex{};
    /// Where set, is told the bytes that the share's edges and weights can take, before they are asked for; what it throws ends the reading.
    std::function<void(std::size_t)> before_memory{};
};

/// What one share, or several merged, knows of a graph file. Trivially copyable, so that ranks can exchange it as bytes.
struct ShareFacts
{
    bool known = false;  // false: this share saw nothing of the file (a compressed file and a part other than 0)
    bool directed = false;
    bool direction_told = true;       // false: an edge list that does not say whether it is directed, and is taken as it
    bool timestamps = false;          // an edge list had a fourth column, which was skipped
    bool vertex_count_known = false;  // the file says how many vertices there are; otherwise 1 + the largest seen
    WeightKind weights = WeightKind::none;
    FileFormat format = FileFormat::edge_list;
    Vertex vertex_count = 0;
    std::int64_t first_vertex = 0;     // what the file calls the first vertex: 0 or 1
    Vertex right_vertices = 0;         // of a bipartite KONECT file: the last vertices of the list, which the file numbers from 1 once more
    EdgeCount declared_edges = -1;     // edges that the header promises, counted as the header counts; -1: it does not
    EdgeCount seen_edges = 0;          // edges of this share, counted as the header counts
    std::int64_t header_line = 0;      // where the counts stand, from 1; 0 in a binary file
    std::uint64_t mirror_balance = 0;  // undirected edges that stand twice: hashes of edges read forward less those read backward; 0 over all shares
};
static_assert(std::is_trivially_copyable_v<ShareFacts>);

/// The facts of two shares of one file together. Associative and commutative; ShareFacts{} changes nothing.
ShareFacts merge(const ShareFacts& a, const ShareFacts& b);

/// Throws InputError where the shares together do not hold what the header promises.
void check_totals(const std::string& path, const ShareFacts& all);

struct GraphShare
{
    EdgeList list;
    ShareFacts facts;
};

/// Makes a share agree with the whole: vertex count, directedness, and weights of the common kind (int32 become float where another share has
/// floats).
void adopt(GraphShare& share, const ShareFacts& all);

/// Weights of the kind `kind`, which is not below their own; of none, only no weights can be made.
void promote_weights(EdgeList& list, WeightKind kind);

/// False for what only one process can read: compressed files, and pipes.
bool can_be_shared(const std::string& path);

/// Reads one share of a file.
GraphShare read_graph_share(const std::string& path, const ReadOptions& options = {});

/// Reads a whole file in one process and checks its totals.
GraphShare read_graph(const std::string& path, std::optional<FileFormat> format = {}, int threads = 0);

/// Parses a share of a text that is in memory; `name` stands for the path in messages. Pre: is_text(format).
GraphShare parse_text(FileFormat format, std::string_view text, std::string_view name, const ReadOptions& options = {});

}  // namespace wayfront
