// The processors that search, and the transport between GPUs: choices of the command line and of the
// library. This header is installed.
#pragma once

namespace wayfront {

/// The processors that search.
enum class Engine {
    automatic,  // GPUs if they can search on their own, over p2p or nccl; otherwise the CPU
    cpu,
    gpu,    // one GPU per rank
    split,  // the CPU and a GPU, each on a part of the rank's edges
};

/// How GPUs reach each other: by stores into each other's memory; over NCCL; over MPI; or through
/// their hosts, which then drive the search. `automatic`: the first that is possible (--transport in
/// docs/running.md).
enum class Transport { automatic, p2p, nccl, mpi, host };

}  // namespace wayfront
