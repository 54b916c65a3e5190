// The subcommand `wayfront bfs` with searches that the caller makes, so that a test can run the
// command with searches that report wrong results.
#pragma once

#include <memory>

#include "app/cli/subcommand.hpp"
#include "session/bfs/prepared_bfs.hpp"

namespace wayfront::app {

std::unique_ptr<Subcommand> make_bfs_command(session::BfsMaker make_search);

}  // namespace wayfront::app
