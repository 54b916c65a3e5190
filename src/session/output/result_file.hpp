// The result of a search as a file: a value (a level or a distance) and the parent of every vertex,
// and after a search from several sources the nearest one, in the order of vertices.
//
// The form is determined by the file extension, and standard output (-) gets the form of .txt:
//   .csv    with the header `vertex,VALUE,parent`, and `,source` for the nearest source
//   .txt    the same, separated by blanks, with the header behind #
//   .npy    an n x 2 array of values and parents, whose row 0 is the first vertex: int64, or
//           float64 if the values are floating-point numbers; n x 3 with the nearest sources
//   .parquet the columns of .csv (parquet_table.hpp), null if a vertex was not reached
//   .json   an object with the source, or the sources, and the rows
// Vertices have the input's numbers or names, in .npy numbers. The parent of a vertex that was not reached, and its
// nearest source, is -1. Its level is -1, too; its distance is `inf` in text, null in JSON, and in .npy -1 among whole
// numbers and infinity among others.
//
// Rank 0 writes. The others send their parts in pieces of bounded size, in the order of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "graph/distances.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::session {

/// Levels or distances, of a rank's vertices by local number.
struct ResultValues
{
    const char* name;  // "level", "distance"
    std::variant<std::span<const std::int32_t>, std::span<const std::uint32_t>, std::span<const std::int64_t>,
                 std::span<const float>, std::span<const double>>
        values;
};

/// The result of a search: what each rank has of its vertices, by local number.
struct SearchResult
{
    std::span<const Vertex> sources;
    ResultValues values;
    const VertexArray& parents;
    const VertexArray* nearest = nullptr;  // the nearest sources; null if there is one source
};

/// -1 if not reached.
[[nodiscard]] ResultValues as_values(std::span<const std::int32_t> levels);
[[nodiscard]] ResultValues as_values(const Distances& distances);

/// Throws InputError for an extension that is none of these.
void check_result_extension(const std::string& path);

/// Throws an AgreedError if the form of `path` rounds numbers of vertices. `real`: whether values are
/// floating-point numbers. Collective.
void require_exact_numbers(const job::Job& job, const std::string& path, const LoadedGraph& input, bool real);

/// Throws an AgreedError if the disk has no space for `files` files like the one at `path`. The size of text is a lower
/// bound. `nearest`: whether the files have the nearest sources. Collective.
void require_result_space(const job::Job& job, const std::string& path, const LoadedGraph& input, bool nearest,
                          std::size_t files);

/// Writes the result of a search. If it cannot be written, throws an AgreedError and leaves no
/// unfinished file. Collective.
void write_result(const job::Job& job, const std::string& path, const LoadedGraph& input, const Partition& partition,
                  const SearchResult& result);

}  // namespace wayfront::session
