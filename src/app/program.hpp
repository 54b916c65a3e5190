// Runs the program, from its command line to its exit code.
#pragma once

#include <memory>
#include <vector>

#include "app/cli/subcommand.hpp"

namespace wayfront::app {

/// Runs the command whose name is the first word of the command line.
int run_program(int argc, char** argv, std::vector<std::unique_ptr<Subcommand>> commands = make_subcommands());

}  // namespace wayfront::app
