// All pairs by the method of these papers: the Bellman-Ford algorithm from many sources at once.
// Free of CUDA's headers.
//
// T. Okuyama, F. Ino and K. Hagihara, "A task parallel algorithm for finding all-pairs shortest
// paths using the GPU", SIG technical report 2008 and Int. J. High Performance Computing and
// Networking 7, 2012 (batched-apsp). P sources are searched together. The lanes of a warp are
// sources of one vertex, so that the warp reads the vertex's arcs once for all sources, through
// shared memory, and accesses to costs are coalesced. A phase relaxes the arcs of the vertices that
// changed into a second array of costs, and then takes over the smaller costs. The papers compare
// this with a method that searches from one source after the other, with a thread for each vertex
// (P. Harish and P. J. Narayanan, 2007).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

enum class BatchedMode : std::uint8_t {
    shared,    // a warp reads arcs through shared memory
    unshared,  // each lane reads the arcs
    iterated,  // searches from one source after the other
};

struct BatchedOptions
{
    BatchedMode mode = BatchedMode::shared;
    // Number of sources in a batch, a multiple of 32. The iterated mode has one source.
    std::uint32_t sources = 32;
    // Type of the rows: uint16 or int32; float32 for float weights.
    algo::DistanceType type = algo::DistanceType::int32;
};

class BatchedSearch
{
public:
    /// Copies the graph to this process's GPU. Pre: the graph is on one rank; the weights are
    /// uint32, float32 or none, and are not negative; distances fit 32 bits. Throws ResourceError.
    BatchedSearch(const DistributedGraph& graph, const BatchedOptions& options);
    ~BatchedSearch();
    BatchedSearch(const BatchedSearch&) = delete;
    BatchedSearch& operator=(const BatchedSearch&) = delete;

    /// Writes the rows of `count` sources one after the other. `sources` is in device memory. Waits
    /// for the stream after each phase.
    void search(const std::uint32_t* sources, std::size_t count, std::byte* rows, std::size_t stride,
                const Stream& stream);

    /// Number of phases of all searches so far.
    [[nodiscard]] std::uint64_t phases() const;
    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of bytes().
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs, std::uint32_t sources);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
