// What searches: which processors, over which transport.
//
// The plan is made from --engine and --transport, and from what the algorithm requires, for all ranks together and in two steps: choose_plan() before
// anything is read, from the ranks and their GPUs; settle_plan() when the graph is known. If no --transport is given, on-GPU searches exchange over
// the first of the algorithm's transports that these ranks can use; `--engine auto` does not take mpi. Each step may meet an obstacle to on-GPU
// searches. Then `gpu` means the host loop with an engine on the GPU, and `auto` the cores, with a note; a transport that was named is an error, as
// is `gpu` if GPU memory does not suffice.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "app/search/engine_request.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::gpu {
class NcclRanks;
}

namespace wayfront::app {

/// What the on-GPU searches of an algorithm require. Each algorithm states its own.
struct DeviceRequirements
{
    std::string obstacle;               // why the options that were given exclude them; empty if they do not
    std::vector<Transport> transports;  // over which they exchange, the preferred one first
    bool one_column = false;            // the grid is P x 1
    bool undirected = false;
    Vertex most_vertices = kMaxVertices;
    std::size_t shared_bytes = 0;  // of shared memory per thread block
};

/// What searches; the same on all ranks.
struct EnginePlan
{
    Engine engine = Engine::cpu;
    Transport transport = Transport::host;  // of GPUs
    std::optional<double> cpu_share;        // of split; nothing: found by trying
    std::string device;                     // the GPU's name, of rank 0
    std::size_t free_bytes = 0;             // of device memory for each rank, on the GPU that has least
    int ranks_a_gpu = 1;                    // of the GPU that most ranks share
    std::shared_ptr<gpu::NcclRanks> nccl;   // of nccl, with several ranks
    std::string detour;                     // why on-GPU searches use this transport, and none before it; empty if it is the first

    /// Whether the GPUs search by themselves; else the hosts drive the search.
    [[nodiscard]] bool on_device() const { return engine == Engine::gpu && transport != Transport::host; }
    /// Whether they do so in one kernel; else a level at a time, exchanging over NCCL or MPI.
    [[nodiscard]] bool resident() const { return on_device() && transport == Transport::p2p; }
};

/// What stands in the way of on-GPU searches, the same on all ranks; empty if nothing does.
struct Obstacle
{
    std::string words;
    bool memory = false;  // the GPUs' memory does not suffice, for whatever searches there
};

/// What searches, as far as the ranks tell; a GPU becomes each rank's own if GPUs may search. `grid`: the one that was asked for. Throws an
/// AgreedError if what was asked for is not there. Collective.
EnginePlan choose_plan(const Job& job, const std::optional<comm::GridShape>& grid, const EngineRequest& request,
                       const DeviceRequirements& requirements);

/// What `take_gpus` gives, a GPU for each rank. If it throws an AgreedError as GPUs that are there cannot be used (in exclusive mode, say), the
/// cores, with a note, unless GPUs were asked for. Collective.
EnginePlan gpus_or_cores(const Job& job, const EngineRequest& request, const std::function<EnginePlan()>& take_gpus);

/// Why ranks cannot exchange over a transport; empty if they can. Collective, the same on all ranks, and asked only if the answer matters.
struct TransportObstacles
{
    std::function<std::string()> p2p;
    std::function<std::string()> nccl;
};

/// `plan` as an on-GPU search over the transport that was asked for, or over the first of `transports` that is possible; if none is, what
/// settle_plan() makes of it. Collective.
EnginePlan choose_transport(const Job& job, const EngineRequest& request, EnginePlan plan, const std::vector<Transport>& transports,
                            const TransportObstacles& obstacles);

/// What in a graph stands in the way of on-GPU searches, except their memory.
[[nodiscard]] Obstacle graph_obstacle(const DeviceRequirements& requirements, bool directed, Vertex vertices);

/// `plan`, unless it is an on-GPU search and there is an obstacle: then what searches instead, or an AgreedError. Says in a note, once a run, why
/// it is not what comes first. Collective.
EnginePlan settle_plan(const Job& job, const EngineRequest& request, EnginePlan plan, const Obstacle& obstacle);

}  // namespace wayfront::app
