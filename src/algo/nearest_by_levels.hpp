// The nearest source of each vertex if all edges have length 1, on one rank or on several that share
// memory and are a grid of one column: level after level, each slot gets the smallest source of the
// level before that leads to it. As in a search, the slots of a level read the edges that lead to them
// (pull), or the level before follows its edges (push), whichever is fewer edges: next to a few sources
// there are hubs, which have most edges. nearest_sources.hpp defines the nearest source.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "graph/csr.hpp"
#include "graph/distances.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// Whether this choice is faster than the roots of the search's trees, corrected where that makes them
/// smaller (nearest_in_memory.hpp). On New York's roads, of few edges and few ties, roots are
/// (bench/results/nearest-sources.json, trials).
[[nodiscard]] inline bool suits_levels(const DistributedGraph& graph)
{
    constexpr double least_degree = 8;
    return static_cast<double>(graph.directed_edges) >= least_degree * static_cast<double>(graph.connected_vertices);
}

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
    /// `levels` are those of all columns, `numbers` those by which sources are compared, by column.
    /// `shown` is shared by the ranks, has an element for each column, and outlives the object.
    /// Collective.
    template <typename D>
    NearestByLevels(const CsrBlock& block, std::span<const D> levels, std::span<const std::uint32_t> numbers,
                    std::span<std::uint32_t> shown, Ranks ranks)
        : in_edges_(block.in_edges.view()),
          out_edges_(block.out_edges().view()),
          first_(block.own_col(0).value),
          shown_(shown),
          labels_(block.slot_stride, kNoLabel)
    {
        const std::span<const D> own_levels = levels.subspan(first_, labels_.size());
        parallel_for(labels_.size(), kSerialBelow, [&](std::size_t slot) { shown_[first_ + slot] = kNoLocal; });
        const SlotsByLevel own(own_levels);
        for (std::size_t level = 0; ranks.any(level < own.count()); ++level) {
            const std::span<const std::uint32_t> slots = own[level];
            if (level == 0)
                begin(slots, numbers);
            else if (const std::vector<std::uint32_t> columns = columns_to_push(slots, levels, level); !columns.empty())
                push(columns, own_levels, static_cast<D>(level));
            else
                pull(slots, smallest_);
            std::uint32_t smallest = kNoLocal;
            for (const std::uint32_t slot : slots) smallest = std::min(smallest, nearest(slot));
            smallest_ = ranks.smallest(smallest);  // all have read the level before
            // Edges from levels before the last one lead to vertices of smaller levels.
            for (const std::uint32_t slot : slots) shown_[first_ + slot] = nearest(slot);
        }
    }

    /// The number of the nearest source of this rank's slot; kNoLocal if it is not reached.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t slot) const
    {
        return static_cast<std::uint32_t>(labels_[slot] >> 32);
    }
    /// The column of its parent.
    [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const { return static_cast<std::uint32_t>(labels_[slot]); }

private:
    static constexpr std::size_t kSerialBelow = 1 << 13;
    static constexpr std::size_t kSerialSlotsBelow = 512;
    static constexpr std::uint64_t kNoLabel = ~std::uint64_t{0};

    /// The number of a source, and the column of a parent.
    [[nodiscard]] static std::uint64_t label_of(std::uint32_t source, std::uint32_t parent)
    {
        return std::uint64_t{source} << 32 | parent;
    }

    template <typename Indices>
    [[nodiscard]] static std::uint64_t edge_count(CsrView lists, const Indices& indices)
    {
        return std::transform_reduce(indices.begin(), indices.end(), std::uint64_t{0}, std::plus<>(),
                                     [lists](std::uint32_t i) { return lists.degree(i); });
    }

    void begin(std::span<const std::uint32_t> sources, std::span<const std::uint32_t> numbers)
    {
        for (const std::uint32_t slot : sources) labels_[slot] = label_of(numbers[first_ + slot], first_ + slot);
    }

    /// The columns of the level before, if they have far fewer edges than lead to this level's slots.
    template <typename D>
    [[nodiscard]] std::vector<std::uint32_t> columns_to_push(std::span<const std::uint32_t> slots,
                                                             std::span<const D> levels, std::size_t level) const
    {
        // A slot that finds the smallest source reads no further.
        constexpr std::uint64_t pulled_for_a_push = 2;
        const std::uint64_t pulled = edge_count(in_edges_, slots);
        if (pulled < levels.size()) return {};  // not worth looking at all columns
        std::vector<std::uint32_t> columns;
        for (std::size_t column = 0; column < levels.size(); ++column)
            if (levels[column] == static_cast<D>(level - 1)) columns.push_back(static_cast<std::uint32_t>(column));
        if (pulled_for_a_push * edge_count(out_edges_, columns) >= pulled) columns.clear();
        return columns;
    }

    template <typename D>
    void push(const std::vector<std::uint32_t>& columns, std::span<const D> own_levels, D level)
    {
        parallel_for(columns.size(), kSerialSlotsBelow, [&](std::size_t i) {
            const std::uint32_t from = columns[i];
            const std::uint64_t offered = label_of(shown_[from], from);
            for (std::uint64_t e = out_edges_.begin(from); e < out_edges_.end(from); ++e) {
                const std::uint32_t slot = out_edges_.neighbours[e];
                if (own_levels[slot] != level) continue;
                const std::atomic_ref<std::uint64_t> label(labels_[slot]);
                std::uint64_t seen = label.load(std::memory_order_relaxed);
                while (offered < seen && !label.compare_exchange_weak(seen, offered, std::memory_order_relaxed)) {
                }
            }
        });
    }

    void pull(std::span<const std::uint32_t> slots, std::uint32_t smallest)
    {
        parallel_for(slots.size(), kSerialSlotsBelow, [&, shown = shown_.data()](std::size_t i) {
            const std::uint32_t slot = slots[i];
            std::uint32_t best = kNoLocal;
            std::uint32_t parent = kNoLocal;
            for (std::uint64_t e = in_edges_.begin(slot); best > smallest && e < in_edges_.end(slot); ++e) {
                const std::uint32_t from = in_edges_.neighbours[e];
                if (shown[from] >= best) continue;
                best = shown[from];
                parent = from;
            }
            labels_[slot] = label_of(best, parent);
        });
    }

    CsrView in_edges_;
    CsrView out_edges_;
    std::uint32_t first_;                // the column of slot 0
    std::span<std::uint32_t> shown_;     // the sources of the levels before, by column
    HostBuffer<std::uint64_t> labels_;   // by slot
    std::uint32_t smallest_ = kNoLocal;  // source of the level before
};

}  // namespace wayfront::algo
