// The distance and the parent of each vertex while a search runs, and the arithmetic of distances.
//
// In a search from several sources, labels of 32-bit distances have the source, too, if there are bits
// for it: the *mark* of a label is its parent, and in the bits above that the source.
//
// A label changes as a whole, and only to a smaller distance or, with sources, to a smaller source at
// the same distance. A vertex's last label is therefore written after the last label of its parent, so
// that parents form a tree even if weights are 0.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algo/sssp/sssp_result.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "cpu/sssp/spin.hpp"

namespace wayfront::cpu {

/// The length of a path of length `distance` and one more arc: rounded once if D is a
/// floating-point type, and unreached<D>() if it does not fit D. Pre: neither is negative, and the
/// weight fits D.
template <typename D, typename W>
[[nodiscard]] inline D path_length(D distance, W weight)
{
    const auto added = static_cast<D>(weight);
    if constexpr (std::is_floating_point_v<D>)
        return distance + added;
    else
        return distance > algo::unreached<D>() - added ? algo::unreached<D>() : static_cast<D>(distance + added);
}

/// D is uint32, int64, float or double. If D has 32 bits, a label is one word, which threads
/// replace by compare-and-swap. Otherwise a thread locks the parent while it writes both.
template <typename D>
class Labels
{
public:
    // Rounded distances may remain the same when the parent's distance decreases and its source changes.
    static constexpr bool kMayHaveSources = std::is_same_v<D, std::uint32_t>;

    explicit Labels(std::size_t vertices) : labels_(vertices) {}

    [[nodiscard]] std::size_t size() const { return labels_.size(); }

    /// Gives all vertices the distance `bound` and no parent. A search then finds the distances
    /// below it.
    void clear(D bound)
    {
        parent_bits_ = kMarkBits;
        fill(bound);
    }
    /// The same for labels with sources, numbers from 0 to `sources`. Returns false, and clears nothing,
    /// if there are no bits for them. Pre: bound > 0.
    [[nodiscard]] bool clear_with_sources(D bound, std::size_t sources)
    {
        if constexpr (kMayHaveSources) {
            const auto bits = static_cast<int>(std::bit_width(labels_.size()));  // no parent has all of them
            if (bits >= kMarkBits || sources + 1 >= std::size_t{1} << (kMarkBits - bits)) return false;
            parent_bits_ = bits;
            // No parent is the largest mark, so that distances below the bound are smaller.
            fill(bound - 1);
            return true;
        } else {
            return false;
        }
    }
    [[nodiscard]] bool have_sources() const { return parent_bits_ < kMarkBits; }

    [[nodiscard]] D distance(std::uint32_t vertex) const
    {
        if constexpr (kOneWord)
            return distance_of(load(labels_[vertex]));
        else
            return load(labels_[vertex].distance);
    }
    /// Pre: no thread writes labels.
    [[nodiscard]] std::uint32_t parent(std::uint32_t vertex) const
    {
        const std::uint32_t parent = mark_in(labels_[vertex]) & parent_mask();
        return parent == parent_mask() ? kNoLocal : parent;
    }
    /// Pre: the labels have sources, the vertex is reached, and no thread writes labels.
    [[nodiscard]] std::uint32_t source(std::uint32_t vertex) const { return mark_in(labels_[vertex]) >> parent_bits_; }
    /// The mark of a label. Pre: the labels have sources.
    [[nodiscard]] std::uint32_t mark(std::uint32_t source, std::uint32_t parent) const
    {
        return source << parent_bits_ | parent;
    }
    /// The mark of a label whose parent is the vertex, and whose source is the vertex's, if it has one.
    [[nodiscard]] std::uint32_t mark_of_child(std::uint32_t vertex) const { return source_bits(vertex) | vertex; }
    /// The same as distance(), where the compiler may read many labels at once. Pre: no thread writes labels.
    [[nodiscard]] D settled_distance(std::uint32_t vertex) const { return distance_in(labels_[vertex]); }
    /// Calls f(vertex, distance, parent) for the vertices of a range, as settled_distance() and parent() return them.
    /// The compiler may read many labels at once, because it need not assume that f writes labels. Pre: no thread
    /// writes labels.
    template <typename F>
    void visit_settled(IndexRange range, F&& f) const
    {
        const Label* const labels = labels_.data();
        const std::uint32_t mask = parent_mask();
        for (std::size_t i = range.first; i < range.last; ++i) {
            const std::uint32_t parent = mark_in(labels[i]) & mask;
            f(i, distance_in(labels[i]), parent == mask ? kNoLocal : parent);
        }
    }
    void prefetch(std::uint32_t vertex) const { __builtin_prefetch(labels_.data() + vertex); }

    void set(std::uint32_t vertex, D distance, std::uint32_t mark) { labels_[vertex] = make(distance, mark); }
    /// Replaces the parent of a vertex, and no more.
    void set_parent(std::uint32_t vertex, std::uint32_t parent)
    {
        set(vertex, distance(vertex), source_bits(vertex) | parent);
    }

    /// Whether the label is smaller than the vertex's. `by_source`: sources count, if the labels have them.
    template <bool by_source>
    [[nodiscard]] bool improves(std::uint32_t vertex, D distance, std::uint32_t mark) const
    {
        if constexpr (by_source)
            return is_smaller<true>(make(distance, mark), load(labels_[vertex]));
        else
            return distance < this->distance(vertex);
    }

    /// Writes the label if it is smaller than the vertex's, and returns whether it is. `shared`: other
    /// threads write labels, too.
    template <bool shared, bool by_source = false>
    bool improve(std::uint32_t vertex, D distance, std::uint32_t mark)
    {
        if constexpr (!shared) {
            if (!improves<by_source>(vertex, distance, mark)) return false;
            set(vertex, distance, mark);
            return true;
        } else if constexpr (kOneWord) {
            const std::atomic_ref<std::uint64_t> label(labels_[vertex]);
            const std::uint64_t smaller = make(distance, mark);
            std::uint64_t seen = label.load(std::memory_order_relaxed);
            while (is_smaller<by_source>(smaller, seen))
                if (label.compare_exchange_weak(seen, smaller, std::memory_order_relaxed)) return true;
            return false;
        } else {
            return improve_locked(labels_[vertex], distance, mark);
        }
    }

private:
    static constexpr bool kOneWord = sizeof(D) == 4;
    static constexpr int kMarkBits = 32;
    static constexpr std::size_t kSerialBelow = 1 << 17;
    static constexpr std::uint32_t kLocked = kNoLocal - 1;  // no vertex has this number

    struct Pair
    {
        D distance;
        std::uint32_t parent;
    };
    using Label = std::conditional_t<kOneWord, std::uint64_t, Pair>;  // distance in the upper half

    [[nodiscard]] static Label make(D distance, std::uint32_t mark)
    {
        if constexpr (kOneWord)
            return (static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(distance)) << kMarkBits) | mark;
        else
            return {distance, mark};
    }
    [[nodiscard]] static D distance_of(std::uint64_t label)
    {
        return std::bit_cast<D>(static_cast<std::uint32_t>(label >> kMarkBits));
    }
    [[nodiscard]] static D distance_in(const Label& label)
    {
        if constexpr (kOneWord)
            return distance_of(label);
        else
            return label.distance;
    }
    [[nodiscard]] static std::uint32_t mark_in(const Label& label)
    {
        if constexpr (kOneWord)
            return static_cast<std::uint32_t>(label);
        else
            return label.parent;
    }
    [[nodiscard]] std::uint32_t parent_mask() const
    {
        return kMayHaveSources ? kNoLocal >> (kMarkBits - parent_bits_) : kNoLocal;
    }
    /// The part of the vertex's mark that is its source.
    [[nodiscard]] std::uint32_t source_bits(std::uint32_t vertex) const
    {
        if constexpr (kMayHaveSources)
            return mark_in(load(labels_[vertex])) & ~parent_mask();
        else
            return 0;
    }
    template <bool by_source>
    [[nodiscard]] bool is_smaller(std::uint64_t a, std::uint64_t b) const
    {
        static_assert(kMayHaveSources || !by_source);
        if constexpr (by_source)
            return a >> parent_bits_ < b >> parent_bits_;
        else
            return distance_of(a) < distance_of(b);
    }

    void fill(D distance)
    {
        parallel_for(labels_.size(), kSerialBelow,
                     [&](std::size_t vertex) { labels_[vertex] = make(distance, kNoLocal); });
    }

    template <typename T>
    [[nodiscard]] static T load(const T& value)
    {
        // atomic_ref<const T> comes with C++26.
        return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
    }

    static bool improve_locked(Pair& label, D distance, std::uint32_t parent)
    {
        const std::atomic_ref<D> stored_distance(label.distance);
        const std::atomic_ref<std::uint32_t> stored_parent(label.parent);
        Spin spin;
        while (distance < stored_distance.load(std::memory_order_relaxed)) {
            std::uint32_t seen = stored_parent.load(std::memory_order_relaxed);
            if (seen == kLocked || !stored_parent.compare_exchange_weak(seen, kLocked, std::memory_order_acquire)) {
                spin.wait();
                continue;
            }
            const bool better = distance < stored_distance.load(std::memory_order_relaxed);
            if (better) stored_distance.store(distance, std::memory_order_relaxed);
            stored_parent.store(better ? parent : seen, std::memory_order_release);
            return better;
        }
        return false;
    }

    HostBuffer<Label> labels_;
    int parent_bits_ = kMarkBits;  // the bits of a mark that hold the parent; the bits above hold the source
};

}  // namespace wayfront::cpu
