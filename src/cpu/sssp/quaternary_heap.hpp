// A priority queue: a heap in which each entry has four children, which are next to each other in
// memory. It is half as deep as a binary heap.
#pragma once

#include <cstddef>
#include <vector>

namespace wayfront::cpu {

/// Entries leave in ascending order of `<`.
template <typename Entry>
class QuaternaryHeap
{
public:
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    void clear() { entries_.clear(); }

    void push(Entry entry)
    {
        entries_.push_back(entry);
        rise(entries_.size() - 1, entry);
    }

    /// Removes the smallest entry. Pre: the heap is not empty.
    Entry pop()
    {
        const Entry smallest = entries_.front();
        const Entry last = entries_.back();
        entries_.pop_back();
        if (!entries_.empty()) rise(sink_root(), last);
        return smallest;
    }

private:
    static constexpr std::size_t kChildren = 4;

    /// Writes the entry to `place`, which is free, or to a place above it, in the order of the
    /// heap.
    void rise(std::size_t place, Entry entry)
    {
        while (place > 0) {
            const std::size_t parent = (place - 1) / kChildren;
            if (!(entry < entries_[parent])) break;
            entries_[place] = entries_[parent];
            place = parent;
        }
        entries_[place] = entry;
    }

    /// The place of the smaller entry, computed without a branch, which could not be predicted.
    [[nodiscard]] std::size_t smaller(std::size_t a, std::size_t b) const
    {
        const std::size_t mask = std::size_t{0} - static_cast<std::size_t>(entries_[b] < entries_[a]);
        return a ^ ((a ^ b) & mask);
    }

    /// Fills the root with its smallest child, the child's place with its own smallest child, and
    /// so on. Returns the last place, which has no children. The last entry of the heap needs a
    /// place, which is mostly near the bottom. Comparing this entry on the way down would be a
    /// branch that processors predict badly.
    [[nodiscard]] std::size_t sink_root()
    {
        Entry* const entries = entries_.data();
        const std::size_t size = entries_.size();
        std::size_t place = 0;
        std::size_t first = 1;
        for (; first + kChildren <= size; first = place * kChildren + 1) {
            const std::size_t left = smaller(first, first + 1);
            const std::size_t right = smaller(first + 2, first + 3);
            const std::size_t smallest = smaller(left, right);
            entries[place] = entries[smallest];
            place = smallest;
        }
        if (first < size) {  // the last place with children has fewer than four
            std::size_t smallest = first;
            for (std::size_t child = first + 1; child < size; ++child)
                if (entries[child] < entries[smallest]) smallest = child;
            entries[place] = entries[smallest];
            place = smallest;
        }
        return place;
    }

    std::vector<Entry> entries_;
};

}  // namespace wayfront::cpu
