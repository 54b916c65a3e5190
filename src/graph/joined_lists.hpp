// Joins ordered lists, as those of the blocks of a text, or of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront {

/// The elements of lists in the order of `less`, each once, in this order. Two lists become one in
/// each round, whose joins share the threads.
template <typename T, typename Less = std::less<T>>
[[nodiscard]] HostBuffer<T> joined_lists(std::vector<std::span<const T>> lists, Less less = {})
{
    if (lists.empty()) return {};
    std::vector<HostBuffer<T>> joined;  // what `lists` views, from the second round on
    do {
        std::vector<HostBuffer<T>> next((lists.size() + 1) / 2);
        parallel_items(next.size(), [&](std::size_t i) {
            const std::span<const T> one = lists[2 * i];
            const std::span<const T> other = 2 * i + 1 < lists.size() ? lists[2 * i + 1] : std::span<const T>();
            next[i] = HostBuffer<T>(one.size() + other.size());
            const T* const end =
                std::set_union(one.begin(), one.end(), other.begin(), other.end(), next[i].begin(), less);
            next[i].truncate(static_cast<std::size_t>(end - next[i].begin()));
        });
        joined = std::move(next);
        lists.assign(joined.begin(), joined.end());
    } while (lists.size() > 1);
    return std::move(joined.front());
}

}  // namespace wayfront
