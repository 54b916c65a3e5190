// Manual pages in roff, with the macros of man(7).
#pragma once

#include <span>
#include <string>

#include "app/manual/command_reference.hpp"

namespace wayfront::app {

/// wayfront(1), which lists the subcommands.
[[nodiscard]] std::string man_page(std::span<const CommandReference> commands);

/// The page of a subcommand, such as wayfront-bfs(1).
[[nodiscard]] std::string man_page(const CommandReference& command);

}  // namespace wayfront::app
