// Shortest paths on one GPU, as the host sees them: a search is one launch. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/types.hpp"
#include "gpu/sssp/device_search.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

struct SsspTuning
{
    /// The width of a window, in units of the weights; without a value it is chosen by the graph.
    std::optional<double> width;
    /// When the reached vertices have this share of all arcs, pushes end and pulls begin. If it is
    /// above 1, nothing is pulled. Without a value it is chosen by the graph.
    std::optional<double> pull_from;
    /// The most vertices of a step that one block does alone, without waiting for others.
    std::optional<std::uint32_t> few;
    /// The most vertices whose distances are in shared memory during pulls.
    std::optional<std::uint32_t> hubs;
    /// Whether each block searches a part of the graph, if the part's distances fit shared memory
    /// (near_far.cuh). Without a value it is chosen by the graph.
    std::optional<bool> near_far;
    /// Vertices at a greater distance count as not reached.
    std::optional<double> cutoff;
};

class ArcLists;

/// The facts of a graph that a search needs besides the lists.
struct SsspGraph
{
    WeightType type = WeightType::float32;  // or uint32
    Vertex vertices = 0;                    // including those without edges
    std::int64_t connected_vertices = 0;
    bool directed = false;
    double weight_sum = 0;  // of all arcs
};

class DeviceSssp final : public DeviceSearch
{
public:
    /// Copies a graph on one rank to this rank's GPU. Pre: the weights are uint32 or float32, none
    /// is negative, and the lists are sorted by weight. Throws ResourceError.
    DeviceSssp(const DistributedGraph& graph, const SsspTuning& tuning);
    /// Takes the lists of a graph that is on the GPU. Pre: they are sorted by weight, and local
    /// numbers are the input's.
    DeviceSssp(ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning);
    ~DeviceSssp() override;

    void run(Vertex source) override;
    [[nodiscard]] SsspFacts facts() const override;
    [[nodiscard]] bool overflowed() const override;
    [[nodiscard]] bool always_overflows() const override;
    void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const override;
    [[nodiscard]] std::string description() const override;

    /// Whether a vertex has edges. Pre: 0 <= v < the number of vertices.
    [[nodiscard]] bool has_edges(Vertex v) const;
    /// The results of the last run() in device memory, by the input's numbers: distances as their
    /// bits, and parents, as copy_results() describes them. Valid while the object lives.
    [[nodiscard]] const std::uint32_t* device_distances() const;
    [[nodiscard]] const std::int32_t* device_parents() const;

    /// An upper bound of the device memory for searches of a graph of this size, including the
    /// temporary memory for copying it.
    [[nodiscard]] static std::size_t most_bytes(Vertex vertices, EdgeCount arcs);
    /// The device memory that a search takes besides lists with this number of slots.
    [[nodiscard]] static std::size_t state_bytes_for(Vertex vertices, std::size_t slots);

    /// The width of a window, in units of the weights.
    [[nodiscard]] double width() const;
    /// Whether searches end with pulls.
    [[nodiscard]] bool pulls() const;
    [[nodiscard]] std::size_t graph_bytes() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu
