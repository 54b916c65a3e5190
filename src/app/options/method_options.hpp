// The options that choose a method: --engine, --transport and --cpu-share, --algorithm, and those of
// single methods.
#pragma once

#include <optional>
#include <string>

#include "app/cli/option_group.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/sssp/sssp_searches.hpp"

namespace wayfront::app {

/// The options of breadth-first searches.
[[nodiscard]] OptionGroup search_group(plan::SearchOptions& options);
/// The lines that the help prints below them.
[[nodiscard]] std::string search_notes();

/// The lines that the help of shortest paths prints about --transport.
[[nodiscard]] std::string path_transport_notes();

/// The option --transport, of GPUs.
void add_transport(OptionGroup& group, plan::EngineRequest& options);
/// The option --grid. No value: auto.
void add_grid(OptionGroup& group, std::optional<comm::GridShape>& grid);

/// Adds --algorithm, --delta and --phase-times.
void add_sssp_method(OptionGroup& group, plan::SsspMethodOptions& options);
/// Adds --engine, for commands that have no other option of this name.
void add_sssp_engine(OptionGroup& group, plan::SsspMethodOptions& options);

/// Adds --algorithm, --engine and --dtype.
void add_apsp_method(OptionGroup& group, plan::ApspMethodOptions& options);
/// Adds the options of single methods of all pairs.
void add_apsp_advanced(OptionGroup& group, plan::ApspMethodOptions& options);

}  // namespace wayfront::app
