// The distance and the parent of each vertex while a search runs, and the arithmetic of distances.
//
// A label changes as a whole, and only to a smaller distance; or, where a search from several sources
// settles its ties, to a smaller source at the same distance. A vertex's last label is therefore
// written after the last label of its parent, so that parents form a tree even if weights are 0.
#pragma once

#include <atomic>
#include <bit>
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
    explicit Labels(std::size_t vertices) : labels_(vertices) {}

    [[nodiscard]] std::size_t size() const { return labels_.size(); }

    /// Gives all vertices the distance `bound` and no parent. A search then finds the distances
    /// below it.
    void clear(D bound)
    {
        parallel_for(labels_.size(), kSerialBelow,
                     [&](std::size_t vertex) { labels_[vertex] = make(bound, kNoLocal); });
    }

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
        if constexpr (kOneWord)
            return static_cast<std::uint32_t>(labels_[vertex]);
        else
            return labels_[vertex].parent;
    }
    /// The same as distance(), where the compiler may read many labels at once. Pre: no thread writes labels.
    [[nodiscard]] D settled_distance(std::uint32_t vertex) const
    {
        if constexpr (kOneWord)
            return distance_of(labels_[vertex]);
        else
            return labels_[vertex].distance;
    }
    void prefetch(std::uint32_t vertex) const { __builtin_prefetch(labels_.data() + vertex); }

    void set(std::uint32_t vertex, D distance, std::uint32_t parent) { labels_[vertex] = make(distance, parent); }

    /// Writes the label if its distance is smaller than the vertex's, and returns whether it is.
    /// `shared`: other threads write labels, too.
    template <bool shared>
    bool improve(std::uint32_t vertex, D distance, std::uint32_t parent)
    {
        if constexpr (!shared) {
            if (!(distance < this->distance(vertex))) return false;
            set(vertex, distance, parent);
            return true;
        } else if constexpr (kOneWord) {
            const std::atomic_ref<std::uint64_t> label(labels_[vertex]);
            std::uint64_t seen = label.load(std::memory_order_relaxed);
            while (distance < distance_of(seen))
                if (label.compare_exchange_weak(seen, make(distance, parent), std::memory_order_relaxed)) return true;
            return false;
        } else {
            return improve_locked(labels_[vertex], distance, parent);
        }
    }

private:
    static constexpr bool kOneWord = sizeof(D) == 4;
    static constexpr std::size_t kSerialBelow = 1 << 15;
    static constexpr std::uint32_t kLocked = kNoLocal - 1;  // no vertex has this number

    struct Pair
    {
        D distance;
        std::uint32_t parent;
    };
    using Label = std::conditional_t<kOneWord, std::uint64_t, Pair>;  // distance in the upper half

    [[nodiscard]] static Label make(D distance, std::uint32_t parent)
    {
        if constexpr (kOneWord)
            return (static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(distance)) << 32) | parent;
        else
            return {distance, parent};
    }
    [[nodiscard]] static D distance_of(std::uint64_t label)
    {
        return std::bit_cast<D>(static_cast<std::uint32_t>(label >> 32));
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
};

}  // namespace wayfront::cpu
