// m of a search without the validator, on the GPU: how many tuples of a Kronecker graph lie in the component that was searched.
//
// Every tuple has two ends, a self-loop both at the same vertex, so a component has half as many tuples as its vertices have ends. The ends are
// counted once for all searches, in a pass over all tuples on every rank; a search then only sums those of the vertices that it reached. 4 bytes a
// vertex.
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::gpu {

class Stream;

class KronComponent
{
public:
    /// The vertices v with v mod ranks = rank, of the graph of the first `tuples` tuples, in the order of local numbers. Sends no messages. The
    /// stream outlives the object. Pre: scale at most 31. Throws ResourceError where device memory does not suffice.
    KronComponent(const KronParameters& parameters, EdgeCount tuples, int ranks, int rank, const Stream& stream);
    KronComponent(const KronComponent&) = delete;  // owns gigabytes
    KronComponent& operator=(const KronComponent&) = delete;
    ~KronComponent();

    /// Ends of tuples at this rank's reached vertices; summed over the ranks, twice m. `own_parents`, in device memory and written by earlier work of
    /// the stream, are -1 where not reached.
    [[nodiscard]] std::int64_t reached_ends(const std::int32_t* own_parents);

private:
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

}  // namespace wayfront::gpu
