// Describes a run, namely its graph, machine and options, for summaries and for --json.
#pragma once

#include <string>

#include "app/io/graph_input.hpp"
#include "app/io/json.hpp"
#include "app/search/bfs_searches.hpp"
#include "comm/process_grid.hpp"
#include "job/job.hpp"

namespace wayfront::app {

std::string to_string(comm::GridShape shape);

/// {"name": ..., "format": ..., "vertices": ..., "edges": ..., "directed": ..., "direction_from":
/// ..., "reversed": ..., "compact": ..., "first_vertex": ...}
Json graph_facts(const LoadedGraph& graph);

/// {"ranks": ..., "threads": ..., "grid": ..., "engine": ..., "direction": ..., "alpha": ...,
/// "beta": ..., "exchange": ...}; if GPUs search, also "device", "transport", and "graph_bytes" and
/// "state_bytes" of the rank that has the most. Collective.
Json search_facts(const job::Job& job, comm::GridShape grid, const BfsFacts& facts);

/// The same for any algorithm, whose own facts are placed between "engine" and "device".
/// Collective.
Json search_facts(const job::Job& job, comm::GridShape grid, const EngineFacts& facts, const Json& of_algorithm);

/// The beginning of a --json file: {"wayfront": VERSION, "command": NAME}.
Json json_head(const char* command);

/// Rank 0 writes `document` to `path` unless `path` is empty. Collective.
void write_json(const job::Job& job, const std::string& path, const Json& document);

/// "directed" or "undirected", with the reason if the direction was assumed.
std::string direction_in_words(const LoadedGraph& graph);

/// "123 vertices, 456 edges, directed", with "reversed" if --reverse turned the edges around.
std::string graph_in_words(const LoadedGraph& graph);

/// "cpu engine, 4 ranks (grid 4x1), 2 threads per rank"; "gpu engine (NVIDIA H200), ...".
std::string search_in_words(const job::Job& job, comm::GridShape grid, const EngineFacts& facts);

}  // namespace wayfront::app
