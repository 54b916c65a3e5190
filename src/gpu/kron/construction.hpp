// Construction (Graph500's kernel 1) of generated Kronecker graphs on GPUs.
//
// The passes are those of gpu/construction, over tuples that are neither stored nor sent. Every
// pass generates all tuples again on every rank, and the rank keeps the edges whose row (target) it
// owns. So construction needs no buffers for an exchange and sends only one table, and a rank waits
// for the others only while vertices are numbered. The cost of this grows with the number of ranks:
// a pass takes as long as on one GPU, 35 ps per tuple as predicted below. If each of P GPUs of an
// NVLink host generated 1 / P of the tuples and sent 8 bytes per edge, a pass would take (35 + 44)
// / P ps per tuple. The passes:
//
//   count     the degree of every own vertex; duplicates are counted, self-loops are not
//             (numbering.cu)
//   number    slots by descending degree class, in the input's order within a class, as on the
//             host; ranks exchange their slots (numbering.cu)
//   lists     the keys (row, column) of own edges are sorted, duplicates are removed, and lists and
//             offsets are made (row_lists.cu)
//
// If sorting all keys at once (16 bytes per edge) needs more than the free memory, the rows are
// divided into batches of about equally many edges, and each batch takes a pass over all tuples.
//
// Bytes and predicted times on one H200, scale 26, edge factor 16: T = 1.07 G tuples, E = 2.13 G
// directed edges, n = 67 M, 32.8 M connected. docs/gpu.md has the measured times.
//
//   step                                   bytes or operations          limit           predicted
//   count: make T tuples, 2 T atomics      800 instructions a tuple     integer pipes   30-50 ms
//   number: n-sized scatter, sort, gather  60 bytes a vertex, 3 random  random sectors  8 ms
//   make keys: T tuples, 2 T look-ups      the same, 8 E bytes written  integer pipes   35-55 ms
//   sort: 50 bits, 7 passes of 8           (7 * 16 + 8) E = 256 GB      memory          75-95 ms
//   compact: 2 readings, columns           (8 + 8 + 4) E = 43 GB        memory          11-13 ms
//   complete: copy, offsets, near lists    8 E + 2 GB = 19 GB           memory          6-10 ms
//
// The limits are 64 lanes per clock of the integer pipes of each multiprocessor, 42 G random
// sectors per second, and 4.3 TB/s of memory, of which sorts reach 65-80%. The 2 GB of the last
// step are about 60 bytes per connected vertex.
//
// With weights (weighted_lists.cu), the last pass sorts twice: first keys (row, column) with the
// weights as values, so that the smallest weight of equal keys can be kept, and then keys (row,
// weight) with the columns as values. Both sorts are stable, so that arcs of equal weight remain in
// the order of their columns. The lists of a batch are placed in the finished graph at once
// (gpu/graph/place_arcs.cuh), which therefore also has room for duplicates.
//
// Bytes and predicted times of the additional work on one H200, scale 27, edge factor 16: T = 2.15
// G tuples, E = 4.29 G directed edges, n = 134 M, 63 M connected. Memory: 4 n (table) + 4 n (slots)
// + (8 + 4 + 8) 63 M (begins, vertices, begins with padding) + 8 E + (3 * 8 + 40) 63 M (arcs with
// padding, at most, places and heads) + 25 E (batch) = 148 GB = 138 GiB if all edges are one batch,
// and 94 GB with two batches. Afterwards the graph takes 40 GB, and a search another 9. Each of P
// ranks has one P-th of this, but the whole table and the vertices of all columns.
//
//   step                                    bytes or operations       limit          predicted
//   make keys: T tuples, 2 T look-ups       12 E bytes written        integer pipes  80-120 ms
//   sort by column: 52 bits, 7 passes       (7 * 24 + 8) E = 756 GB   memory         220-270 ms
//   compact: 2 readings, keys and columns   (8 + 12 + 12) E = 137 GB  memory         35-50 ms
//   sort by weight: 56 bits, 7 or 8 passes  (8 * 24 + 8) E = 859 GB   memory         250-310 ms
//   place: arcs, then heads and padding     (12 + 8) E = 86 GB        memory         25-35 ms
#pragma once

#include <cstdint>

#include "base/types.hpp"
#include "gpu/construction/options.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_graph.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu::kron {

using construction::ConstructionOptions;
using construction::ConstructionReport;
using construction::ConstructionRun;

/// Constructs the graph of the first `tuples` tuples with these parameters: undirected, without
/// self-loops and duplicates. Returns this rank's complete block of the P x 1 grid. Collective over
/// `ranks`. Throws InputError above scale 31 or if columns do not fit 32 bits, and ResourceError if
/// the device memory does not suffice.
[[nodiscard]] DeviceGraph construct_kron(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                                         ConstructionRun& run);

/// A rank's lists of a graph with weights.
struct WeightedGraph
{
    // Lists by ascending weight; arcs of equal weight by ascending column. With one rank, the
    // number of slots is weighted_slots(connected_vertices)
    // (gpu/construction/construction_plans.hpp); otherwise it is a multiple of kTileSlots that is
    // equal on all ranks.
    ArcLists lists;
    std::int64_t connected_vertices = 0;  // number of vertices with edges, over all ranks
    double weight_sum = 0;                // sum over all arcs of all ranks
};

/// Constructs the graph of construct_kron() with the generator's weights, and returns the lists of
/// this rank's vertices. Of duplicates, the smallest weight is kept. Collective over `ranks`.
/// Throws as construct_kron() does.
[[nodiscard]] WeightedGraph construct_weighted_kron(const KronParameters& parameters, EdgeCount tuples,
                                                    DeviceCollectives& ranks, ConstructionRun& run);

}  // namespace wayfront::gpu::kron
