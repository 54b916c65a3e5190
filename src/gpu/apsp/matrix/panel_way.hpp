// The ways in which ranks exchange Floyd-Warshall's panels between their GPUs. Free of CUDA's
// headers.
#pragma once

#include <string_view>

namespace wayfront::gpu::apsp {

enum class PanelWay {
    peers,  // GPUs copy panels from memory of other ranks that is opened by CUDA IPC
    nccl,   // NCCL sends panels
    hosts   // MPI sends panels through pinned host memory
};

/// The text for descriptions.
[[nodiscard]] constexpr std::string_view in_words(PanelWay way)
{
    switch (way) {
        case PanelWay::peers:
            return "copied from GPU to GPU";
        case PanelWay::nccl:
            return "sent over NCCL";
        case PanelWay::hosts:
            break;
    }
    return "sent through the hosts over MPI";
}

}  // namespace wayfront::gpu::apsp
