// All pairs in device memory with searches from only some of the vertices: the other rows are
// combined from rows of out-neighbours (algo/apsp/row_combination.hpp). Free of CUDA's headers.
//
// The CPU divides the vertices while the GPU already searches from the first ones. The searches
// from consecutive groups of vertices run in two streams in turn, so that thread blocks without
// work in one group start with the next group.
#pragma once

#include <cstddef>
#include <memory>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/row_combination.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

class CombinedRows
{
public:
    /// Copies the graph to this process's GPU. The graph outlives the object. Throws InputError or
    /// ResourceError. Pre: row_search_obstacle() returns an empty text, and the weights are whole
    /// numbers.
    CombinedRows(const DistributedGraph& graph, const RowSearchOptions& options);
    ~CombinedRows();
    CombinedRows(const CombinedRows&) = delete;
    CombinedRows& operator=(const CombinedRows&) = delete;

    /// The searches. They also have the shape of the matrix.
    [[nodiscard]] DeviceRows& searches();
    [[nodiscard]] const DeviceRows& searches() const;

    /// Starts to write the whole matrix. Returns the division of the rows. Waits for the work of
    /// the previous call.
    algo::RowCombination fill(std::byte* matrix, const Stream& stream, const algo::FeedbackVertexOptions& options = {});

    /// Starts to combine the other rows, after the searches have written their rows.
    void combine(const algo::RowCombination& rows, std::byte* matrix, const Stream& stream);

    /// The bytes of device memory that are allocated.
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the device memory for a graph, without the matrix.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs,
                                                const RowSearchOptions& options);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
