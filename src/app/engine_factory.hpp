// Which engine searches: the one place that knows the engines of all kinds of processors.
//
// What --engine means is decided for all ranks together, in two steps: choose_engine() before anything is read, from the ranks and their GPUs;
// settle_engine() when the graph is known, which may stand in the way of the GPUs, too. Where something stands in the way, `gpu` is an error
// (ResourceError) and `auto` means the CPU, with a note. An engine for the host loop that takes what the resident search cannot would be chosen in
// settle_engine(), and made in make_engine().
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "app/job.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_engine.hpp"

namespace wayfront::app {

enum class EngineChoice { automatic, cpu, gpu, split };

/// "auto", "cpu", "gpu" or "split"; throws InputError.
EngineChoice parse_engine(std::string_view text);

/// What searches; the same on all ranks.
struct Engine
{
    enum class Kind {
        cpu,       // the host loop (algo/bfs.hpp), with the cores
        resident,  // whole searches on a GPU a rank (gpu/resident)
    };

    Kind kind = Kind::cpu;
    std::string device;          // the GPU's name, of rank 0
    std::size_t free_bytes = 0;  // of device memory, on the GPU that has least

    [[nodiscard]] bool resident() const { return kind == Kind::resident; }
};

/// What searches, as far as the ranks tell; a GPU becomes each rank's own where that is the resident search. `cutoff`: searches end at a given level.
/// Throws an AgreedError where the engine that was asked for is not there. Collective.
Engine choose_engine(const Job& job, const comm::ProcessGrid& grid, EngineChoice choice, bool cutoff);

/// `engine`, unless it is the resident search and `obstacle`, the same on all ranks and not empty, stands in its way. Throws an AgreedError where
/// GPUs were asked for. Collective.
Engine settle_engine(const Job& job, EngineChoice choice, Engine engine, const std::string& obstacle);

/// An engine for the host loop. The block outlives it. Pre: not resident.
std::unique_ptr<EdgeEngine> make_engine(const Engine& engine, const CsrBlock& block);

}  // namespace wayfront::app
