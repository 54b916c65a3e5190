// The collective operations of ranks on buffers in device memory, over any transport. Free of
// CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wayfront::gpu {

class Stream;

/// All functions except ranks() and rank() are collective. Calls on device memory are ordered by
/// the stream: a call begins after the work that was enqueued before it, and work that is enqueued
/// later sees its result. A call may return before it is complete.
class DeviceCollectives
{
public:
    DeviceCollectives() = default;
    DeviceCollectives(const DeviceCollectives&) = delete;  // represents the ranks' connection
    DeviceCollectives& operator=(const DeviceCollectives&) = delete;
    virtual ~DeviceCollectives() = default;

    [[nodiscard]] virtual int ranks() const = 0;
    [[nodiscard]] virtual int rank() const = 0;

    /// Gathers pieces in place: `pieces`, in device memory, has P pieces of `piece_bytes` each, and
    /// piece r of rank r is copied to all ranks.
    virtual void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) = 0;
    /// Copies piece r of `send` to piece `rank` of `receive` on rank r. Both are in device memory
    /// and have P pieces of `piece_bytes` each.
    virtual void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes,
                            const Stream& stream) = 0;

    /// Reduces host memory element by element over all ranks, in place.
    virtual void sum(std::span<std::int64_t> values) = 0;
    virtual void max(std::span<std::int64_t> values) = 0;
};

/// A single rank, which has nothing to exchange.
class OneRank final : public DeviceCollectives
{
public:
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] int rank() const override { return 0; }
    void all_gather(std::byte* /*pieces*/, std::size_t /*piece_bytes*/, const Stream& /*stream*/) override {}
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream) override;
    void sum(std::span<std::int64_t> /*values*/) override {}
    void max(std::span<std::int64_t> /*values*/) override {}
};

}  // namespace wayfront::gpu
