// Ranks that are threads of this process and share a GPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "gpu/kron/validation.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The collectives of such ranks. A rank that fails makes the others' calls throw.
class ThreadRanks
{
public:
    explicit ThreadRanks(int ranks) : ranks_(static_cast<std::size_t>(ranks)), barrier_(ranks), sent_(ranks_), values_(ranks_) {}

    [[nodiscard]] Collectives of(std::size_t rank)
    {
        Collectives calls;
        calls.all_gather = [this, rank](std::byte* pieces, std::size_t bytes, const Stream& stream) {
            publish(rank, pieces, stream);
            for (std::size_t r = 0; r < ranks_; ++r) {
                if (r != rank) copy_async(std::span<const std::byte>(sent_[r] + r * bytes, bytes), std::span(pieces + r * bytes, bytes), stream);
            }
            finish(stream);
        };
        calls.all_to_all = [this, rank](const std::byte* send, std::byte* receive, std::size_t bytes, const Stream& stream) {
            publish(rank, send, stream);
            for (std::size_t r = 0; r < ranks_; ++r)
                copy_async(std::span<const std::byte>(sent_[r] + rank * bytes, bytes), std::span(receive + r * bytes, bytes), stream);
            finish(stream);
        };
        calls.sum = [this, rank](std::span<std::int64_t> values) { reduce(rank, values, [](std::int64_t a, std::int64_t b) { return a + b; }); };
        calls.max = [this, rank](std::span<std::int64_t> values) {
            reduce(rank, values, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
        };
        return calls;
    }

    void leave()
    {
        failed_ = true;
        barrier_.arrive_and_drop();
    }

private:
    void publish(std::size_t rank, const std::byte* memory, const Stream& stream)
    {
        stream.synchronize();
        sent_[rank] = memory;
        wait();
    }
    void finish(const Stream& stream)
    {
        stream.synchronize();
        wait();
    }
    template <typename Op>
    void reduce(std::size_t rank, std::span<std::int64_t> values, Op op)
    {
        values_[rank].assign(values.begin(), values.end());
        wait();
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (r == rank) continue;
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = op(values[i], values_[r][i]);
        }
        wait();
    }
    void wait()
    {
        barrier_.arrive_and_wait();
        if (failed_) throw std::runtime_error("another rank has failed");
    }

    std::size_t ranks_;
    std::barrier<> barrier_;
    std::atomic<bool> failed_ = false;
    std::vector<const std::byte*> sent_;
    std::vector<std::vector<std::int64_t>> values_;
};

}  // namespace wayfront::gpu
