// The beginnings of lists that are sorted by weight.
//
// Most searches look at the first few entries of a list only. A list's *head*, its lightest
// entries, is stored apart. Heads are indexed by the list's number, so that they are read without
// the list's offsets. Entries and weights of a head are in one piece, which for distances of 32
// bits is half a cache line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "algo/sssp/sssp_memory.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/csr.hpp"

namespace wayfront::cpu {

using algo::kHeadEntries;

/// The lightest entries of a list. If the list is shorter, entries of weight unreached<D>() follow.
template <typename D>
struct ListHead
{
    std::array<std::uint32_t, kHeadEntries> neighbours;
    std::array<D, kHeadEntries> weights;
};

/// The heads of all lists, which are sorted by their weights of type W.
template <typename D, typename W>
[[nodiscard]] HostBuffer<ListHead<D>> make_list_heads(const CsrView& lists, const W* weights)
{
    constexpr std::size_t serial_below = 1 << 14;
    HostBuffer<ListHead<D>> heads(lists.lists);
    parallel_for(lists.lists, serial_below, [&](std::size_t i) {
        const auto list = static_cast<std::uint32_t>(i);
        const std::uint64_t begin = lists.begin(list);
        const std::uint64_t entries = std::min<std::uint64_t>(kHeadEntries, lists.degree(list));
        ListHead<D>& head = heads[list];
        head.neighbours.fill(0);
        head.weights.fill(algo::unreached<D>());
        std::copy_n(lists.neighbours + begin, entries, head.neighbours.data());
        std::copy_n(weights + begin, entries, head.weights.data());
    });
    return heads;
}

}  // namespace wayfront::cpu
