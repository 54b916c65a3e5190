// Messages of small pieces over MPI, through pinned memory of the host.
#pragma once

#include <cstddef>

#include "comm/communicator.hpp"
#include "gpu/exchange/message_pieces.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Sends small pieces. Kernels can fill and read the pinned memory themselves (message_memory()),
/// without copies. Otherwise, a call copies the pieces to and from pinned memory. A call first
/// waits until the work in the stream is complete. When it returns, the last copies, and kernels
/// that read the memory, may still run. Therefore the next call must be in the same stream, or the
/// host must have synchronized the stream.
class SmallMessages
{
public:
    /// `most_bytes`: largest size of a piece. `ranks` outlives the object. Throws ResourceError if
    /// the memory does not suffice.
    SmallMessages(const comm::Communicator& ranks, std::size_t most_bytes);

    /// The memory in which kernels should fill and read pieces of this size: the given device
    /// memory, or pinned memory if the pieces are very small.
    [[nodiscard]] MessagePieces message_memory(std::size_t piece_bytes, std::byte* send, std::byte* receive);

    /// See DeviceCollectives. Pre: a piece has at most `most_bytes` bytes. Collective.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);
    /// Sends only the used bytes of each piece. Returns the bytes that were sent to other ranks.
    std::size_t all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream,
                           UsedBytes used);

private:
    /// Waits until the pieces to send are complete, and until earlier copies have left the memory
    /// of this message.
    void wait(const Stream& stream);
    /// Copies the received pieces, unless kernels read them in pinned memory.
    void copy_received(std::byte* to, std::size_t bytes, const Stream& stream);

    const comm::Communicator& ranks_;
    PinnedBuffer<std::byte> sent_, received_;
    Event copied_;
};

}  // namespace wayfront::gpu
