#include <cstdint>

#include "gpu/apsp/hops/hop_counter_of.cuh"

namespace wayfront::gpu::apsp {

template std::unique_ptr<HopCounter> make_hop_counter_of<std::uint16_t>(const DistributedGraph&, const HopMemory&,
                                                                        const HopOptions&, const Stream&);

}  // namespace wayfront::gpu::apsp
