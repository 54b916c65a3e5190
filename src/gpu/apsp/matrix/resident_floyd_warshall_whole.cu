#include "gpu/apsp/matrix/resident_floyd_warshall.cuh"

namespace wayfront::gpu::apsp {

template void start_resident<WholeSums>(const ResidentView&, const Stream&);
template void start_resident<UnsignedWholeSums>(const ResidentView&, const Stream&);

}  // namespace wayfront::gpu::apsp
