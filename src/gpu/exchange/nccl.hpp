// NCCL over the ranks' GPUs. The library is loaded at run time, at its first use: a program that
// was built with NCCL's header also runs without the library, and reports that it is missing. Free
// of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

class Stream;

/// A message: device memory that a rank sends to another rank or receives from it.
struct NcclMessage
{
    enum class Kind { sent, received };

    Kind kind = Kind::sent;
    int peer = 0;
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
};

class NcclRanks
{
public:
    /// Creates NCCL's communicator over these ranks and their current devices. Collective. A trial
    /// of the connection and of messages comes first; the trial can be aborted. If the trial fails
    /// on one rank, or one of its steps takes more than a minute, all ranks throw the same
    /// ResourceError. The final connection waits for all ranks without a time limit.
    explicit NcclRanks(const comm::Communicator& ranks);
    NcclRanks(const NcclRanks&) = delete;  // owns NCCL's communicator
    NcclRanks& operator=(const NcclRanks&) = delete;
    /// Waits for the other ranks of the host, unless an exception ends the scope: in that case the
    /// other ranks may be anywhere in the program.
    ~NcclRanks();

    /// The collective operations of DeviceExchange. They are enqueued on the stream, and the host
    /// does not wait.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);
    /// Enqueues messages that run concurrently. Not collective: only the sending and the receiving
    /// rank of a message take part. Messages between two ranks match in their order, within a call
    /// and from call to call.
    void exchange(std::span<const NcclMessage> messages, const Stream& stream);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The NCCL connection of ranks, or the reason why there is none.
struct NcclConnection
{
    std::shared_ptr<NcclRanks> ranks;  // null for a single rank, which needs no connection
    // Empty, or: no header at build time, no library, a shared GPU, or NCCL's error message. The
    // same on all ranks.
    std::string obstacle;
};

/// Tries to connect these ranks. Collective. The call takes up to seconds and allocates device
/// memory, so it should be made once in a run.
[[nodiscard]] NcclConnection connect_nccl(const comm::Communicator& ranks);

}  // namespace wayfront::gpu
