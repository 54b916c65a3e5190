// NCCL over the ranks' GPUs. The library is loaded at run time, when it is first needed: a program
// that was built with NCCL's header also runs if the library is missing, and reports that. Free of
// CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

class Stream;

/// Device memory that a rank sends to another rank, or receives from it.
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
    /// of the connection and of messages comes first, which can be aborted: if it fails on one
    /// rank, or one of its steps takes more than a minute, all ranks throw the same ResourceError.
    /// The final connection waits for all ranks without a limit.
    explicit NcclRanks(const comm::Communicator& ranks);
    NcclRanks(const NcclRanks&) = delete;  // owns NCCL's communicator
    NcclRanks& operator=(const NcclRanks&) = delete;
    /// Waits for the other ranks of the host, unless an exception ends the scope: the others may
    /// then be anywhere in the program.
    ~NcclRanks();

    /// These calls are those of DeviceExchange, but they are enqueued on the stream and do not
    /// wait.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);
    /// Enqueues messages that proceed at the same time. Not collective: only a peer that sends or
    /// receives takes part. Messages between two ranks match in their order, within a call and from
    /// call to call.
    void exchange(std::span<const NcclMessage> messages, const Stream& stream);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Ranks that are connected over NCCL, or the reason why they are not.
struct NcclConnection
{
    std::shared_ptr<NcclRanks> ranks;  // null with one rank, which needs no connection
    // Built without the header, no library, a shared GPU, or NCCL's error message; the same on all
    // ranks.
    std::string obstacle;
};

/// Tries to connect these ranks. Collective. It takes up to seconds, and device memory, so call it
/// once in a run.
[[nodiscard]] NcclConnection connect_nccl(const comm::Communicator& ranks);

}  // namespace wayfront::gpu
