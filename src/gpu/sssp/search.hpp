// Shortest paths on one GPU, as the host sees them: a search is one launch. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

struct SsspTuning
{
    /// The width of a window, in units of the weights; without a value it is chosen by the graph.
    std::optional<double> width;
    /// The share of all arcs that reached vertices have when pushes end and pulls begin; above 1
    /// nothing is pulled. Without a value it is chosen by the graph.
    std::optional<double> pull_from;
    /// Steps of up to so many vertices are left to one block, which waits for no other.
    std::optional<std::uint32_t> few;
    /// At most so many vertices have their distances in shared memory during pulls.
    std::optional<std::uint32_t> hubs;
    /// Vertices at a greater distance count as not reached.
    std::optional<double> cutoff;
};

/// A step of a search; see SsspStep in gpu/sssp/view.hpp.
struct SsspStepRecord
{
    const char* step;
    std::uint64_t vertices;  // that the step began with
    double seconds;
};

struct SsspFacts
{
    std::uint64_t reached = 0;
    std::uint64_t relaxed_arcs = 0;  // that pushes looked at
    std::uint64_t pulled_arcs = 0;   // that pulls looked at
    std::uint64_t steps = 0;
    std::vector<SsspStepRecord> records;
};

class DeviceSssp
{
public:
    /// Copies a graph on one rank to this rank's GPU. Pre: the weights are uint32 or float32, none
    /// is negative, and the lists are sorted by weight. Throws ResourceError.
    DeviceSssp(const DistributedGraph& graph, const SsspTuning& tuning);
    ~DeviceSssp();

    /// Searches from a vertex; the results are in device memory then.
    void run(Vertex source);

    [[nodiscard]] SsspFacts facts() const;
    /// Whether the results of the last search may be incomplete, since a whole distance did not fit
    /// 32 bits, or since the float weights have a sum that does not fit a float.
    [[nodiscard]] bool overflowed() const;
    /// Copies the last results: distances as their bits (infinity, or the largest number, if not
    /// reached), and the input's numbers of parents (-1), by local number.
    void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const;

    /// The device memory, at most, that searches of a graph of so many vertices and arcs take, with
    /// what copying it takes for a while.
    [[nodiscard]] static std::size_t most_bytes(Vertex vertices, EdgeCount arcs);

    /// The width of a window, in units of the weights.
    [[nodiscard]] double width() const;
    /// Whether searches end with pulls.
    [[nodiscard]] bool pulls() const;
    [[nodiscard]] std::size_t graph_bytes() const;
    [[nodiscard]] std::size_t state_bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu
