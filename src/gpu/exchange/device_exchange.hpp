// The exchange between the ranks' device memories outside of the resident search: for the numbering
// of construction; for parents and marks of validation; for frontiers, paths and bounds of stepped
// searches; and for vertices and distances of searches over grids.
//
// There are five methods (ExchangeMethod):
//
// * peers: the ranks are on one host and reach each other's memory (gpu/exchange/peers.hpp). Each
//   rank writes pieces to a window that all peers have opened, and copies pieces from the windows
//   of its peers.
// * nccl: NCCL.
// * device_mpi: an MPI that accepts device memory (comm::cuda_aware).
// * host_memory: windows in pinned host memory, which the ranks of one host share.
// * staged: any MPI, through pinned host memory.
//
// Windows and stages transfer chunks of bounded size, so that the memory of an exchange does not
// grow with the graph. Small pieces of equal size are sent by MPI through host memory
// (small_messages.hpp) if messages are staged, and instead of NCCL between hosts if that is faster.
//
// Calls are ordered by the stream: a call begins after the work that was enqueued before it, and
// work that is enqueued later sees its result. Over NCCL, with small pieces, and with one rank, a
// call may return before it is complete: the host must synchronize the stream before it reads the
// result or frees the sent memory. In all other cases the host waits in the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/exchange/message_pieces.hpp"
#include "gpu/exchange/nccl.hpp"

namespace wayfront::gpu {

enum class ExchangeMethod { peers, nccl, device_mpi, host_memory, staged };

/// The method by which these ranks exchange over MPI: device_mpi if MPI accepts device memory on
/// all ranks, otherwise host_memory. Collective.
[[nodiscard]] ExchangeMethod method_over_mpi(const comm::Communicator& ranks);

class DeviceExchange final : public DeviceCollectives
{
public:
    /// Method `peers`: pre: the ranks are on one host and reach each other's memory
    /// (peer_obstacle()). Method `nccl`: `nccl` is the connection of the ranks (connect_nccl()),
    /// which other objects may use, too. Method `host_memory` becomes `staged` if the ranks are on
    /// several hosts or cannot share memory. Collective over `ranks`, which outlives the object.
    /// Throws ResourceError if the memory does not suffice, or, on all ranks, if the memory of the
    /// peers cannot be opened.
    DeviceExchange(const comm::Communicator& ranks, ExchangeMethod method, std::shared_ptr<NcclRanks> nccl = nullptr);
    ~DeviceExchange() override;  // collective: see OpenedPeers

    [[nodiscard]] ExchangeMethod method() const { return method_; }
    /// Whether calls may return before they are complete. Calls with small pieces between hosts may
    /// still wait.
    [[nodiscard]] bool in_stream() const { return method_ == ExchangeMethod::nccl; }
    /// The bytes that all calls so far have sent to other ranks.
    [[nodiscard]] std::uint64_t sent_bytes() const { return sent_bytes_; }

    /// The memory in which kernels should fill the pieces of the next call and read its received
    /// pieces: the given device memory, or pinned host memory. The next call is an all_to_all() or
    /// all_gather() with pieces of this size; an all_gather() uses `receive`. Pre: the calls before
    /// and after are in the same stream, or the host has synchronized the stream in between.
    [[nodiscard]] MessagePieces message_memory(std::size_t piece_bytes, std::byte* send, std::byte* receive) const;

    [[nodiscard]] int ranks() const override { return ranks_.size(); }
    [[nodiscard]] int rank() const override { return ranks_.rank(); }
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override;
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream) override
    {
        all_to_all(send, receive, piece_bytes, stream, all_bytes);
    }
    /// An all_to_all() in which only the used bytes of each piece need to be sent.
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream,
                    UsedBytes used);
    void sum(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::sum); }
    void max(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::max); }

    /// An all_to_all() of pieces of any sizes: this rank sends send_bytes[r] bytes to rank r and
    /// receives receive_bytes[r] bytes from it. The pieces are stored one after the other.
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);

    class Implementation;

private:
    const comm::Communicator& ranks_;
    ExchangeMethod method_;
    std::unique_ptr<Implementation> implementation_;  // null if there is one rank
    std::uint64_t sent_bytes_ = 0;
};

}  // namespace wayfront::gpu
