// The nearest source of each vertex if all edges have length 1, on one rank or on several that share
// memory and are a grid of one column: level after level, each slot takes the smallest source of the
// level before that leads to it. nearest_sources.hpp defines the nearest source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "graph/csr.hpp"
#include "graph/distances.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// The reached slots in the order of their levels.
class SlotsByLevel
{
public:
    template <typename D>
    explicit SlotsByLevel(std::span<const D> levels) : sort_(level_count(levels))
    {
        const auto level_of = [levels](std::size_t slot, auto&& f) {
            if (levels[slot] != unreached<D>())
                f(static_cast<std::size_t>(levels[slot]), static_cast<std::uint32_t>(slot));
        };
        sort_.count(levels.size(), kSerialBelow, level_of);
        slots_ = HostBuffer<std::uint32_t>(sort_.size());
        sort_.place(level_of, [this](std::size_t position, std::uint32_t slot) { slots_[position] = slot; });
    }

    [[nodiscard]] std::size_t count() const { return sort_.counts().size(); }
    /// Empty from count() on.
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t level) const
    {
        if (level >= count()) return {};
        const std::span<const std::size_t> begins = sort_.begins();
        return slots_.span().subspan(begins[level], begins[level + 1] - begins[level]);
    }

private:
    static constexpr std::size_t kSerialBelow = 1 << 13;

    template <typename D>
    static std::size_t level_count(std::span<const D> levels)
    {
        std::size_t count = 0;
        for (const D level : levels)
            if (level != unreached<D>()) count = std::max(count, static_cast<std::size_t>(level) + 1);
        return count;
    }

    CountingSort sort_;
    HostBuffer<std::uint32_t> slots_;
};

/// A choice that has been made.
template <typename Ranks>
class NearestByLevels
{
public:
    /// `levels` are those of this rank's slots, `numbers` those by which sources are compared, by column.
    /// `shown` is shared by the ranks, has an element for each column, and outlives the object.
    /// Collective.
    template <typename D>
    NearestByLevels(const CsrBlock& block, std::span<const D> levels, std::span<const std::uint32_t> numbers,
                    std::span<std::uint32_t> shown, Ranks ranks)
        : edges_(block.in_edges.view()),
          first_(block.own_col(0).value),
          shown_(shown),
          sources_(levels.size(), kNoLocal),
          parents_(levels.size())
    {
        parallel_for(levels.size(), kSerialBelow, [&](std::size_t slot) { shown_[first_ + slot] = kNoLocal; });
        const SlotsByLevel own(levels);
        for (std::size_t level = 0; ranks.any(level < own.count()); ++level) {
            const std::span<const std::uint32_t> slots = own[level];
            if (level == 0)
                begin(slots, numbers);
            else
                take(slots, smallest_);
            std::uint32_t smallest = kNoLocal;
            for (const std::uint32_t slot : slots) smallest = std::min(smallest, sources_[slot]);
            smallest_ = ranks.smallest(smallest);  // all have taken
            // Edges from levels before the last one lead to vertices of smaller levels.
            for (const std::uint32_t slot : slots) shown_[first_ + slot] = sources_[slot];
        }
    }

    /// The number of the nearest source of this rank's slot; kNoLocal if it is not reached.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t slot) const { return sources_[slot]; }
    /// The column of its parent.
    [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const { return parents_[slot]; }

private:
    static constexpr std::size_t kSerialBelow = 1 << 13;
    static constexpr std::size_t kSerialSlotsBelow = 512;

    void begin(std::span<const std::uint32_t> sources, std::span<const std::uint32_t> numbers)
    {
        for (const std::uint32_t slot : sources) {
            parents_[slot] = first_ + slot;
            sources_[slot] = numbers[first_ + slot];
        }
    }

    void take(std::span<const std::uint32_t> slots, std::uint32_t smallest)
    {
        parallel_for(slots.size(), kSerialSlotsBelow, [&, shown = shown_.data()](std::size_t i) {
            const std::uint32_t slot = slots[i];
            std::uint32_t best = kNoLocal;
            for (std::uint64_t e = edges_.begin(slot); best > smallest && e < edges_.end(slot); ++e) {
                const std::uint32_t from = edges_.neighbours[e];
                if (shown[from] >= best) continue;
                best = shown[from];
                parents_[slot] = from;
            }
            sources_[slot] = best;
        });
    }

    CsrView edges_;
    std::uint32_t first_;                // the column of slot 0
    std::span<std::uint32_t> shown_;     // the sources of the levels before, by column
    HostBuffer<std::uint32_t> sources_;  // by slot
    HostBuffer<std::uint32_t> parents_;
    std::uint32_t smallest_ = kNoLocal;  // source of the level before
};

}  // namespace wayfront::algo
