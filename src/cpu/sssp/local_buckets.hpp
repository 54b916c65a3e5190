// The buckets of one thread in delta-stepping.
//
// Bucket b has the vertices whose distances are at least b * delta and less than (b + 1) * delta.
// The next kRing buckets, from the current one on, are lists of chunks; vertices of later buckets
// wait in a list of their own until the current bucket has come near enough.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/bitmap.hpp"

namespace wayfront::cpu {

/// A vertex and its distance when it was queued. If its distance has decreased since, it has been
/// queued once more, and this entry is out of date.
template <typename D>
struct QueuedVertex
{
    std::uint32_t vertex;
    D distance;
};

template <typename D>
struct Chunk
{
    static constexpr std::uint32_t kCapacity = 64;

    Chunk* next;  // in a list of chunks
    std::uint32_t size;
    std::array<QueuedVertex<D>, kCapacity> vertices;
};

/// Chunks that are not in use. A chunk may be returned to another pool than it was taken from; the
/// pool that made it frees it.
template <typename D>
class ChunkPool
{
public:
    /// Returns an empty chunk. Throws std::bad_alloc.
    [[nodiscard]] Chunk<D>* take()
    {
        if (free_ == nullptr) grow();
        Chunk<D>* chunk = std::exchange(free_, free_->next);
        chunk->next = nullptr;
        chunk->size = 0;
        return chunk;
    }
    void give_back(Chunk<D>* chunk) { chunk->next = std::exchange(free_, chunk); }

private:
    static constexpr std::size_t kChunksPerBlock = 64;

    void grow()
    {
        blocks_.push_back(std::make_unique_for_overwrite<Chunk<D>[]>(kChunksPerBlock));
        for (std::size_t i = 0; i < kChunksPerBlock; ++i) give_back(&blocks_.back()[i]);
    }

    std::vector<std::unique_ptr<Chunk<D>[]>> blocks_;
    Chunk<D>* free_ = nullptr;
};

/// No bucket: larger than the number of any bucket.
inline constexpr std::uint64_t kNoBucket = std::numeric_limits<std::uint64_t>::max();

template <typename D>
class LocalBuckets
{
public:
    /// Makes `bucket` the current one. `bucket_of` gives the bucket of a distance. Pre: no vertex
    /// is in an earlier bucket.
    template <typename BucketOf>
    void advance(std::uint64_t bucket, BucketOf&& bucket_of)
    {
        current_ = bucket;
        if (first_far_ == bucket) fetch_far(bucket_of);
    }

    /// Pre: the bucket is not before the current one.
    void push(std::uint64_t bucket, QueuedVertex<D> queued)
    {
        ++size_;
        if (bucket - current_ >= kRing) {
            far_.push_back(queued);
            first_far_ = std::min(first_far_, bucket);
            return;
        }
        Chunk<D>*& head = ring_[bucket % kRing];
        if (head == nullptr || head->size == Chunk<D>::kCapacity) {
            Chunk<D>* chunk = pool_.take();
            chunk->next = head;
            head = chunk;
            set_bit(occupied_.data(), bucket % kRing);
        }
        head->vertices[head->size++] = queued;
    }

    /// Removes the chunks of the current bucket, and returns them as a list; null if there are
    /// none.
    [[nodiscard]] Chunk<D>* take_current()
    {
        occupied_[current_ % kRing / kWordBits] &= ~(std::uint64_t{1} << (current_ % kWordBits));
        return remove(ring_[current_ % kRing]);
    }
    /// The same, but leaves the chunk that is being filled.
    [[nodiscard]] Chunk<D>* take_full_of_current()
    {
        Chunk<D>* filling = ring_[current_ % kRing];
        return filling == nullptr ? nullptr : remove(filling->next);
    }
    /// Takes back a chunk that is no longer used, even if another thread's buckets made it.
    void give_back(Chunk<D>* chunk) { pool_.give_back(chunk); }

    /// The first bucket with vertices; kNoBucket if all buckets are empty.
    [[nodiscard]] std::uint64_t first() const
    {
        const std::uint64_t start = current_ % kRing;
        const std::uint64_t from_start = ~std::uint64_t{0} << (start % kWordBits);
        for (std::uint64_t i = 0; i <= kWords; ++i) {
            const std::uint64_t index = (start / kWordBits + i) % kWords;
            std::uint64_t word = occupied_[index];
            if (i == 0) word &= from_start;
            if (i == kWords) word &= ~from_start;
            if (word == 0) continue;
            const std::uint64_t place = index * kWordBits + static_cast<std::uint64_t>(std::countr_zero(word));
            return std::min(first_far_, current_ + (place - start) % kRing);
        }
        return first_far_;
    }
    /// The number of vertices in all buckets.
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    static constexpr std::uint64_t kRing = 256;
    static constexpr std::uint64_t kWords = kRing / kWordBits;

    [[nodiscard]] Chunk<D>* remove(Chunk<D>*& list)
    {
        for (const Chunk<D>* chunk = list; chunk != nullptr; chunk = chunk->next) size_ -= chunk->size;
        return std::exchange(list, nullptr);
    }

    /// Moves the vertices of the buckets that the ring now covers into it.
    template <typename BucketOf>
    void fetch_far(BucketOf&& bucket_of)
    {
        std::swap(far_, fetched_);
        first_far_ = kNoBucket;
        size_ -= fetched_.size();
        for (const QueuedVertex<D>& queued : fetched_) push(bucket_of(queued.distance), queued);
        fetched_.clear();
    }

    ChunkPool<D> pool_;
    std::array<Chunk<D>*, kRing> ring_{};
    // A bit for each place of the ring: whether it has chunks.
    std::array<std::uint64_t, kWords> occupied_{};
    std::uint64_t current_ = 0;
    std::vector<QueuedVertex<D>> far_;
    std::vector<QueuedVertex<D>> fetched_;  // empty, but keeps its memory
    std::uint64_t first_far_ = kNoBucket;
    std::size_t size_ = 0;
};

}  // namespace wayfront::cpu
