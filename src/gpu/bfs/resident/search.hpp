// The resident search, as the host sees it: a search is one launch.
//
// The search runs on at most kMaxPeers GPUs of one host that reach each other's memory (CUDA IPC).
// This header is free of CUDA's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/exchange/peers.hpp"

namespace wayfront::gpu {
struct DeviceGraph;
}  // namespace wayfront::gpu

namespace wayfront::gpu::bfs {

class ResidentSearch final : public DeviceSearch
{
public:
    /// Allocates the memory of all runs, and opens the memory of the peers. The graph outlives the
    /// search and belongs to `grid`. Collective. Throws ResourceError: on all ranks if the peers'
    /// memory cannot be opened, on this rank alone if its own memory does not suffice.
    ResidentSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, const DeviceSearchOptions& options);
    /// Collective, unless an exception ends the scope.
    ~ResidentSearch() override;

    /// Prepares searches from several keys. They run on one GPU, and only if levels are kept.
    void prepare_nearest() override;
    void copy_nearest(std::span<std::int32_t> nearest) const override;

    [[nodiscard]] std::vector<DeviceLevel> level_records() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// The bytes that state_bytes() will return on a rank with these numbers.
    [[nodiscard]] static std::size_t state_bytes_for(const RankNumbers& rank, int ranks, bool levels);

private:
    void search(Vertex key) override;
    void search_nearest(std::span<const Vertex> keys) override;
    [[nodiscard]] const DeviceResults& results() const override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
