// The subcommand `wayfront bfs` with searches that the caller makes, so that a test can run the
// command with searches that report wrong results.
#pragma once

#include <functional>
#include <memory>

#include "app/cli/subcommand.hpp"
#include "session/bfs/bfs_searches.hpp"

namespace wayfront::app {

/// Makes the searches of one graph, as session::prepare_bfs() does.
using SearchMaker = std::function<decltype(session::prepare_bfs)>;

std::unique_ptr<Subcommand> make_bfs_command(SearchMaker make_search);

}  // namespace wayfront::app
