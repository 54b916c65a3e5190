// The slots that a search on one rank has found, in the order in which it found them, if every level was
// searched in order (Discoveries::in_order).
//
// The levels follow each other in one list, and each slot has the position of its parent. A search writes
// this list from beginning to end, and no array at random places but the bits of the rows that it has
// seen; the results are written at the end. On New York's roads, a search from 1000 sources takes 1.16 times
// as long as one from one source, and took 1.7 times as long with arrays by slot
// (bench/results/nearest-order-of-finds.json, nearest-in-order.json).
//
// If the first level are the sources in ascending order, then each level is in the order of the nearest
// sources of its vertices, and a parent has the nearest source of its children: the smallest one from
// which a shortest path leads to them (algo/nearest_sources.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/host_buffer.hpp"

namespace wayfront::algo {

class DiscoveryOrder
{
public:
    DiscoveryOrder() = default;
    /// Room for a search that finds up to `slots` slots.
    explicit DiscoveryOrder(std::size_t slots) : slots_(slots), parents_(slots) {}

    /// Begins a search with the slots of its first level.
    void begin(std::span<const std::uint32_t> first_level)
    {
        level_begins_.assign(1, 0);
        size_ = 0;
        for (std::size_t i = 0; i < first_level.size(); ++i) parents_[i] = static_cast<std::uint32_t>(i);
        add(first_level);
    }
    /// The place for the parents of the next level's slots: positions in the last level.
    [[nodiscard]] std::uint32_t* parents_of_next_level() { return parents_.data() + size_; }
    /// Adds the slots of the next level, whose parents have been written.
    void add(std::span<const std::uint32_t> level)
    {
        std::ranges::copy(level, slots_.data() + size_);
        level_begins_.push_back(size_ += level.size());
    }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Calls f(slot, slot of its parent, level) for each slot. Slots of the first level are their own parents.
    template <typename F>
    void for_each(F&& f) const
    {
        for_each_position([&](std::size_t i, std::size_t parent, std::size_t level) {
            f(slots_[i], slots_[parent], static_cast<std::int32_t>(level));
        });
    }

    /// Calls f(vertex, vertex of its parent, vertex of its root, level) for each slot, for vertices[slot].
    /// prefetch(vertex) is called some vertices before. The list is empty then.
    template <typename Vertices, typename Prefetch, typename F>
    void take_each(Vertices vertices, Prefetch&& prefetch, F&& f)
    {
        constexpr std::size_t ahead = 32;
        // The loop overwrites a slot by its vertex, and the position of its parent by its root. The parent comes
        // before, so its slot and position are overwritten already.
        for_each_position([&](std::size_t i, std::size_t parent, std::size_t level) {
            if (i + 2 * ahead < size_) __builtin_prefetch(vertices.data() + slots_[i + 2 * ahead]);
            if (i + ahead < size_) prefetch(vertices[slots_[i + ahead]]);
            slots_[i] = static_cast<std::uint32_t>(vertices[slots_[i]]);
            parents_[i] = level == 0 ? slots_[i] : parents_[parent];
            f(slots_[i], slots_[parent], parents_[i], static_cast<std::int32_t>(level));
        });
        size_ = 0;
    }

private:
    /// Calls f(position, position of the parent, level).
    template <typename F>
    void for_each_position(F&& f) const
    {
        for (std::size_t level = 0; level + 1 < level_begins_.size(); ++level) {
            const std::size_t of_parents = level == 0 ? 0 : level_begins_[level - 1];
            for (std::size_t i = level_begins_[level]; i < level_begins_[level + 1]; ++i)
                f(i, of_parents + parents_[i], level);
        }
    }

    HostBuffer<std::uint32_t> slots_;
    HostBuffer<std::uint32_t> parents_;
    std::vector<std::size_t> level_begins_;  // and the end of the last one
    std::size_t size_ = 0;
};

}  // namespace wayfront::algo
