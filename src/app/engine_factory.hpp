// Which engine searches a block's edges: the one place that knows the engines of all kinds of processors.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "graph/distributed_graph.hpp"
#include "graph/edge_engine.hpp"

namespace wayfront::app {

enum class EngineChoice { automatic, cpu, gpu, split };

/// "auto", "cpu", "gpu" or "split"; throws InputError.
EngineChoice parse_engine(std::string_view text);

/// --engine and what belongs to it.
struct EngineRequest
{
    EngineChoice choice = EngineChoice::automatic;
    bool cpu_share_given = false;
    std::optional<double> cpu_share;  // of the edges, where the choice is split; nothing: auto
};

/// "auto" (nothing) or a number from 0 to 1; throws InputError.
std::optional<double> parse_cpu_share(std::string_view text);

/// Throws ResourceError, with the cause, where this rank cannot have the engine, and InputError where the request contradicts itself. To be asked
/// before a graph is read.
void require_engine(const EngineRequest& request);

/// `automatic` means a GPU where there is one, else the CPU. `local_rank`: this rank's number on its host, by which ranks share its GPUs out. The
/// block outlives the engine. Throws ResourceError.
std::unique_ptr<EdgeEngine> make_engine(const EngineRequest& request, const CsrBlock& block, int local_rank);

}  // namespace wayfront::app
