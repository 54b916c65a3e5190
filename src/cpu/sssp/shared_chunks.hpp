// A thread's chunks of the current bucket, which other threads may take.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

#include "cpu/sssp/local_buckets.hpp"
#include "cpu/sssp/spin.hpp"

namespace wayfront::cpu {

/// Data that different threads write are in different cache lines.
inline constexpr std::size_t kCacheLine = 64;

template <typename D>
class SharedChunks
{
public:
    /// Adds a list of chunks of the round's bucket.
    void add(Chunk<D>* chunks, std::uint64_t round)
    {
        if (chunks == nullptr) return;
        std::uint32_t added = 1;
        Chunk<D>* last = chunks;
        for (; last->next != nullptr; last = last->next) ++added;
        const std::lock_guard guard(lock_);
        last->next = first_;
        first_ = chunks;
        count_ += added;
        offer(round);
    }

    /// Takes a chunk; null if there is none. For the thread itself.
    [[nodiscard]] Chunk<D>* take(std::uint64_t round)
    {
        const std::lock_guard guard(lock_);
        if (first_ == nullptr) return nullptr;
        --count_;
        offer(round);
        Chunk<D>* chunk = std::exchange(first_, first_->next);
        chunk->next = nullptr;
        return chunk;
    }

    /// Whether a thread that is in this round would probably get chunks.
    [[nodiscard]] bool offers(std::uint64_t round) const
    {
        return offered_in_.load(std::memory_order_relaxed) == round;
    }

    /// Takes half of the chunks if there are some to offer in this round; otherwise returns null.
    /// For other threads. The thread itself keeps a few, so that small pieces of work do not move
    /// between caches.
    [[nodiscard]] Chunk<D>* take_half(std::uint64_t round)
    {
        const std::lock_guard guard(lock_);
        if (!offers(round)) return nullptr;
        const std::uint32_t taken = count_ / 2;
        Chunk<D>* chunks = first_;
        Chunk<D>* last = chunks;
        for (std::uint32_t i = 1; i < taken; ++i) last = last->next;
        first_ = std::exchange(last->next, nullptr);
        count_ -= taken;
        offer(round);
        return chunks;
    }

private:
    // A thread offers chunks if it has at least this number. With a smaller number, small pieces of
    // work would move between caches, which may be far from each other. With a larger number,
    // threads would wait longer for each other.
    static constexpr std::uint32_t kOfferedFrom = 3;
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    /// Writes the value only if it changes, because waiting threads read it again and again.
    void offer(std::uint64_t round)
    {
        const std::uint64_t offered_in = count_ >= kOfferedFrom ? round : kNever;
        if (offered_in_.load(std::memory_order_relaxed) != offered_in)
            offered_in_.store(offered_in, std::memory_order_relaxed);
    }

    // The round in which there are enough chunks.
    alignas(kCacheLine) std::atomic<std::uint64_t> offered_in_ = kNever;
    alignas(kCacheLine) Chunk<D>* first_ = nullptr;
    std::uint32_t count_ = 0;
    SpinLock lock_;
};

}  // namespace wayfront::cpu
