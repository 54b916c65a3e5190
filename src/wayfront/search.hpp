// The types that the searches of the library share: progress, grids of ranks, errors, and answers to pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "wayfront/graph.hpp"

namespace wayfront {

/// There are no shortest paths, since a graph has a cycle of negative length.
class NegativeCycleError : public ResultError
{
public:
    NegativeCycleError(const std::string& message, std::vector<Vertex> vertices)
        : ResultError(message), vertices_(std::make_shared<const std::vector<Vertex>>(std::move(vertices)))
    {
    }
    /// The vertices of such a cycle, in the order of its edges.
    [[nodiscard]] const std::vector<Vertex>& vertices() const noexcept { return *vertices_; }

private:
    std::shared_ptr<const std::vector<Vertex>> vertices_;  // shared, so that copies cannot fail
};

/// Receives the progress of a call, on the first rank and in the calling thread: `done` of `total` units of
/// a step, such as rows or pairs; `total` is 0 if it is not known. Is called at the beginning and at the
/// end of a step, and about 20 times a second at most between them. It calls no function of wayfront. What
/// it throws ends the work; the call then throws the same exception, and on other ranks a ResultError.
using OnProgress = std::function<void(std::string_view step, std::uint64_t done, std::uint64_t total)>;

/// R x C ranks, over which the adjacency matrix is distributed.
struct Grid
{
    int rows = 1;
    int columns = 1;
};

/// The value of a level or a parent of a vertex that was not reached.
inline constexpr std::int32_t kNotReached = -1;

/// Distances and paths between pairs of vertices, on every rank, in the order of the pairs.
struct PairsResult
{
    double seconds = 0;  // the time of all searches on the slowest rank
    /// As in ShortestPathsResult; numbers of edges if found by Bfs::between(). kNoDistance or infinity
    /// if there is no path.
    std::variant<std::vector<std::int64_t>, std::vector<double>> distances;
    /// The vertices of a shortest path from the source to the target, or from the target to the source
    /// of a reversed graph; empty if there is none. No elements if no paths are wanted.
    std::vector<std::vector<Vertex>> paths;
};

/// The engine that searches, after Engine::automatic and Transport::automatic have been resolved.
struct EngineDescription
{
    std::string engine;     // "cpu", "gpu", "split:0.25"
    std::string transport;  // between GPUs; empty if the CPU searches
    std::string device;     // the name of the GPU; empty if the CPU searches
    Grid grid;
};

}  // namespace wayfront
