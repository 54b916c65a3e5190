// All options as a page in Markdown.
#pragma once

#include <span>
#include <string>

#include "app/manual/command_reference.hpp"

namespace wayfront::app {

[[nodiscard]] std::string options_page(std::span<const CommandReference> commands);

}  // namespace wayfront::app
