// The access of GPUs to each other's vertices in searches by pushes and pulls. Needs no nvcc.
#pragma once

namespace wayfront::gpu::sssp {

/// The access of a GPU to the vertices of other GPUs.
enum class Reach {
    single_gpu,  // this GPU owns all vertices
    peers,       // the kernels of a host's GPUs run concurrently, and read and write each other's memory
    messages     // the hosts launch the steps of a search, and GPUs exchange messages between the steps
};

}  // namespace wayfront::gpu::sssp
