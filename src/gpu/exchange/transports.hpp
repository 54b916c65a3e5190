// The transports of the DeviceExchange methods that send in rounds: over memory that the ranks of a
// host share, on their devices or in pinned host memory; or staged over MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

/// Sends in rounds, of which there are two kinds.
///
/// All-gather: the rank writes bytes to send_buffer(); all_gather() sends them to all ranks; the
/// rank copies the bytes of the other ranks from gathered(). All-to-all: set_piece_sizes() sets the
/// numbers of bytes to each rank and from each rank; the rank writes to send_buffer(peer);
/// all_to_all() sends; the received bytes are in received(peer).
class Transport
{
public:
    virtual ~Transport() = default;

    /// The largest number of bytes that a rank can send to all ranks in an all-gather, and the
    /// largest number that it can send to each rank in an all-to-all.
    [[nodiscard]] virtual std::size_t most_gathered_bytes() const = 0;
    [[nodiscard]] virtual std::size_t most_piece_bytes() const = 0;

    [[nodiscard]] virtual std::byte* send_buffer() = 0;
    /// Pre: `bytes` bytes have been written to send_buffer(). Collective.
    virtual void all_gather(std::size_t bytes) = 0;
    [[nodiscard]] virtual const std::byte* gathered(std::size_t peer) const = 0;

    /// `most`: the same on all ranks, and not less than any of the numbers of bytes.
    virtual void set_piece_sizes(std::size_t most, std::span<const std::int64_t> send_bytes,
                                 std::span<const std::int64_t> receive_bytes) = 0;
    [[nodiscard]] virtual std::byte* send_buffer(std::size_t peer) = 0;
    /// Pre: the bytes for each peer have been written to send_buffer(peer). Collective.
    virtual void all_to_all() = 0;
    [[nodiscard]] virtual const std::byte* received(std::size_t peer) const = 0;

    /// Ends a round after all copies from gathered() or received() are complete. The next round
    /// overwrites these bytes.
    virtual void finish_round() = 0;
};

/// The offsets of pieces that are stored one after the other.
[[nodiscard]] std::vector<std::size_t> begins_of(std::span<const std::int64_t> bytes);

/// A transport over windows of device memory that all ranks open. Throws ResourceError on all ranks
/// if the memory cannot be opened. This function and the next two are collective over `ranks`,
/// which outlives the transport.
[[nodiscard]] std::unique_ptr<Transport> over_device_windows(const comm::Communicator& ranks);
/// A transport over windows of pinned memory. Null on all ranks if the ranks cannot share memory or
/// cannot pin it.
[[nodiscard]] std::unique_ptr<Transport> over_host_windows(const comm::Communicator& ranks);
/// A transport through pinned memory and MPI.
[[nodiscard]] std::unique_ptr<Transport> staged_over_mpi(const comm::Communicator& ranks);

}  // namespace wayfront::gpu
