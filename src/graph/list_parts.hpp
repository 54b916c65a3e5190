// Parts of a graph's lists for threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/csr.hpp"

namespace wayfront {

/// The first list of part `part` of `parts`, which have about equally many entries, not lists: the
/// first lists are often the longest. The number of lists if part == parts.
[[nodiscard]] inline std::uint32_t first_list_of_part(const CsrView& lists, std::size_t part, std::size_t parts)
{
    if (part == 0) return 0;
    if (part == parts) return lists.lists;
    const std::uint64_t entry = lists.begin(lists.lists) * part / parts;
    std::uint32_t low = 0;
    std::uint32_t high = lists.lists;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (lists.begin(middle) < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace wayfront
