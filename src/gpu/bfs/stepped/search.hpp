// The stepped search: the host launches the levels, and the GPUs exchange messages between the
// launches.
//
// It is for GPUs of several hosts, and for GPUs of one host that do not reach each other's memory
// or that ranks share; any number of ranks and any way of exchange
// (gpu/exchange/device_exchange.hpp) is possible. It searches the same graph as the resident
// search, with the levels of gpu/bfs. A bottom-up level begins with an all-gather of bitmaps. A
// top-down level visits own vertices at once. It sends the vertices of other ranks that it found to
// their owners, each with its parent, in rounds of bounded size; an owner takes the first parent of
// a vertex and ignores the others. Parents are therefore sent in top-down levels only. This header
// is free of CUDA's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/process_grid.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/exchange/device_exchange.hpp"

namespace wayfront::gpu {
struct DeviceGraph;
}  // namespace wayfront::gpu

namespace wayfront::gpu::bfs {

class SteppedSearch final : public DeviceSearch
{
public:
    /// The work items of a top-down level between two exchanges. So many items can have at most
    /// 2^24 edges. A level with no more edges always takes one exchange.
    static constexpr std::uint64_t kRoundItems = std::uint64_t{1} << 17;

    /// Grid, graph, exchange and log outlive the search. The log gets a span for each message.
    /// Sends no messages. Throws ResourceError.
    SteppedSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, DeviceExchange& exchange,
                  const DeviceSearchOptions& options, std::uint64_t round_items = kRoundItems, PhaseLog* log = nullptr);
    ~SteppedSearch() override;

    [[nodiscard]] std::vector<DeviceLevel> levels() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// The bytes that state_bytes() will return on a rank with these numbers of slots, local
    /// vertices and edges (the sum of the lengths of its lists), if all ranks ask each other for
    /// the same number of vertices. Pre: slots is a multiple of kTileSlots.
    [[nodiscard]] static std::size_t state_bytes_for(std::uint32_t slots, int ranks, std::size_t local_count,
                                                     std::uint64_t edges, bool levels);

private:
    void search(Vertex key) override;
    [[nodiscard]] const DeviceResults& results() const override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
