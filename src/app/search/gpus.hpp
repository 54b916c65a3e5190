// GPUs as the driver sees them, whatever searches there. Free of CUDA's headers.
//
// gpus.cpp and gpu_search.cpp are compiled where there is CUDA, gpus_none.cpp where there is none: there visible_gpus() is 0, gpu_failure() empty,
// show_phases_to_profilers() does nothing, and the rest of the two headers is never called.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "algo/bfs/edge_engine.hpp"
#include "gpu/runtime/device.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::app {

[[nodiscard]] bool built_with_cuda();

/// Phases become ranges that profilers of GPUs show; nothing in a build without CUDA.
void show_phases_to_profilers();

/// GPUs that this rank can see.
[[nodiscard]] int visible_gpus();

/// Why none of the GPUs that there are can be seen, an old driver say; empty where one can, and where there are none.
[[nodiscard]] std::string gpu_failure();

/// Which they are. Throws ResourceError.
[[nodiscard]] std::vector<gpu::DeviceId> visible_gpu_ids();

/// Makes one of them this rank's own and returns its name. Throws ResourceError.
std::string use_gpu(int index);

/// Bytes of the memory of this rank's GPU. Throws ResourceError.
[[nodiscard]] std::size_t free_gpu_bytes();

/// An engine on this rank's GPU, for the host loop, of at most `most_bytes` of its memory; the block may go afterwards. Throws ResourceError.
[[nodiscard]] std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block, std::size_t most_bytes);

}  // namespace wayfront::app
