// Completion of the command line in shells: a script for each.
#pragma once

#include <span>
#include <string>

#include "app/manual/command_reference.hpp"

namespace wayfront::app {

[[nodiscard]] std::string bash_completion(std::span<const CommandReference> commands);
[[nodiscard]] std::string zsh_completion(std::span<const CommandReference> commands);
[[nodiscard]] std::string fish_completion(std::span<const CommandReference> commands);

}  // namespace wayfront::app
