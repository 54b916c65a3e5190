// The panels of a rank's tiles in device memory (device_tiles.hpp), and their exchange between GPUs
// (algo/apsp/panel_exchange.hpp).
//
// Ranks that share a matrix have two sets of panels, used in turn: the panels of the next pivot are
// made while those of the current pivot are read. All panels of a rank are in one allocation with
// the same layout on all ranks, so that peers open it once and find the panels.
//
// Over the peers' memory: the host of the rank that makes a panel waits until the panel is
// complete, and then sends a message of one byte to the other ranks, which copy the panel to their
// own memory in their stream. All ranks begin the panels of a pivot together; each rank has then
// copied the panels of the pivot before the last one, whose memory is overwritten. Over NCCL, the
// order of the streams suffices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "algo/apsp/block_cyclic.hpp"
#include "algo/apsp/panel_exchange.hpp"
#include "comm/process_grid.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/panel_plan.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

class DevicePanels
{
public:
    /// Throws ResourceError.
    DevicePanels(const algo::BlockCyclic& tiles, MinPlusSums sums);

    /// The panel in this rank's memory, with the size of this rank's tiles.
    [[nodiscard]] std::span<std::uint32_t> of(PanelPart part, std::size_t pivot)
    {
        return in(memory_.data(), part, pivot);
    }
    /// The panel in the memory of another rank of the grid row or column. `base`: address of that
    /// rank's memory.
    [[nodiscard]] std::span<std::uint32_t> in(std::byte* base, PanelPart part, std::size_t pivot) const;

    [[nodiscard]] std::byte* base() { return memory_.data(); }

private:
    std::size_t sets_;
    PanelPlan plan_;
    std::array<std::size_t, kPanelParts> words_;  // words of each of this rank's panels
    DeviceBuffer<std::byte> memory_;
};

/// The objects that the exchange of a rank's panels uses. All of them outlive the exchange.
/// `stream` is the stream that makes the panels and reads them first.
struct PanelWork
{
    const comm::ProcessGrid& grid;
    const algo::BlockCyclic& tiles;
    DevicePanels& panels;
    const Stream& stream;
};

/// The exchange over the peers' memory. Pre: the ranks reach each other's memory (peer_obstacle());
/// they may share a GPU. Collective, as is the destructor: see OpenedPeers. Throws the same
/// ResourceError on all ranks.
[[nodiscard]] std::unique_ptr<algo::PanelExchange> exchange_over_peers(const PanelWork& work);

/// The exchange over NCCL. `nccl` connects the ranks of the grid's world.
[[nodiscard]] std::unique_ptr<algo::PanelExchange> exchange_over_nccl(const PanelWork& work,
                                                                      std::shared_ptr<NcclRanks> nccl);

}  // namespace wayfront::gpu::apsp
