// All pairs by the method of the papers below: the Bellman-Ford algorithm from many sources at
// once. Free of CUDA's headers.
//
// T. Okuyama, F. Ino and K. Hagihara, "A task parallel algorithm for finding all-pairs shortest
// paths using the GPU", SIG technical report 2008 and Int. J. High Performance Computing and
// Networking 7, 2012 (batched-apsp). P sources are searched together. Lanes of a warp are sources
// of one vertex, so that the vertex's arcs are read once for all of them, through shared memory,
// and accesses to distances are coalesced. A phase relaxes the arcs of the vertices that changed
// into a second array of costs, and then takes over the costs that are smaller. The papers compare
// it with a method that searches from one source after the other, with a thread for each vertex (P.
// Harish and P. J. Narayanan, 2007).
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
    shared,    // arcs through shared memory
    unshared,  // each lane reads the arcs itself
    iterated,  // one source after the other
};

struct BatchedOptions
{
    BatchedMode mode = BatchedMode::shared;
    // The sources of a batch, a multiple of 32. The iterated mode has one source.
    std::uint32_t sources = 32;
    // Of the rows; uint16 or int32, or float32 for float weights.
    algo::DistanceType type = algo::DistanceType::int32;
};

class BatchedSearch
{
public:
    /// Copies the graph to this process's GPU. Pre: one rank; weights are uint32, float32 or none,
    /// and not negative; distances fit 32 bits. Throws ResourceError.
    BatchedSearch(const DistributedGraph& graph, const BatchedOptions& options);
    ~BatchedSearch();
    BatchedSearch(const BatchedSearch&) = delete;
    BatchedSearch& operator=(const BatchedSearch&) = delete;

    /// Writes the rows of `count` sources, which are in device memory, one after the other. Waits
    /// for the stream after each phase.
    void search(const std::uint32_t* sources, std::size_t count, std::byte* rows, std::size_t stride,
                const Stream& stream);

    /// The phases of all searches so far.
    [[nodiscard]] std::uint64_t phases() const;
    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t bytes() const;
    /// The same, for use before the memory is allocated.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs, std::uint32_t sources);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
