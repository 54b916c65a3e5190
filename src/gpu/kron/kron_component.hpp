// Computes m of a breadth-first search or a search for shortest paths on the GPU, without the
// validator: the number of tuples of a Kronecker graph in the searched component.
//
// Every tuple has two ends (both ends of a self-loop are the same vertex), so the number of tuples
// in a component is half of the number of ends at its vertices. Every rank counts the ends once for
// all searches, in a pass over all tuples. A search then only sums the ends at the vertices that it
// reached. The counts take 4 bytes per vertex.
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
    /// Counts the ends at the vertices v with v mod ranks = rank, by local number, in the graph of
    /// the first `tuples` tuples. Sends no messages. The stream outlives the object. Pre: the scale
    /// is at most 31. Throws ResourceError if the device memory does not suffice.
    KronComponent(const KronParameters& parameters, EdgeCount tuples, int ranks, int rank, const Stream& stream);
    KronComponent(const KronComponent&) = delete;  // owns gigabytes
    KronComponent& operator=(const KronComponent&) = delete;
    ~KronComponent();

    /// The number of ends of tuples at this rank's reached vertices. The sum over the ranks is
    /// twice m. `own_parents` is in device memory, written by earlier work of the stream; -1 for
    /// vertices that were not reached.
    [[nodiscard]] std::int64_t reached_ends(const std::int32_t* own_parents);

private:
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

}  // namespace wayfront::gpu::kron
