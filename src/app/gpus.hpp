// GPUs as the driver sees them, whatever searches there. Free of CUDA's headers.
//
// gpus.cpp and gpu_search.cpp are compiled where there is CUDA, gpus_none.cpp where there is none: there visible_gpus() is 0, and the rest of
// the two headers is never called.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "graph/distributed_graph.hpp"
#include "graph/edge_engine.hpp"

namespace wayfront::app {

[[nodiscard]] bool built_with_cuda();

/// GPUs that this rank can see.
[[nodiscard]] int visible_gpus();

struct LocalGpu
{
    std::string name;
    std::string uuid;            // the same GPU has the same one on all ranks
    std::size_t free_bytes = 0;  // of its memory
};

/// Makes GPU `local_rank` (modulo their number) this rank's own. Throws ResourceError.
[[nodiscard]] LocalGpu use_gpu(int local_rank);

/// An engine on this rank's GPU, for the host loop; the block may go afterwards. Throws ResourceError.
[[nodiscard]] std::unique_ptr<EdgeEngine> make_gpu_engine(const CsrBlock& block);

}  // namespace wayfront::app
