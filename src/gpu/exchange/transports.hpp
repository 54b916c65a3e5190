// How bytes pass from rank to rank in the ways of DeviceExchange that send in rounds: over memory that the ranks of a
// host share, on their devices or in pinned memory of the host, or staged over MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

/// Sends in rounds, of which there are two kinds. Show: the rank writes bytes to outgoing(), show()
/// sends them to all ranks, and the rank copies the bytes of the others from shown(). Deal:
/// lay_out() sets the numbers of bytes for each rank and from each rank, the rank writes to
/// outgoing(peer), deal() sends, and the received bytes are in dealt(peer).
class Transport
{
public:
    virtual ~Transport() = default;

    /// The most bytes that a rank can show to all others in a round, or deal to each of them.
    [[nodiscard]] virtual std::size_t most_shown() const = 0;
    [[nodiscard]] virtual std::size_t most_dealt() const = 0;

    [[nodiscard]] virtual std::byte* outgoing() = 0;
    /// Pre: `bytes` bytes have been written to outgoing(). Collective.
    virtual void show(std::size_t bytes) = 0;
    [[nodiscard]] virtual const std::byte* shown(std::size_t peer) const = 0;

    /// `most`: the same on all ranks, and at least as large as any of the numbers of bytes.
    virtual void lay_out(std::size_t most, std::span<const std::int64_t> send_bytes,
                         std::span<const std::int64_t> receive_bytes) = 0;
    [[nodiscard]] virtual std::byte* outgoing(std::size_t peer) = 0;
    /// Pre: the bytes for each peer have been written to outgoing(peer). Collective.
    virtual void deal() = 0;
    [[nodiscard]] virtual const std::byte* dealt(std::size_t peer) const = 0;

    /// Called when all copies from shown() or dealt() are done; the next round overwrites those
    /// bytes.
    virtual void finish_round() = 0;
};

/// The beginnings of pieces that are stored one after the other.
[[nodiscard]] std::vector<std::size_t> begins_of(std::span<const std::int64_t> bytes);

/// Over windows of device memory that all ranks open. Throws ResourceError on all ranks if they cannot. The functions
/// are collective over `ranks`, which outlives the transport.
[[nodiscard]] std::unique_ptr<Transport> over_device_windows(const comm::Communicator& ranks);
/// Over windows of pinned memory. Null on all ranks if these cannot share memory, or cannot pin it.
[[nodiscard]] std::unique_ptr<Transport> over_host_windows(const comm::Communicator& ranks);
/// Through pinned memory and MPI.
[[nodiscard]] std::unique_ptr<Transport> staged_over_mpi(const comm::Communicator& ranks);

}  // namespace wayfront::gpu
