#include "gpu/apsp/matrix/resident_floyd_warshall.cuh"

namespace wayfront::gpu::apsp {

template void start_resident<FloatSums>(const ResidentView&, const Stream&);
template void start_resident<UnsignedFloatSums>(const ResidentView&, const Stream&);

}  // namespace wayfront::gpu::apsp
