// Messages of small pieces over MPI, through pinned memory of the host.
#pragma once

#include <cstddef>

#include "comm/communicator.hpp"
#include "gpu/exchange/message_pieces.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Kernels can fill and read the pinned memory themselves (place()), which takes no copies; otherwise a call copies to
/// it and from it. The first waits until the work in the stream is done; the last copies, and kernels that read the
/// memory, may be under way when a call returns. So the next call is in the same stream, or the host has waited for
/// that stream before.
class SmallMessages
{
public:
    /// `most_bytes`: of a piece. `ranks` outlives the object. Throws ResourceError if memory does not suffice.
    SmallMessages(const comm::Communicator& ranks, std::size_t most_bytes);

    /// Where kernels are to have pieces of this size: in the given device memory, unless they are very small.
    [[nodiscard]] MessagePieces place(std::size_t piece_bytes, std::byte* send, std::byte* receive);

    /// As in DeviceCollectives. Pre: a piece has no more than the most bytes. Collective.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);
    /// Only the used bytes of each piece travel. Returns the bytes that were sent to others.
    std::size_t all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream,
                           UsedBytes used);

private:
    /// Waits for what is to be sent, and until earlier copies have left the memory for the next message.
    void wait(const Stream& stream);
    /// Copies what was received, unless kernels read it where it is.
    void take(std::byte* to, std::size_t bytes, const Stream& stream);

    const comm::Communicator& ranks_;
    PinnedBuffer<std::byte> sent_, received_;
    Event taken_;
};

}  // namespace wayfront::gpu
