// Construction (Graph500's kernel 1) of generated Kronecker graphs on GPUs.
//
// The tuples are never stored and never sent: they are made anew in every pass over them, and every rank makes all of them and keeps the edges whose
// row (target) it owns. So construction needs no buffers for an exchange and no transport but for one table, and a rank waits for the others only
// while vertices are numbered. The price grows with the ranks: a pass takes as long as on one GPU, 35 ps a tuple as predicted below, where P GPUs of
// an NVLink host could each make a P-th and send 8 bytes an edge in (35 + 44) / P ps. The passes:
//
//   count     the degree of every own vertex, duplicates counted, self-loops not                              construction/numbering.cu
//   number    slots by descending degree class, in the input's order inside a class, as on the host; ranks exchange theirs
//   lists     keys (row, column) of own edges, sorted, without duplicates, to lists and offsets               construction/row_lists.cu
//
// Where sorting all keys at once (16 bytes an edge) passes the memory that is free, the rows are cut into batches of about equally many edges, and
// each batch goes through all tuples again.
//
// Bytes and predicted times on one H200, scale 26, edge factor 16: T = 1.07 G tuples, E = 2.13 G directed edges, n = 67 M, 32.8 M connected.
// docs/gpu.md has what was measured.
//
//   step                                       bytes or operations                        limit                            predicted
//   count: make T tuples, 2 T atomics          about 800 instructions a tuple             integer pipes, 64 lanes a clock  30-50 ms
//   number: n-sized scatter, sort, gather      about 60 bytes a vertex, 3 random          random sectors, 42 G/s           8 ms
//   make keys: T tuples, 2 T look-ups          the same, and 8 E bytes written            integer pipes                    35-55 ms
//   sort: 50 bits, 7 passes of 8               (7 * 16 + 8) E = 256 GB                    memory, 4.3 TB/s, of it 65-80%   75-95 ms
//   compact: 2 readings, columns               (8 + 8 + 4) E = 43 GB                      memory                           11-13 ms
//   complete: a copy, offsets, near lists      8 E + 60 bytes a connected vertex = 19 GB  memory                           6-10 ms
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/phase.hpp"
#include "base/types.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/graph/device_graph.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu {

struct ConstructionOptions
{
    std::size_t memory_bytes = 0;   // of the device that this rank may take; 0: all that is free. For ranks that share a GPU
    std::uint64_t batch_edges = 0;  // at most about so many in a batch; 0: as memory allows
    PhaseLog* log = nullptr;        // gets a span for each step
};

struct ConstructionReport
{
    std::size_t peak_bytes = 0;  // of device memory, scratch of CUB's included
    int batches = 0;

    void note(std::size_t live_bytes) { peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes; }
};

/// Collective over `ranks`. The graph of the first `tuples` tuples of these parameters, undirected, without self-loops and duplicates; this rank's
/// block of the P x 1 grid, complete. Throws InputError above scale 31 or where columns pass 32 bits, ResourceError where memory ends.
[[nodiscard]] DeviceGraph construct_kron(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks, const Stream& stream,
                                         const ConstructionOptions& options = {}, ConstructionReport* report = nullptr);

}  // namespace wayfront::gpu
