// Shortest paths on a GPU, as the program uses them (gpu/sssp/search.hpp). Free of CUDA's headers.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "algo/sssp/sssp_search.hpp"
#include "app/search/engine_plan.hpp"
#include "app/search/kron_graph.hpp"
#include "app/search/sssp_searches.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::app {

/// A search on a GPU, and the GPU memory that it takes.
struct GpuSsspSearch
{
    std::unique_ptr<algo::SsspSearch> search;
    std::size_t graph_bytes = 0;
    std::size_t state_bytes = 0;
};

class GpuSssp
{
public:
    virtual ~GpuSssp() = default;

    /// Says if GPU memory does not suffice for searches by the method in a graph of so many vertices
    /// and arcs.
    [[nodiscard]] virtual Obstacle memory_obstacle(const EnginePlan& plan, algo::SsspMethod method, Vertex vertices, EdgeCount arcs) const = 0;

    /// Says if GPU memory does not suffice for searches of a Kronecker graph that the GPU constructs,
    /// and for their validation.
    [[nodiscard]] virtual Obstacle kron_obstacle(const EnginePlan& plan, const KronGraph& graph) const = 0;

    /// Constructs a Kronecker graph on the GPU, which searches by push-pull, and checks the results.
    /// The grid, of one rank, outlives the searches. Throws ResourceError.
    [[nodiscard]] virtual std::unique_ptr<SsspSearches> make_kron(const comm::ProcessGrid& grid, const KronGraph& graph, const SsspPlan& plan,
                                                                  const algo::SsspOptions& options) const = 0;

    /// Copies the graph to the GPU. `make_wide` makes a search with 64-bit distances, for whole
    /// distances that do not fit 32 bits. Pre: one rank; options.method is push_pull, on lists sorted
    /// by weight, or one that needs a GPU; weights are uint32 or float32 and not negative, or as
    /// fixed_order allows. The graph outlives the search. Throws InputError or ResourceError.
    [[nodiscard]] virtual GpuSsspSearch make(const DistributedGraph& graph, const algo::SsspOptions& options,
                                             std::function<std::unique_ptr<algo::SsspSearch>()> make_wide) const = 0;
};

/// Exists in a build with CUDA only.
[[nodiscard]] const GpuSssp& gpu_sssp();

}  // namespace wayfront::app
