// Concurrent searches of one graph on a GPU. Each search uses a part of the multiprocessors. On an
// H200, 512 searches of kron:20 take 67 ms if four run at a time, and 181 ms one after the other
// (bench/results/gpu-push-pull-rows.json).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::sssp {

class SearchLanes
{
public:
    /// Copies the graph to this process's GPU. Throws ResourceError. Pre: as for DeviceSssp, with
    /// one rank; and all distances fit 31 bits, since a sum that does not fit is not reported.
    SearchLanes(const DistributedGraph& graph, std::size_t lanes);
    ~SearchLanes();
    SearchLanes(const SearchLanes&) = delete;
    SearchLanes& operator=(const SearchLanes&) = delete;

    [[nodiscard]] std::size_t lanes() const;
    /// Starts a search after the work in the lane's stream.
    void launch(std::size_t lane, Vertex source);
    [[nodiscard]] const Stream& stream(std::size_t lane) const;
    /// The results of the lane's last search in device memory, by vertex: whole numbers, or floats as their
    /// bits, and infinity as in DeviceSssp.
    [[nodiscard]] const std::uint32_t* distances(std::size_t lane) const;

    /// An upper bound of the device memory.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t slots, std::size_t arcs,
                                                bool directed, std::size_t lanes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::sssp
