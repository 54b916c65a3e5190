// Which graph format a file is in, determined by its extension.
//
//   .gr                                 DIMACS: shortest paths (`p sp`), tree width (`p tw`), colouring (`p edge`, `p col`)
//   .mtx                                Matrix Market, coordinate
//   .txt .el .wel .edges .tsv           edge list, as SNAP writes it: `source target [weight]`
//   .csv                                the same with commas, below a row of column names
//   .graph                              METIS
//   .sg .wsg                            GAPBS serialized graph, without and with weights
//   .tuples                             Graph500 tuples; weights in a second file, NAME.tuples.weights
//
// A text format may be compressed: .gz, .xz or .zst follows the extension. Extensions may be in upper case.
#pragma once

#include <string>
#include <string_view>

namespace wayfront {

enum class FileFormat { dimacs, matrix_market, edge_list, csv, metis, gapbs_sg, gapbs_wsg, tuples };

enum class Compression { none, gzip, xz, zstd };

/// The format that the name of `path` says. Throws InputError, which lists the extensions that are known, for any other name, for a binary format
/// with the extension of a compressed file, and for GraphML and its like, with a command that converts them.
FileFormat format_of(const std::string& path);

/// What the last extension of `path` says, whatever the format.
Compression compression_of(const std::string& path);

/// `path` without the extension of a compressed file, if it has one.
std::string_view without_compression(std::string_view path);

/// True where lines make the format; only these are read and written compressed.
bool is_text(FileFormat format);

/// True for edge lists, CSV ones included: the files whose vertices may be numbered from 0 or from 1.
bool is_edge_list(FileFormat format);

/// What a format calls the first vertex; edge lists may say otherwise.
int first_vertex_of(FileFormat format);

/// True if `path`, without the extension of a compressed file, ends with `extension`, in any case.
bool has_extension(std::string_view path, std::string_view extension);

/// "DIMACS", "Matrix Market", ...: for messages.
const char* name_of(FileFormat format);

}  // namespace wayfront
