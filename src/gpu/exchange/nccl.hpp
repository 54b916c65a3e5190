// NCCL over the ranks' GPUs. The library is loaded when it is asked for: a program that was built with NCCL's header runs where the library is
// missing, and says so. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"

namespace wayfront::gpu {

class Stream;

class NcclRanks
{
public:
    /// NCCL's communicator over these ranks and the devices that are current. Collective. A trial that can be given up comes first, of the connection
    /// and of messages: where it fails on one rank, or a step of it takes more than a minute, all throw the same ResourceError. The connection that
    /// serves waits for all ranks, without a limit.
    explicit NcclRanks(const comm::Communicator& ranks);
    NcclRanks(const NcclRanks&) = delete;  // owns NCCL's communicator
    NcclRanks& operator=(const NcclRanks&) = delete;
    /// Waits for the other ranks of the host, unless an exception ends the scope, when these may be anywhere.
    ~NcclRanks();

    /// As those of DeviceExchange, but enqueued on the stream, not waited for.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Ranks connected over NCCL, or why they are not.
struct NcclConnection
{
    std::shared_ptr<NcclRanks> ranks;  // nothing for one rank, which needs none
    std::string obstacle;              // built without the header, no library, a shared GPU, or what NCCL says; the same on all ranks
};

/// Tries to connect these ranks. Takes long, up to seconds, and device memory: once a run. Collective.
[[nodiscard]] NcclConnection connect_nccl(const comm::Communicator& ranks);

}  // namespace wayfront::gpu
