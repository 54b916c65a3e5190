// Which engine searches a block's edges: the one place that knows the engines of all kinds of processors.
#pragma once

#include <memory>
#include <string_view>

#include "graph/distributed_graph.hpp"
#include "graph/edge_engine.hpp"

namespace wayfront::app {

enum class EngineChoice { automatic, cpu, gpu, split };

/// "auto", "cpu", "gpu" or "split"; throws InputError.
EngineChoice parse_engine(std::string_view text);

/// Throws ResourceError, with the cause, where this rank cannot have the engine. To be asked before a graph is read.
void require_engine(EngineChoice choice);

/// `automatic` means a GPU where there is one, else the CPU. The block outlives the engine. Throws ResourceError.
std::unique_ptr<EdgeEngine> make_engine(EngineChoice choice, const CsrBlock& block);

}  // namespace wayfront::app
