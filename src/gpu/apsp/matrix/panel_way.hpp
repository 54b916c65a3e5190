// The ways of Floyd-Warshall's panels between the GPUs of ranks. Free of CUDA's headers.
#pragma once

#include <string_view>

namespace wayfront::gpu::apsp {

enum class PanelWay {
    peers,  // copied from GPU to GPU, by ranks that have opened each other's memory (CUDA IPC)
    nccl,   // sent by NCCL
    hosts   // through pinned host memory and MPI
};

/// For descriptions: "copied from GPU to GPU".
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
