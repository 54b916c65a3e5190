// Breadth-first search from 1024 sources at once on a GPU. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/apsp/hops/hop_plan.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// Figures of the hop distances from one source to other vertices.
struct HopFacts
{
    std::uint64_t reached;
    std::uint64_t sum;
    std::uint64_t eccentricity;
};

class BitParallelSearch
{
public:
    static constexpr std::uint32_t kSources = 1024;  // number of sources in a batch

    /// Copies the graph to this process's GPU. The graph outlives the search. Throws ResourceError.
    /// Pre: one rank.
    explicit BitParallelSearch(const DistributedGraph& graph, const HopOptions& options = {});
    ~BitParallelSearch();
    BitParallelSearch(const BitParallelSearch&) = delete;
    BitParallelSearch& operator=(const BitParallelSearch&) = delete;

    struct Found
    {
        std::vector<HopFacts> facts;        // facts of each source
        std::vector<std::uint64_t> levels;  // number of pairs at distance 1, 2, ...
    };
    /// Counts the vertices at each distance from `count` sources. `sources` are vertices in device
    /// memory, any number of them. Counting is faster from half of the vertices or more
    /// (hop_counter.hpp). Waits for the stream.
    [[nodiscard]] Found count(const std::uint32_t* sources, std::size_t count, const Stream& stream);

    /// Whether count_together() is possible: HopOptions::ranks has several ranks, and there are
    /// enough sources, but not so many that they take more memory than all vertices or that a call
    /// takes long.
    [[nodiscard]] bool can_count_together(std::size_t count) const;
    /// Counts as count() does, together with the ranks of HopOptions, all of which pass the same
    /// sources. Each rank returns the facts of its part of the sources (part_of()), and a part of
    /// the pairs at each distance; the sums of these parts over the ranks are the numbers of pairs.
    /// Pre: can_count_together(). Collective.
    [[nodiscard]] Found count_together(const std::uint32_t* sources, std::size_t count, const Stream& stream);

    /// The plan of the last count() from half of the vertices or more, or of the last
    /// count_together(); no value if there was no such call.
    [[nodiscard]] std::optional<HopPlan> count_plan() const;

    /// Writes the rows of up to kSources sources, one after the other, as uint16 distances. Waits
    /// for the stream. Throws InputError if a distance does not fit.
    void search(const std::uint32_t* sources, std::size_t count, std::uint16_t* rows, std::size_t stride,
                const Stream& stream);

    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the bytes for a graph and a call for all vertices. `most_distance`:
    /// largest distance of rows; 0 if only counts are wanted.
    [[nodiscard]] static std::size_t most_bytes(std::size_t vertices, std::size_t arcs, double most_distance);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
