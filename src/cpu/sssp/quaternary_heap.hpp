// A priority queue: a heap in which each entry has four children, which share one or two cache
// lines. It is half as deep as a binary heap.
#pragma once

#include <algorithm>
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
        std::size_t place = entries_.size();
        entries_.push_back(entry);
        while (place > 0) {
            const std::size_t parent = (place - 1) / kChildren;
            if (!(entry < entries_[parent])) break;
            entries_[place] = entries_[parent];
            place = parent;
        }
        entries_[place] = entry;
    }

    /// Removes the smallest entry. Pre: the heap is not empty.
    Entry pop()
    {
        const Entry smallest = entries_.front();
        const Entry last = entries_.back();
        entries_.pop_back();
        if (!entries_.empty()) sink(last);
        return smallest;
    }

private:
    static constexpr std::size_t kChildren = 4;

    /// Writes `entry` to the place below the root where it belongs.
    void sink(Entry entry)
    {
        const std::size_t size = entries_.size();
        std::size_t place = 0;
        for (;;) {
            const std::size_t first = place * kChildren + 1;
            if (first >= size) break;
            std::size_t smallest = first;
            const std::size_t last = std::min(first + kChildren, size);
            for (std::size_t child = first + 1; child < last; ++child)
                if (entries_[child] < entries_[smallest]) smallest = child;
            if (!(entries_[smallest] < entry)) break;
            entries_[place] = entries_[smallest];
            place = smallest;
        }
        entries_[place] = entry;
    }

    std::vector<Entry> entries_;
};

}  // namespace wayfront::cpu
