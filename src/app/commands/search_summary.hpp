// Lines that all subcommands that search from sources print.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/input/graph_input.hpp"

namespace wayfront::app {

/// Prints the graph, how it is searched (search_in_words), and the times of loading and construction.
void print_preparation(const session::LoadedGraph& input, const std::string& search, double load_seconds,
                       double construction_seconds);

/// Prints the smallest, the median and the largest time of several searches.
void print_times(std::vector<double> seconds);

/// " 1 5 9": the vertices of a path or a cycle, with the input's numbers.
[[nodiscard]] std::string vertices_in_words(const session::LoadedGraph& input, const std::vector<Vertex>& vertices);

// `sources` are those of one search; all of them with --nearest.

/// "source 1": with the input's number; "1000 sources" with --nearest.
[[nodiscard]] std::string sources_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                           bool nearest);

/// "no path from 1 to 5", or "no path from any source to 5": in the direction of the input's edges,
/// with the input's numbers.
[[nodiscard]] std::string no_path_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                           Vertex target);

/// The message that the search is invalid, with the reason. The message names all vertices as the
/// validator numbers them, from 0.
[[nodiscard]] std::string invalid_in_words(const session::LoadedGraph& input, std::span<const Vertex> sources,
                                           const std::string& what);

}  // namespace wayfront::app
