// The state that the pushes and the pulls of an engine share: the memory of the search, and the
// counts and lists of each thread in the round.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/bitmap.hpp"
#include "base/host_buffer.hpp"

namespace wayfront::cpu {

/// Loops over less than this run on the calling thread.
inline constexpr std::size_t kSerialBelow = 1 << 14;

/// In a round on several threads, this many consecutive rows (or columns) belong to one thread, the
/// next ones to the next thread, and so on. They belong to the same thread in all rounds, so that
/// their distances remain in its cache. A multiple of the bits of a bitmap's word.
inline constexpr std::size_t kOwnedRows = 2048;

[[nodiscard]] inline std::size_t owner_of(std::uint32_t row, std::size_t threads)
{
    return (row / kOwnedRows) % threads;
}

/// Reads a value that another thread may be writing, or another process.
template <typename T>
[[nodiscard]] inline T relaxed(const T& value)
{
    static_assert(std::atomic_ref<T>::is_always_lock_free, "locks would not work between processes");
    return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
}

template <typename T>
inline void store_relaxed(T& place, T value)
{
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
}

/// A thread's part of a round, in cache lines of its own.
template <typename D>
struct alignas(128) ThreadRound
{
    std::vector<std::uint32_t> improved;  // rows, each once
    std::uint64_t unlisted = 0;           // rows that were improved and are not in the list
    std::uint64_t arcs = 0;
    D next = algo::unreached<D>();
    bool overflow = false;
};

template <typename D>
class EngineRound
{
public:
    explicit EngineRound(std::uint32_t rows) : is_improved_(word_count(rows), 0), improved_(rows) {}

    algo::SsspMemory<D> memory;
    std::vector<ThreadRound<D>> threads;

    void begin_search(const algo::SsspMemory<D>& of_search, std::size_t thread_count)
    {
        memory = of_search;
        threads.resize(thread_count);
        begin();
    }

    void begin()
    {
        for (std::size_t i = 0; i < improved_count_; ++i) is_improved_[improved_[i] / kWordBits] = 0;
        improved_count_ = 0;
        for (ThreadRound<D>& thread : threads) {
            thread.improved.clear();
            thread.unlisted = 0;
            thread.arcs = 0;
            thread.next = algo::unreached<D>();
            thread.overflow = false;
        }
    }

    /// Pre: no other thread improves rows of the same word of a bitmap.
    void improve(std::uint32_t row, D distance, std::uint32_t parent, ThreadRound<D>& thread)
    {
        store_relaxed(memory.row_distances[row], distance);
        memory.row_parents[row] = parent;
        if (test_bit(is_improved_.data(), row)) return;
        set_bit(is_improved_.data(), row);
        thread.improved.push_back(row);
    }

    [[nodiscard]] algo::RoundOutcome<D> outcome()
    {
        algo::RoundOutcome<D> all;
        all.next = algo::unreached<D>();
        for (const ThreadRound<D>& thread : threads) {
            std::ranges::copy(thread.improved, improved_.data() + improved_count_);
            improved_count_ += thread.improved.size();
            all.improved_rows += thread.unlisted;
            all.arcs += thread.arcs;
            all.next = std::min(all.next, thread.next);
            all.overflow = all.overflow || thread.overflow;
        }
        all.improved = {improved_.data(), improved_count_};
        all.improved_rows += improved_count_;
        return all;
    }

private:
    HostBuffer<std::uint64_t> is_improved_;  // a bit for each row: whether a push of this round has improved the row
    HostBuffer<std::uint32_t> improved_;
    std::size_t improved_count_ = 0;
};

}  // namespace wayfront::cpu
