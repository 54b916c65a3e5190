// Describes a run, namely its graph, machine and options, for summaries and for --json.
#pragma once

#include <optional>
#include <string>

#include "app/cli/subcommand.hpp"
#include "job/job.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

std::string to_string(comm::GridShape shape);

/// {"name": ..., "format": ..., "vertices": ..., "edges": ..., "directed": ..., "direction_from":
/// ..., "reversed": ..., "compact": ..., "named": ..., "first_vertex": ...}
session::Json graph_facts(const session::LoadedGraph& graph);

/// {"ranks": ..., "threads": ..., "grid": ..., "engine": ..., "direction": ..., "alpha": ...,
/// "beta": ..., "exchange": ..., "in_words": ...}; if GPUs search, also "device", "transport", and
/// "graph_bytes" and "state_bytes" of the rank that has the most. Collective.
session::Json search_facts(const job::Job& job, comm::GridShape grid, const session::BfsFacts& facts);

/// The same for any algorithm, whose own facts are placed between "engine" and "device". `method` is
/// that of search_in_words(). Without a grid, there is no "grid". Collective.
session::Json search_facts(const job::Job& job, std::optional<comm::GridShape> grid, const session::EngineFacts& facts,
                           const session::Json& of_algorithm, const std::string& method);

/// The beginning of a --json file, which is the same for all subcommands: {"wayfront": VERSION,
/// "command": NAME, "command_line": ..., "date": ..., "machine": {"hosts": [...], "cpu": ...}}. The
/// date is that of this call, the processor that of rank 0. Collective.
session::Json json_head(const job::Job& job, const Subcommand& command);

/// "directed" or "undirected", with the reason if the direction was assumed.
std::string direction_in_words(const session::LoadedGraph& graph);

/// "123 vertices, 456 edges, directed", with "reversed" if --reverse turned the edges around.
std::string graph_in_words(const session::LoadedGraph& graph);

/// "cpu engine, 4 ranks (grid 4x1), 2 threads per rank, by push-pull in windows of width 0.1, since
/// ..."; "gpu engine (NVIDIA H200, p2p (resident)), ...". `method` says how the engine searches, and
/// why. Without a grid, the ranks do not share the graph.
std::string search_in_words(const job::Job& job, std::optional<comm::GridShape> grid, const session::EngineFacts& facts,
                            const std::string& method);

/// The method of breadth-first searches: "top-down and bottom-up levels, as alpha 10 and beta 14
/// decide".
std::string method_in_words(const session::BfsFacts& facts);

}  // namespace wayfront::app
