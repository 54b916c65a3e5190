// The exchange between the ranks' device memories outside of the resident search: construction's
// numbering, validation's parents and marks, the frontiers, paths and bounds of stepped searches, and the
// vertices and distances of searches over grids.
//
// There are five ways. Over the peers' memory, if the ranks are on one host and reach each other's
// memory (gpu/exchange/peers.hpp): each rank writes pieces to a window that all peers have opened,
// and copies from their windows. Over such windows in pinned host memory, which the ranks of one host
// share. Over NCCL. Over an MPI that accepts device memory (comm::cuda_aware). Over any MPI, staged through pinned
// host memory. Windows and stages transfer chunks of bounded size, so that no way needs memory that grows with the
// graph. Small pieces of equal sizes pass over MPI through memory of the host (small_messages.hpp) if messages are
// staged, and, between hosts, instead of NCCL where that is faster.
//
// Calls are ordered by the stream: they begin after the work that was enqueued before them, and
// work that is enqueued later sees their result. Over NCCL, with small pieces, and with one rank, they may return
// before they are done: the host must wait for the stream before it reads the result or frees the memory
// that it sent. Otherwise the host takes part and waits.
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

enum class ExchangeWay { peers, nccl, device_mpi, host_memory, staged };

/// The way in which these ranks exchange over MPI: device_mpi if MPI accepts device memory on all
/// of them, else host_memory. Collective.
[[nodiscard]] ExchangeWay way_over_mpi(const comm::Communicator& ranks);

class DeviceExchange final : public DeviceCollectives
{
public:
    /// `peers` needs ranks of one host that reach each other's memory (peer_obstacle()). `nccl`
    /// needs the ranks' connection (connect_nccl()), which others may use, too. `host_memory` becomes
    /// `staged` if the ranks are on several hosts or can share no memory. Collective over
    /// `ranks`, which outlives the object. Throws ResourceError if memory does not suffice, or, on
    /// all ranks, if peers cannot be opened.
    DeviceExchange(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl = nullptr);
    ~DeviceExchange() override;  // collective: see OpenedPeers

    [[nodiscard]] ExchangeWay way() const { return way_; }
    /// Whether calls return before they are done; small ones between hosts may not.
    [[nodiscard]] bool in_stream() const { return way_ == ExchangeWay::nccl; }
    /// The bytes that all calls so far have sent to other ranks.
    [[nodiscard]] std::uint64_t sent_bytes() const { return sent_bytes_; }

    /// Where the kernels before and after the next call, an all_to_all() or an all_gather() of pieces of this size, are
    /// to fill and read them: in the given device memory, or in pinned memory. An all_gather() takes `receive`. The
    /// calls before and after are in the same stream, or the host has waited for it in between.
    [[nodiscard]] MessagePieces place(std::size_t piece_bytes, std::byte* send, std::byte* receive) const;

    [[nodiscard]] int ranks() const override { return ranks_.size(); }
    [[nodiscard]] int rank() const override { return ranks_.rank(); }
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override;
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream) override
    {
        all_to_all(send, receive, piece_bytes, stream, all_bytes);
    }
    /// The same of pieces of which not all bytes are used: only the used ones need travel.
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream,
                    UsedBytes used);
    void sum(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::sum); }
    void max(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::max); }

    /// all_to_all() of pieces of any sizes: send_bytes[r] bytes go to rank r and receive_bytes[r]
    /// come from it; the pieces are stored one after the other.
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);

    class Way;

private:
    const comm::Communicator& ranks_;
    ExchangeWay way_;
    std::unique_ptr<Way> calls_;  // null if there is one rank
    std::uint64_t sent_bytes_ = 0;
};

}  // namespace wayfront::gpu
