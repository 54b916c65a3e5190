// Ranks that are threads of this process and share a GPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gpu/exchange/device_collectives.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The collectives of ranks that are threads. If a rank fails, the calls of the other ranks throw.
class ThreadRanks
{
public:
    explicit ThreadRanks(int ranks)
        : ranks_(static_cast<std::size_t>(ranks)), barrier_(ranks), sent_(ranks_), values_(ranks_)
    {
    }

    [[nodiscard]] std::unique_ptr<DeviceCollectives> of(std::size_t rank)
    {
        return std::make_unique<Member>(*this, rank);
    }

    void leave()
    {
        failed_ = true;
        barrier_.arrive_and_drop();
    }

private:
    class Member final : public DeviceCollectives
    {
    public:
        Member(ThreadRanks& group, std::size_t rank) : group_(group), rank_(rank) {}

        [[nodiscard]] int ranks() const override { return static_cast<int>(group_.ranks_); }
        [[nodiscard]] int rank() const override { return static_cast<int>(rank_); }
        void all_gather(std::byte* pieces, std::size_t bytes, const Stream& stream) override
        {
            group_.publish(rank_, pieces, stream);
            for (std::size_t r = 0; r < group_.ranks_; ++r) {
                if (r != rank_)
                    copy_async(std::span<const std::byte>(group_.sent_[r] + r * bytes, bytes),
                               std::span(pieces + r * bytes, bytes), stream);
            }
            group_.finish(stream);
        }
        void all_to_all(const std::byte* send, std::byte* receive, std::size_t bytes, const Stream& stream) override
        {
            group_.publish(rank_, send, stream);
            for (std::size_t r = 0; r < group_.ranks_; ++r)
                copy_async(std::span<const std::byte>(group_.sent_[r] + rank_ * bytes, bytes),
                           std::span(receive + r * bytes, bytes), stream);
            group_.finish(stream);
        }
        void sum(std::span<std::int64_t> values) override
        {
            group_.reduce(rank_, values, [](std::int64_t a, std::int64_t b) { return a + b; });
        }
        void max(std::span<std::int64_t> values) override
        {
            group_.reduce(rank_, values, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
        }

    private:
        ThreadRanks& group_;
        std::size_t rank_;
    };

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

/// Calls f(collectives, rank) in one thread for each of `ranks` ranks. Throws if one of the calls
/// throws.
template <typename F>
void on_thread_ranks(int ranks, F&& f)
{
    ThreadRanks group(ranks);
    std::vector<std::string> errors(static_cast<std::size_t>(ranks));
    const auto run_rank = [&](std::size_t rank) {
        try {
            const std::unique_ptr<DeviceCollectives> together =
                ranks > 1 ? group.of(rank) : std::make_unique<OneRank>();
            f(*together, rank);
        } catch (const std::exception& error) {
            errors[rank] = error.what();
            group.leave();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < errors.size(); ++rank) threads.emplace_back(run_rank, rank);
    for (std::thread& thread : threads) thread.join();
    for (const std::string& error : errors)
        if (!error.empty()) throw std::runtime_error(error);
}

}  // namespace wayfront::gpu
