// The format of a graph file, determined by its extension.
//
//   .gr                              DIMACS: shortest paths (`p sp`), tree width (`p tw`),
//                                    colouring (`p edge`, `p col`)
//   .mtx                             Matrix Market, coordinate
//   .txt .el .wel .edges .tsv        edge list, as SNAP writes it: `source target [weight]`
//   .csv                             the same with commas, below a row of column names
//   .graph                           METIS
//   .sg .wsg                         GAPBS serialized graph, without and with weights
//   .tuples                          Graph500 tuples; weights in a second file, NAME.tuples.weights
//
// A text format may be compressed: .gz, .xz or .zst follows the extension. Extensions may be in
// upper case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wayfront {

enum class FileFormat { dimacs, matrix_market, edge_list, csv, metis, gapbs_sg, gapbs_wsg, tuples, graphml, gml };

enum class Compression { none, gzip, xz, zstd };

/// The format that the extension of `path` names. Throws InputError for any other extension, with a
/// list of the known ones; for a binary format with the extension of a compressed file; and for
/// GEXF, with a command that converts it.
FileFormat format_of(const std::string& path);

/// Whether the extension of `path` names a format, read or not.
[[nodiscard]] bool has_known_extension(const std::string& path);

/// The extensions of the formats that are read and written, without the dot: "gr", "mtx", ...
[[nodiscard]] std::vector<std::string> graph_extensions();

/// The compression that the last extension of `path` names, for files of any format.
Compression compression_of(const std::string& path);

/// `path` without the extension of a compressed file, if it has one.
std::string_view without_compression(std::string_view path);

/// Whether the format is a text. Only such formats are read and written compressed.
bool is_text(FileFormat format);

/// Whether the format has names of vertices, declares them, and is not cut into shares: GraphML and
/// GML. Such formats are not written.
bool declares_names(FileFormat format);

/// Whether the format is an edge list, CSV included. The vertices of such files may be numbered
/// from 0 or from 1.
bool is_edge_list(FileFormat format);

/// Whether a file says how many vertices the graph has. Readers of other files count up to the
/// largest vertex of an edge.
bool records_vertex_count(FileFormat format);

/// The number of the first vertex in a format; the header of an edge list may give another one.
int first_vertex_of(FileFormat format);

/// Whether `text` ends with `ending`, which is in lower case, in upper or lower case.
bool ends_with_any_case(std::string_view text, std::string_view ending);

/// Whether `path`, without the extension of a compressed file, ends with `extension` in upper or
/// lower case.
bool has_extension(std::string_view path, std::string_view extension);

/// The name of a format for messages: "DIMACS", "Matrix Market", ...
const char* name_of(FileFormat format);

}  // namespace wayfront
