// Which engine searches: the one place that knows the engines of all kinds of processors.
//
// What --engine and --transport mean is decided for all ranks together, in two steps: choose_engine() before anything is read, from the ranks and
// their GPUs; settle_engine() when the graph is known. On-GPU searches exchange over the first of p2p, nccl and mpi that these ranks can use, where
// --transport names none; `--engine auto` takes the first two. Each step may meet an obstacle to on-GPU searches. Then `gpu` means the host loop with
// an engine on the GPU, and `auto` the cores, with a note; a transport that was named is an error, as is `gpu` where it is memory that lacks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "algo/bfs/edge_engine.hpp"
#include "app/job.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class NcclRanks;
}

namespace wayfront::app {

enum class EngineChoice { automatic, cpu, gpu, split };

/// How GPUs reach each other: by stores into each other's memory, which is the resident search; over NCCL or MPI, which is the stepped search; or
/// through their hosts, which drive the levels.
enum class TransportChoice { automatic, p2p, nccl, mpi, host };

/// --engine and what belongs to it.
struct EngineRequest
{
    EngineChoice choice = EngineChoice::automatic;
    TransportChoice transport = TransportChoice::automatic;
    bool cpu_share_given = false;
    std::optional<double> cpu_share;  // of the edges, where the choice is split; nothing: auto

    /// Throws InputError where the options contradict each other.
    void check() const;
};

/// "auto", "cpu", "gpu" or "split"; throws InputError.
EngineChoice parse_engine(std::string_view text);

/// "auto", "p2p", "nccl", "mpi" or "host"; throws InputError.
TransportChoice parse_transport(std::string_view text);

/// "auto" (nothing) or a number from 0 to 1; throws InputError.
std::optional<double> parse_cpu_share(std::string_view text);

/// What searches; the same on all ranks.
struct Engine
{
    enum class Kind {
        cpu,       // the host loop (algo/bfs/bfs_search.hpp), with the cores
        resident,  // on-GPU searches, a GPU per rank, which ranks share only if p2p is named, in one kernel (gpu/resident)
        stepped,   // the same, a level at a time, exchanging over NCCL or MPI (gpu/stepped); ranks may share a GPU then
        gpu,       // the host loop, with a GPU a rank (gpu/bfs/host_driven/engine.hpp), which ranks may share
        split,     // the host loop, with the cores and a GPU a rank (algo/bfs/split_engine.hpp)
    };

    Kind kind = Kind::cpu;
    std::optional<double> cpu_share;  // of split; nothing: found by trying
    std::string device;               // the GPU's name, of rank 0
    std::size_t free_bytes = 0;       // of device memory for each rank, on the GPU that has least
    int ranks_a_gpu = 1;              // of the GPU that most ranks share

    // Of on-GPU searches.
    TransportChoice transport = TransportChoice::p2p;  // p2p: resident; nccl, mpi: stepped
    std::shared_ptr<gpu::NcclRanks> nccl;              // of nccl, with several ranks
    std::string detour;                                // why it is this transport, and none before it; empty where it is the first

    /// Whether it is an on-GPU search.
    [[nodiscard]] bool on_device() const { return kind == Kind::resident || kind == Kind::stepped; }
};

/// What stands in the way of on-GPU searches, the same on all ranks; empty where nothing does.
struct Obstacle
{
    std::string words;
    bool memory = false;  // the GPUs' memory does not suffice, for whatever searches there
};

/// What searches, as far as the ranks tell; a GPU becomes each rank's own where GPUs may search. `grid`: the one that was asked for. `cutoff`:
/// searches end at a given level. Throws an AgreedError where what was asked for is not there. Collective.
Engine choose_engine(const Job& job, const std::optional<comm::GridShape>& grid, const EngineRequest& request, bool cutoff);

/// What `take_gpus` gives, a GPU for each rank. Where it throws an AgreedError as GPUs that are there cannot be used (in exclusive mode, say), the
/// cores, with a note, unless GPUs were asked for. Collective.
Engine gpus_or_cores(const Job& job, const EngineRequest& request, const std::function<Engine()>& take_gpus);

/// Why ranks cannot exchange over a transport; empty where they can. Collective, the same on all ranks, and asked only where the answer matters.
struct TransportObstacles
{
    std::function<std::string()> p2p;
    std::function<std::string()> nccl;
};

/// `engine` as an on-GPU search over the transport that was asked for, or over the first that is possible; where none is, what
/// settle_engine() makes of it. Collective.
Engine choose_transport(const Job& job, const EngineRequest& request, Engine engine, const TransportObstacles& obstacles);

/// `engine`, unless it is an on-GPU search and there is an obstacle: then what searches instead, or an AgreedError. Says in a note, once a run, why
/// it is not what comes first. Collective.
Engine settle_engine(const Job& job, const EngineRequest& request, Engine engine, const Obstacle& obstacle);

/// An engine for the host loop. The block outlives it. Pre: not on_device(). Throws ResourceError.
std::unique_ptr<EdgeEngine> make_engine(const Engine& engine, const CsrBlock& block);

}  // namespace wayfront::app
