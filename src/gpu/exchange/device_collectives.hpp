// What ranks do together with buffers in device memory, whatever carries the bytes. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wayfront::gpu {

class Stream;

/// All calls but ranks() and rank() are collective. Those on device memory take their place in the stream: they begin when what was enqueued before
/// is done, and what is enqueued afterwards finds the outcome. They may return before that.
class DeviceCollectives
{
public:
    DeviceCollectives() = default;
    DeviceCollectives(const DeviceCollectives&) = delete;  // stands for the ranks' connection
    DeviceCollectives& operator=(const DeviceCollectives&) = delete;
    virtual ~DeviceCollectives() = default;

    [[nodiscard]] virtual int ranks() const = 0;
    [[nodiscard]] virtual int rank() const = 0;

    /// `pieces` in device memory holds P pieces of `piece_bytes` each; piece r is filled by rank r and arrives at all. In place.
    virtual void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) = 0;
    /// Piece r of `send` becomes piece `rank` of `receive` on rank r; both in device memory, P pieces of `piece_bytes` each.
    virtual void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream) = 0;

    /// Element-wise over all ranks, in place, in host memory.
    virtual void sum(std::span<std::int64_t> values) = 0;
    virtual void max(std::span<std::int64_t> values) = 0;
};

/// One rank by itself, which has nothing to exchange.
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
