// The result of a breadth-first search as a file: the level and the parent of every vertex, in the order of vertices.
//
// The form is determined by the file extension: .csv (header `vertex,level,parent`), .txt (the same, separated by blanks, header behind #), .npy
// (int64, n x 2: level, parent; row 0 is the first vertex), .json. Standard output (-) gets the form of .txt. Vertices as the input numbers them; -1
// for level and parent where not reached.
//
// Rank 0 writes. The others' parts come to it in pieces of bounded size, in the order of the file.
#pragma once

#include <span>
#include <string>

#include "algo/bfs/bfs_search.hpp"
#include "app/io/graph_input.hpp"
#include "app/job.hpp"
#include "graph/partition.hpp"

namespace wayfront::app {

/// Throws InputError for an extension that is none of these.
void check_result_extension(const std::string& path);

/// What the help says of the extensions.
inline constexpr const char* kResultExtensions =
    ".txt, .csv (vertex,level,parent), .npy (int64, n x 2: level, parent) or .json, or - for standard output; -1: not reached";

/// Collective. Throws an AgreedError, and leaves no half file, where it cannot be written.
void write_bfs_result(const Job& job, const std::string& path, const LoadedGraph& input, const Partition& partition, Vertex source,
                      std::span<const std::int32_t> levels, const VertexArray& parents);

}  // namespace wayfront::app
