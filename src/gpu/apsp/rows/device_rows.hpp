// Rows of the matrix of all pairs in device memory, found by a search each. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// Why a graph's rows cannot be searched on this process's GPU, in words; empty if they can. The
/// shared memory of a block must have room for two bits of each vertex that has edges, so that an H200
/// allows about 890000 of them.
[[nodiscard]] std::string row_search_obstacle(const DistributedGraph& graph, double most_distance);

struct RowSearchOptions
{
    // Of the rows; uint16 or int32, or float32 for float weights.
    algo::DistanceType type = algo::DistanceType::int32;
    /// The width of a window, in mean weights divided by the mean number of arcs of a vertex.
    double width = 12;
    /// The searches that may be started before others have ended.
    std::size_t launches_at_once = 1;
    /// The bytes of a block's shared memory in which distances, bits and queues must fit together;
    /// otherwise distances are in device memory. 0: those of the GPU.
    std::size_t shared_bytes = 0;
};

/// A graph in device memory and searches of it, each by one thread block. Distances are in the shared
/// memory of the block if they fit (on an H200, those of about 53000 vertices), otherwise in device
/// memory.
class DeviceRows
{
public:
    /// Copies the graph to this process's GPU. Throws InputError or ResourceError. Pre:
    /// row_search_obstacle() finds nothing.
    DeviceRows(const DistributedGraph& graph, const RowSearchOptions& options);
    ~DeviceRows();
    DeviceRows(const DeviceRows&) = delete;
    DeviceRows& operator=(const DeviceRows&) = delete;

    /// The elements from the begin of a row to that of the next: the number of vertices, rounded up
    /// such that rows begin at multiples of 16 bytes.
    [[nodiscard]] std::size_t stride() const;
    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t element_bytes() const;

    /// Starts to write the rows of `count` sources, which are in device memory, one after the
    /// other. Its launch has number 0, as in search_in_matrix().
    void search(const std::uint32_t* sources, std::size_t count, std::byte* rows, const Stream& stream);

    /// Starts to write the rows of sources to their places in the whole matrix. Searches with other
    /// numbers of `launch`, below launches_at_once, may run at the same time.
    void search_in_matrix(const std::uint32_t* sources, std::size_t count, std::byte* matrix, std::size_t launch,
                          const Stream& stream);

    /// The sources that fill the GPU.
    [[nodiscard]] std::size_t searches_at_once() const;
    [[nodiscard]] bool has_distances_in_shared_memory() const;

    /// The bytes of device memory now.
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the bytes for a graph, without the rows.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs,
                                                const RowSearchOptions& options);
    /// Whether the distances of so many vertices fit the shared memory of a block in any graph.
    [[nodiscard]] static bool fit_shared_memory(std::size_t vertices);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
