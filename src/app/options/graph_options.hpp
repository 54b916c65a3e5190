// The options of GRAPH, of a generated graph, and of the file that a graph is written to.
#pragma once

#include <string>

#include "app/cli/option_group.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/graph_target.hpp"

namespace wayfront::app {

/// The options of GRAPH. `with_weights`: whether the subcommand uses weights.
[[nodiscard]] OptionGroup graph_group(session::GraphOptions& options, bool with_weights);
/// The options of a generated graph, without those of files.
[[nodiscard]] OptionGroup generated_graph_group(session::GraphOptions& options);
/// --reverse, for subcommands that search from sources.
void add_reverse(OptionGroup& group, session::GraphOptions& options);
/// --precision, for subcommands whose results depend on it.
void add_precision(OptionGroup& group, session::GraphOptions& options);

/// Adds --output, which means the same as the argument OUTPUT, and --output-format.
void add_target(OptionGroup& group, session::GraphTarget& target);

/// The part of the help that describes the file formats and the generators.
std::string graph_notes();

/// The part of the help that describes the generators.
std::string generator_notes();

}  // namespace wayfront::app
