// The transports by which ranks exchange Floyd-Warshall's panels between their GPUs. Free of CUDA's
// headers.
#pragma once

#include <string_view>

namespace wayfront::gpu::apsp {

enum class PanelTransport {
    peers,  // GPUs copy panels from memory of other ranks that is opened by CUDA IPC
    nccl,   // NCCL sends panels
    hosts   // MPI sends panels through pinned host memory
};

/// The text for descriptions.
[[nodiscard]] constexpr std::string_view in_words(PanelTransport transport)
{
    switch (transport) {
        case PanelTransport::peers:
            return "copied from GPU to GPU";
        case PanelTransport::nccl:
            return "sent over NCCL";
        case PanelTransport::hosts:
            break;
    }
    return "sent through the hosts over MPI";
}

}  // namespace wayfront::gpu::apsp
