// Runs the program, from its command line to its exit code.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/cli/subcommand.hpp"

namespace wayfront::app {

using MakeSubcommands = std::function<std::vector<std::unique_ptr<Subcommand>>()>;

/// Runs the command whose name is the first word of the command line, and returns the exit code. A
/// failure is printed.
int run_program(int argc, char** argv, const MakeSubcommands& make = make_subcommands) noexcept;

}  // namespace wayfront::app
