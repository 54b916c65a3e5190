// The plan of a search: which processors search, and over which transport they exchange.
//
// The plan follows from --engine and --transport, and from the requirements of the algorithm. All
// ranks make the same plan, in two steps: choose_plan() looks at the ranks and their GPUs before
// anything is read; settle_plan() is called when the graph is known. If no --transport is given,
// on-GPU searches use the first of the algorithm's transports that these ranks can use; with
// `--engine auto`, mpi is not among them. Each step may find an obstacle to on-GPU searches. In
// that case `--engine gpu` searches with the host loop and an engine on the GPU, `--engine auto`
// searches on the CPU cores, and a note says why. It is an error if --transport named the
// transport, or if GPU memory does not suffice for `--engine gpu`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "job/job.hpp"
#include "plan/engine_request.hpp"

namespace wayfront::gpu {
class NcclRanks;
}

namespace wayfront::plan {

/// The requirements of an algorithm's on-GPU searches. Each algorithm states its own.
struct DeviceRequirements
{
    std::vector<Transport> transports;  // the transports that the searches support, the preferred one first
    // Whether GPUs exchange. If not, each GPU searches alone, and the first transport is chosen.
    bool exchange = true;
    bool own_gpus = false;    // whether each rank needs a GPU of its own, else the CPU is used
    bool one_column = false;  // whether the grid must be P x 1, or, in an undirected graph, 1 x P
    Vertex most_vertices = kMaxVertices;
    std::size_t shared_bytes = 0;  // the bytes of shared memory per thread block
    // The same over p2p, if that takes more.
    std::size_t shared_bytes_of_peers = 0;
};

/// How a graph is searched. Equal on all ranks.
struct EnginePlan
{
    Engine engine = Engine::cpu;
    Transport transport = Transport::host;  // between GPUs
    std::optional<double> cpu_share;        // the CPU's share of Engine::split; without a value, trials find it
    std::string device;                     // the name of rank 0's GPU
    // The bytes of device memory for each rank, on the GPU with the fewest.
    std::size_t free_bytes = 0;
    int ranks_a_gpu = 1;                   // on the GPU that most ranks share
    std::shared_ptr<gpu::NcclRanks> nccl;  // set for Transport::nccl with several ranks
    // Whether searches run on a grid of several columns, which no resident search supports.
    bool several_columns = false;
    bool one_row = false;  // whether --grid asks for a grid of one row
    // Why a preferred transport is not used; empty if the first is used.
    std::string detour;
    // Why GPUs search, if nothing asks for them.
    std::string reason;

    /// Whether the GPUs search on their own. If not, the hosts drive the search.
    [[nodiscard]] bool on_device() const { return engine == Engine::gpu && transport != Transport::host; }
    /// Whether one kernel on each GPU runs the whole search. If not, an on-GPU search runs one
    /// level at a time, and the GPUs exchange between the levels.
    [[nodiscard]] bool resident() const { return on_device() && transport == Transport::p2p && !several_columns; }
};

/// Why an on-GPU search is not possible. Equal on all ranks; `words` are empty if the search is possible.
struct Obstacle
{
    std::string words;
    bool memory = false;  // GPU memory does not suffice, not even for a host-driven search
};

/// The obstacle of searches that need a grid of one column; without words if the plan has such a grid.
[[nodiscard]] inline Obstacle column_obstacle(const EnginePlan& plan)
{
    return {plan.several_columns ? "on-GPU searches need a P x 1 grid" : ""};
}

/// Runs require(), and turns its ResourceError, unless it is one of MPI, into an obstacle of GPU
/// memory.
template <typename F>
[[nodiscard]] Obstacle memory_obstacle_of(F&& require)
{
    try {
        require();
    } catch (const comm::CommError&) {
        throw;  // the ranks cannot communicate any more
    } catch (const ResourceError& error) {
        return {error.what(), true};
    }
    return {};
}

/// The bytes of device memory that each rank may use: the smallest free memory of a GPU,
/// divided by the number of ranks that share a GPU. Collective.
[[nodiscard]] std::size_t free_for_each(const job::Job& job, int ranks_a_gpu);

/// Returns the plan as far as it depends on the ranks alone, and makes a GPU each rank's own if
/// GPUs may search. `grid` is that of --grid. Throws an AgreedError if an engine or a transport
/// that the options ask for is not available. Collective.
EnginePlan choose_plan(const job::Job& job, const std::optional<comm::GridShape>& grid, const EngineRequest& request,
                       const DeviceRequirements& requirements);

/// The plan of on-GPU searches of an undirected graph. Its matrix is symmetric, so that the blocks of a grid of one row
/// are the transposed blocks of a grid of one column: if the options ask for the first, the searches are those on the
/// second (choose_grid()).
[[nodiscard]] EnginePlan for_undirected(EnginePlan plan);

/// Throws ResourceError if this rank sees no GPU, but `option`, such as "--algorithm adaptive",
/// needs one.
void require_gpu_for(std::string_view option);

/// Returns the result of `take_gpus`, which chooses a GPU for each rank. If it throws an
/// AgreedError because the GPUs cannot be used (in exclusive mode, for example), the result is a
/// plan for the CPU cores, with a note, unless the options ask for GPUs. Collective.
EnginePlan gpus_or_cores(const job::Job& job, const EngineRequest& request,
                         const std::function<EnginePlan()>& take_gpus);

/// Functions that return why the ranks cannot use a transport, or an empty string if they can.
/// Collective; the result is the same on all ranks. They are called only if their result matters.
struct TransportObstacles
{
    std::function<std::string()> p2p;
    std::function<std::string()> nccl;
};

/// Returns `plan` as an on-GPU search over the transport that the options ask for, or over the
/// first of `transports` that is possible. If none is possible, returns the result of
/// settle_plan(). Collective.
EnginePlan choose_transport(const job::Job& job, const EngineRequest& request, EnginePlan plan,
                            const std::vector<Transport>& transports, const TransportObstacles& obstacles);

/// Why a graph cannot be searched on GPUs, apart from its size in memory.
[[nodiscard]] Obstacle graph_obstacle(const DeviceRequirements& requirements, Vertex vertices);

/// Returns `plan` if it is not an on-GPU search, or if there is no obstacle. Otherwise returns the
/// plan that replaces it, or throws an AgreedError if the options rule that out. A note, once in a
/// run, says why the preferred plan is not used. Collective.
EnginePlan settle_plan(const job::Job& job, const EngineRequest& request, EnginePlan plan, const Obstacle& obstacle);

}  // namespace wayfront::plan
