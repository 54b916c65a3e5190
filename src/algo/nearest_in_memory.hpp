// The nearest source of each vertex after a search from several sources whose vertices are all in this
// rank's memory, or in memory that it shares with the other ranks. nearest_sources.hpp defines the
// nearest source, and covers the rest.
//
// At first each vertex has the root of its tree, which is one of the nearest sources: pointer
// doubling finds it (J. JaJa: An Introduction to Parallel Algorithms. Addison-Wesley, 1992, section
// 2.2). Where a tight arc leads from a smaller source to a greater one, the vertex takes the smaller
// source, and pushes it along tight arcs until nothing changes. Vertices find such arcs among those
// that lead to them, since lists that are sorted by weight end early. On road networks few vertices are
// as far from one source as from another, so that a search that has kept such arcs saves the pass that
// finds them. If ranks share the memory, each has some of the vertices and the arcs that lead to them;
// the ranks exchange lists of their vertices that have got smaller sources.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "algo/host_ranks.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

/// `Tree` is the tree of a search over vertices 0 to size() - 1, and its arcs to this rank's vertices.
/// Any thread may call:
///
///   parent(v)               its own number for a root; kNoLocal if v is not reached. v is this rank's
///   number(v)               the number by which sources are compared
///   for_each_out_arc(u, f)  calls f(v, weight). Arcs that cannot be tight may be left out, here and below
///   is_tight(u, v, weight)  whether a shortest path may use the arc. Pre: u and v are reached
///   for_each_in_arc(v, f)   calls f(u, weight). Pre: v is reached, and is this rank's. Only for
///                           pull_sources()
///
/// A vertex's source and parent are one word, which threads replace by compare-and-swap, so that in
/// the end a vertex has the source of its parent.
template <typename Tree, typename Ranks = OneRank>
class NearestInMemory
{
public:
    /// Allocates what all searches of `vertices` vertices need.
    explicit NearestInMemory(std::size_t vertices)
        : allocated_above_(vertices),
          allocated_labels_(vertices),
          above_(allocated_above_.span()),
          labels_(allocated_labels_.span()),
          own_{0, vertices}
    {
    }
    /// `above` and `labels` have an element for each vertex, and outlive the object; they are shared by
    /// `ranks`, of which this one has the vertices `own`.
    NearestInMemory(std::span<std::uint32_t> above, std::span<std::uint64_t> labels, IndexRange own, Ranks ranks)
        : above_(above), labels_(labels), own_(own), ranks_(ranks)
    {
    }

    /// Gives each vertex the root of its tree, and its parent. Collective, as all below.
    void assign_roots(const Tree& tree)
    {
        for_each_own([&](std::uint32_t vertex) {
            const std::uint32_t parent = tree.parent(vertex);
            above_[vertex] = parent == kNoLocal ? vertex : parent;
        });
        ranks_.wait();
        while (ranks_.any(climb())) {
        }
        for_each_own([&](std::uint32_t vertex) {
            const std::uint32_t parent = tree.parent(vertex);
            labels_[vertex] = make(parent == kNoLocal ? kNoLocal : tree.number(above_[vertex]), parent);
        });
        ranks_.wait();
    }

    /// Gives each vertex the smallest source that leads to it. All vertices pull smaller sources, until few
    /// vertices find one; these then push their sources.
    void pull_sources(const Tree& tree)
    {
        constexpr std::size_t few_part = 16;
        std::vector<std::uint32_t> changed;
        do changed = pull_once(tree);
        while (few_part * ranks_.sum(changed.size()) > labels_.size());
        std::vector<std::uint32_t> passing = changed;
        do {
            changed = push_sources_from(tree, std::move(passing), std::move(changed));
            passing = std::exchange(changed, {});
        } while (ranks_.exchange(passing));
    }
    /// Pushes the sources of all vertices along tight arcs. Returns the vertices whose sources have changed, some
    /// of them more than once.
    [[nodiscard]] std::vector<std::uint32_t> push_sources_from_all(const Tree& tree)
    {
        return push_sources_from(tree, push_sources(tree, labels_.size(), [](std::size_t i) { return i; }));
    }
    /// The same from vertices that lower() has changed, which are among those that it returns.
    [[nodiscard]] std::vector<std::uint32_t> push_sources_from(const Tree& tree, std::vector<std::uint32_t> changed)
    {
        std::vector<std::uint32_t> all = changed;
        return push_sources_from(tree, std::move(changed), std::move(all));
    }

    /// The number of the nearest source; kNoLocal if the vertex is not reached.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t vertex) const { return nearest_of(load(labels_[vertex])); }
    /// The parent towards it; the root of a tree is its own parent.
    [[nodiscard]] std::uint32_t parent(std::uint32_t vertex) const
    {
        return static_cast<std::uint32_t>(load(labels_[vertex]));
    }

    /// Gives a reached vertex a smaller source, to which a tight arc from `parent` leads. Returns
    /// whether it is smaller.
    bool lower(std::uint32_t vertex, std::uint32_t source, std::uint32_t parent)
    {
        const std::atomic_ref<std::uint64_t> label(labels_[vertex]);
        std::uint64_t seen = label.load(std::memory_order_relaxed);
        while (source < nearest_of(seen))
            if (label.compare_exchange_weak(seen, make(source, parent), std::memory_order_relaxed)) return true;
        return false;
    }

private:
    static constexpr std::size_t kSerialBelow = 1 << 13;

    [[nodiscard]] static std::uint64_t make(std::uint32_t source, std::uint32_t parent)
    {
        return (std::uint64_t{source} << 32) | parent;
    }
    [[nodiscard]] static std::uint32_t nearest_of(std::uint64_t label)
    {
        return static_cast<std::uint32_t>(label >> 32);
    }
    template <typename T>
    [[nodiscard]] static T load(const T& value)
    {
        // atomic_ref<const T> comes with C++26.
        return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
    }

    template <typename F>
    void for_each_own(F&& f)
    {
        parallel_for(own_.size(), kSerialBelow, [&](std::size_t i) { f(static_cast<std::uint32_t>(own_.first + i)); });
    }

    /// Pushes sources among this rank's vertices. Returns `before`, and the vertices that got smaller
    /// ones.
    [[nodiscard]] std::vector<std::uint32_t> push_sources_from(const Tree& tree, std::vector<std::uint32_t> changed,
                                                               std::vector<std::uint32_t> before)
    {
        while (!changed.empty()) {
            changed = push_sources(tree, changed.size(), [&changed](std::size_t i) { return changed[i]; });
            before.insert(before.end(), changed.begin(), changed.end());
        }
        return before;
    }

    /// Replaces the ancestor of each vertex by its ancestor's ancestor's ancestor; other threads may
    /// have replaced these before. Returns whether one has changed.
    [[nodiscard]] bool climb()
    {
        std::atomic<bool> changed = false;
        parallel_ranges(own_.size(), kSerialBelow, [&, above = above_.data()](IndexRange range) {
            std::uint32_t differences = 0;
            for (std::size_t i = own_.first + range.first; i < own_.first + range.last; ++i) {
                const std::uint32_t first = load(above[i]);
                const std::uint32_t last = load(above[load(above[first])]);
                differences |= first ^ last;
                std::atomic_ref<std::uint32_t>(above[i]).store(last, std::memory_order_relaxed);
            }
            if (differences != 0) changed = true;
        });
        return changed;
    }

    /// Gives each vertex the smallest source that a tight arc leads from. Returns the vertices that got a
    /// smaller one; others may have got one since.
    [[nodiscard]] std::vector<std::uint32_t> pull_once(const Tree& tree)
    {
        std::vector<std::uint32_t> changed;
        std::mutex lock;
        parallel_ranges(own_.size(), kSerialBelow, [&](IndexRange range) {
            std::vector<std::uint32_t> own;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const auto vertex = static_cast<std::uint32_t>(own_.first + i);
                std::uint32_t best = nearest(vertex);
                if (best == kNoLocal) continue;
                std::uint32_t from = kNoLocal;
                tree.for_each_in_arc(vertex, [&](std::uint32_t other, auto weight) {
                    const std::uint32_t source = nearest(other);
                    if (source >= best || !tree.is_tight(other, vertex, weight)) return;
                    best = source;
                    from = other;
                });
                if (from != kNoLocal && lower(vertex, best, from)) own.push_back(vertex);
            }
            const std::lock_guard guard(lock);
            changed.insert(changed.end(), own.begin(), own.end());
        });
        return changed;
    }

    /// Pushes the sources of the vertices at(0) to at(count - 1) along their tight arcs. Returns
    /// the vertices that got a smaller one, some of them more than once.
    template <typename At>
    [[nodiscard]] std::vector<std::uint32_t> push_sources(const Tree& tree, std::size_t count, At&& at)
    {
        std::vector<std::uint32_t> changed;
        std::mutex lock;
        parallel_ranges(count, kSerialBelow, [&](IndexRange range) {
            std::vector<std::uint32_t> own;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const auto vertex = static_cast<std::uint32_t>(at(i));
                const std::uint32_t source = nearest(vertex);
                if (source == kNoLocal) continue;
                tree.for_each_out_arc(vertex, [&](std::uint32_t to, auto weight) {
                    const std::uint32_t other = nearest(to);
                    if (source < other && other != kNoLocal && tree.is_tight(vertex, to, weight) &&
                        lower(to, source, vertex))
                        own.push_back(to);
                });
            }
            const std::lock_guard guard(lock);
            changed.insert(changed.end(), own.begin(), own.end());
        });
        return changed;
    }

    HostBuffer<std::uint32_t> allocated_above_;
    HostBuffer<std::uint64_t> allocated_labels_;
    std::span<std::uint32_t> above_;   // an ancestor of each vertex
    std::span<std::uint64_t> labels_;  // the source in the upper half, and the parent
    IndexRange own_;                   // this rank's vertices
    Ranks ranks_{};
};

}  // namespace wayfront::algo
