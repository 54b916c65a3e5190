// Shortest paths in the dense matrix of a graph, on one GPU. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

/// Parts of the method that can be switched off, to measure their benefit.
struct DenseTuning
{
    bool tile_in_shared_memory = true;  // whether tiles are in shared memory if formula (2) allows this
    bool fixed_order = true;            // whether only changed vertices take part in a pass
    bool overlap = true;                // whether the first pass overlaps with the upload
};

struct DenseFacts
{
    std::uint32_t passes = 0;
    std::uint64_t rows = 0;  // number of rows of the matrix that passes added
    bool negative_cycle = false;
};

class DenseSssp
{
public:
    /// Makes the matrix of a graph on one rank, and allocates it on this rank's GPU. Weights are
    /// float32 or whole numbers. Throws InputError if a whole weight does not fit 32 bits with a
    /// sign, or is the largest such number. Throws ResourceError.
    DenseSssp(const DistributedGraph& graph, const DenseTuning& tuning);
    ~DenseSssp();

    /// Searches. The first search uploads the matrix. The results are then in device memory.
    void run(Vertex source);
    /// Makes the next search upload the matrix again.
    void forget_upload();
    void set_tuning(const DenseTuning& tuning);

    [[nodiscard]] DenseFacts facts() const;
    /// Whether a whole sum did not fit 32 bits, so that the results are undefined.
    [[nodiscard]] bool overflowed() const;
    /// Copies the results of the last search: distances as the bits of int32 or float32 (if not
    /// reached, the largest number or infinity), and predecessors (-1: none).
    void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> predecessors) const;
    [[nodiscard]] std::string description() const;
    [[nodiscard]] std::size_t graph_bytes() const;
    [[nodiscard]] std::size_t state_bytes() const;

    /// An upper bound of the device memory for a graph with this number of vertices.
    [[nodiscard]] static std::size_t most_bytes(Vertex vertices);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::sssp
