// The stepped search: levels are launched by the host, and what GPUs have for each other travels in messages between the launches.
//
// For GPUs of several hosts, or of one where they do not reach each other's memory or ranks share them; any number of ranks, and any way of exchange
// (gpu/exchange/device_exchange.hpp). It searches the same graph as the resident search, with the levels of search/. A bottom-up level begins with an
// all- gather of bitmaps. A top-down level visits own vertices at once and sends the others' owners, in rounds of bounded size, which vertices it
// found from which; an owner takes the first and ignores the rest. So parents travel with what is asked for, and not at all in bottom-up levels. Free
// of CUDA's headers.
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

class SteppedSearch final : public DeviceSearch
{
public:
    /// Work items of a top-down level between two exchanges; a level of no more edges than they can have, 2^24, takes one exchange in any case.
    static constexpr std::uint64_t kRoundItems = std::uint64_t{1} << 17;

    /// Grid, graph and exchange outlive the search. Sends no messages. Throws ResourceError.
    SteppedSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, DeviceExchange& exchange, const DeviceSearchOptions& options,
                  std::uint64_t round_items = kRoundItems);
    ~SteppedSearch() override;

    void run(Vertex key) override;
    [[nodiscard]] std::vector<DeviceLevel> levels() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// state_bytes() beforehand, of a rank with so many slots, local vertices and edges (of its lists), where ranks ask each other for equally many
    /// vertices. Pre: slots is a multiple of kTileSlots.
    [[nodiscard]] static std::size_t state_bytes_for(std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges, bool levels);

private:
    [[nodiscard]] const DeviceResults& results() const override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu
