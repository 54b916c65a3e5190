// The transports of the DeviceExchange ways that send in rounds: over memory that the ranks of a
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
/// Show: the rank writes bytes to outgoing(); show() sends them to all ranks; the rank copies the
/// bytes of the other ranks from shown().
/// Deal: lay_out() sets the numbers of bytes to each rank and from each rank; the rank writes to
/// outgoing(peer); deal() sends; the received bytes are in dealt(peer).
class Transport
{
public:
    virtual ~Transport() = default;

    /// The largest number of bytes that a rank can show to all ranks in a round, and the largest
    /// number that it can deal to each rank.
    [[nodiscard]] virtual std::size_t most_shown() const = 0;
    [[nodiscard]] virtual std::size_t most_dealt() const = 0;

    [[nodiscard]] virtual std::byte* outgoing() = 0;
    /// Pre: `bytes` bytes have been written to outgoing(). Collective.
    virtual void show(std::size_t bytes) = 0;
    [[nodiscard]] virtual const std::byte* shown(std::size_t peer) const = 0;

    /// `most`: the same on all ranks, and not less than any of the numbers of bytes.
    virtual void lay_out(std::size_t most, std::span<const std::int64_t> send_bytes,
                         std::span<const std::int64_t> receive_bytes) = 0;
    [[nodiscard]] virtual std::byte* outgoing(std::size_t peer) = 0;
    /// Pre: the bytes for each peer have been written to outgoing(peer). Collective.
    virtual void deal() = 0;
    [[nodiscard]] virtual const std::byte* dealt(std::size_t peer) const = 0;

    /// Ends a round after all copies from shown() or dealt() are complete. The next round
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
