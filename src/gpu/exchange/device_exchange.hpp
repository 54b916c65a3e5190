// What ranks exchange between their device memories, outside of the resident search: construction's numbering, validation's parents and marks, the
// frontiers of the stepped search.
//
// Four ways. Over the peers' memory, where the ranks are on one host and reach each other (gpu/exchange/peers.hpp): each rank shows pieces in a
// window that all peers have open, and copies out of theirs. Over NCCL. Over an MPI that takes device memory (comm::cuda_aware). Over any MPI: staged
// through pinned host memory. Windows and stages move bounded chunks, so that no way takes memory that grows with the graph.
//
// Calls take their place in the stream: they begin when what was enqueued before is done, and what is enqueued afterwards finds the outcome. Over
// NCCL, and with one rank, they return before that: a host that wants to look at the outcome, or to free what it sent, waits for the stream first. In
// the other ways the host has a part and waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/validation.hpp"

namespace wayfront::gpu {

enum class ExchangeWay { peers, nccl, device_mpi, staged };

/// How these ranks exchange over MPI: straight from device memory where it takes that on all of them, else staged. Collective.
[[nodiscard]] ExchangeWay way_over_mpi(const comm::Communicator& ranks);

class DeviceExchange
{
public:
    /// `peers` needs ranks of one host that reach each other's memory (peer_obstacle), `nccl` their connection (connect_nccl), which may serve
    /// others, too. Collective over `ranks`, which outlives the object. Throws ResourceError where memory ends or, on all ranks, where peers cannot
    /// be opened.
    DeviceExchange(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl = nullptr);
    DeviceExchange(const DeviceExchange&) = delete;  // owns memory that peers have open
    DeviceExchange& operator=(const DeviceExchange&) = delete;
    ~DeviceExchange();  // collective, as OpenedPeers says

    [[nodiscard]] ExchangeWay way() const { return way_; }

    /// `pieces` in device memory holds P pieces of `piece_bytes` each; piece r is filled by rank r and arrives at all. In place. Collective.
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream);

    /// Piece r of `send` becomes piece `rank` of `receive` on rank r; both in device memory, P pieces of `piece_bytes` each. Collective.
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream);

    /// The same of pieces of any sizes: send_bytes[r] for rank r, receive_bytes[r] from it, one piece after the other.
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);

    /// What construction and validation ask of ranks; valid while this object lives.
    [[nodiscard]] ConstructionRanks construction_ranks();
    [[nodiscard]] Collectives collectives();

    class Way;

private:
    const comm::Communicator& ranks_;
    ExchangeWay way_;
    std::unique_ptr<Way> calls_;  // null for one rank
};

}  // namespace wayfront::gpu
