// The stepped search: the host launches the levels, and the GPUs exchange messages between
// launches.
//
// The search is for GPUs of several hosts, and for GPUs of one host that do not reach each other's
// memory or are shared by ranks. Any number of ranks and any exchange
// (gpu/exchange/device_exchange.hpp) is possible. The graph is that of the resident search, and the
// levels are those of gpu/bfs. A bottom-up level begins with an all-gather of bitmaps. A top-down
// level visits own vertices at once. It sends the found vertices of other ranks to their owners,
// each with its parent, in rounds of bounded size. An owner takes the first parent of a vertex and
// ignores the others. Only top-down levels send parents. This header is free of CUDA's headers.
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

struct SteppedOptions
{
    /// Largest number of work items of a top-down level between two exchanges. By default, these
    /// items have at most 2^24 edges. A level with no more edges always takes one exchange.
    static constexpr std::uint64_t kRoundItems = std::uint64_t{1} << 17;
    std::uint64_t round_items = kRoundItems;
    PhaseLog* log = nullptr;  // gets a span for each message
};

class SteppedSearch final : public DeviceSearch
{
public:
    /// Grid, graph, exchange and log outlive the search. The constructor sends no messages. Throws
    /// ResourceError.
    SteppedSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, DeviceExchange& exchange,
                  const DeviceSearchOptions& options, const SteppedOptions& stepped = {});
    ~SteppedSearch() override;

    [[nodiscard]] std::vector<DeviceLevel> level_records() const override;
    [[nodiscard]] std::uint64_t reached() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

    /// The bytes that state_bytes() will return on a rank with these numbers, if each pair of ranks exchanges the same
    /// number of requests.
    [[nodiscard]] static std::size_t state_bytes_for(const RankNumbers& rank, int ranks, bool levels);

private:
    void search(Vertex key) override;
    [[nodiscard]] const DeviceResults& results() const override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
