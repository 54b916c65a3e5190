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
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/exchange/nccl.hpp"

namespace wayfront::gpu {

enum class ExchangeWay { peers, nccl, device_mpi, staged };

/// How these ranks exchange over MPI: straight from device memory where it takes that on all of them, else staged. Collective.
[[nodiscard]] ExchangeWay way_over_mpi(const comm::Communicator& ranks);

class DeviceExchange final : public DeviceCollectives
{
public:
    /// `peers` needs ranks of one host that reach each other's memory (peer_obstacle), `nccl` their connection (connect_nccl), which may serve
    /// others, too. Collective over `ranks`, which outlives the object. Throws ResourceError where memory ends or, on all ranks, where peers cannot
    /// be opened.
    DeviceExchange(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl = nullptr);
    ~DeviceExchange() override;  // collective, as OpenedPeers says

    [[nodiscard]] ExchangeWay way() const { return way_; }

    [[nodiscard]] int ranks() const override { return ranks_.size(); }
    [[nodiscard]] int rank() const override { return ranks_.rank(); }
    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override;
    void all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream) override;
    void sum(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::sum); }
    void max(std::span<std::int64_t> values) override { ranks_.all_reduce(values, comm::Reduction::max); }

    /// all_to_all() of pieces of any sizes: send_bytes[r] for rank r, receive_bytes[r] from it, one piece after the other.
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream);

    class Way;

private:
    const comm::Communicator& ranks_;
    ExchangeWay way_;
    std::unique_ptr<Way> calls_;  // null for one rank
};

}  // namespace wayfront::gpu
