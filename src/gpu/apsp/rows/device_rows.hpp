// Rows of the matrix of all pairs in device memory; one search finds each row. Free of CUDA's
// headers.
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

/// The reason why a graph's rows cannot be searched on this process's GPU; empty if they can. The
/// shared memory of a block must have room for two bits of each vertex with edges, so that an H200
/// allows about 890000 such vertices.
[[nodiscard]] std::string row_search_obstacle(const DistributedGraph& graph, double most_distance);

struct RowSearchOptions
{
    // Type of the rows: uint16 or int32; float32 for float weights.
    algo::DistanceType type = algo::DistanceType::int32;
    /// Width of a window, in units of mean weight / mean degree.
    double width = 12;
    /// Number of launches that may run concurrently.
    std::size_t launches_at_once = 1;
    /// Limit of a block's shared memory, in bytes. If distances, bitmaps and queues do not fit,
    /// distances are in device memory. 0: limit of the GPU.
    std::size_t shared_bytes = 0;
};

/// A graph in device memory, and searches of it, each by one thread block. Distances are in the
/// shared memory of the block if they fit (on an H200, those of about 53000 vertices), otherwise in
/// device memory.
class DeviceRows
{
public:
    /// Copies the graph to this process's GPU. Throws InputError or ResourceError. Pre:
    /// row_search_obstacle() returns an empty text.
    DeviceRows(const DistributedGraph& graph, const RowSearchOptions& options);
    ~DeviceRows();
    DeviceRows(const DeviceRows&) = delete;
    DeviceRows& operator=(const DeviceRows&) = delete;

    /// Number of elements from the beginning of a row to that of the next: the number of vertices,
    /// rounded up so that each row begins at a multiple of 16 bytes.
    [[nodiscard]] std::size_t stride() const;
    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t element_bytes() const;

    /// Starts to write the rows of `count` sources one after the other. `sources` is in device
    /// memory. The launch has number 0 (see search_in_matrix()).
    void search(const std::uint32_t* sources, std::size_t count, std::byte* rows, const Stream& stream);

    /// Starts to write the rows of `count` sources to their places in the whole matrix. Calls with
    /// different numbers `launch`, below launches_at_once, may run concurrently.
    void search_in_matrix(const std::uint32_t* sources, std::size_t count, std::byte* matrix, std::size_t launch,
                          const Stream& stream);

    /// Number of sources whose searches fill the GPU.
    [[nodiscard]] std::size_t searches_at_once() const;
    [[nodiscard]] bool has_distances_in_shared_memory() const;

    /// The bytes of device memory that are allocated.
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the device memory for a graph, without the rows.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs,
                                                const RowSearchOptions& options);
    /// Whether a block's shared memory suffices for the distances of this number of vertices in any
    /// graph.
    [[nodiscard]] static bool fit_shared_memory(std::size_t vertices);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
