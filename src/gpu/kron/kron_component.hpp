// Computes m of a search, for breadth-first search and shortest paths, without the validator, on
// the GPU: the number of tuples of a Kronecker graph in the component that was searched.
//
// Every tuple has two ends (both ends of a self-loop are the same vertex), so a component has half
// as many tuples as its vertices have ends. The ends are counted once for all searches, in a pass
// over all tuples on every rank. A search then only sums the ends of the vertices that it reached.
// This takes 4 bytes for each vertex.
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::kron {

class KronComponent
{
public:
    /// Counts the ends at the vertices v with v mod ranks = rank, in the order of local numbers, in
    /// the graph of the first `tuples` tuples. Sends no messages. The stream outlives the object.
    /// Pre: scale at most 31. Throws ResourceError if device memory does not suffice.
    KronComponent(const KronParameters& parameters, EdgeCount tuples, int ranks, int rank, const Stream& stream);
    KronComponent(const KronComponent&) = delete;  // owns gigabytes
    KronComponent& operator=(const KronComponent&) = delete;
    ~KronComponent();

    /// The number of ends of tuples at this rank's reached vertices; the sum over the ranks is
    /// twice m. `own_parents` is in device memory, written by earlier work of the stream, and -1
    /// for vertices that were not reached.
    [[nodiscard]] std::int64_t reached_ends(const std::int32_t* own_parents);

private:
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

}  // namespace wayfront::gpu::kron
