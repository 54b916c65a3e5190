// Numbers with their nouns, formatted for messages.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace wayfront {

/// For example "1 vertex" or "2 vertices".
[[nodiscard]] std::string counted(std::integral auto count, std::string_view one, std::string_view several)
{
    return std::to_string(count).append(1, ' ').append(count == 1 ? one : several);
}

}  // namespace wayfront
