#include "gpu/graph/block_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <cuda_runtime.h>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "gpu/graph/list_tiles.hpp"
#include "gpu/runtime/check.hpp"

namespace wayfront::gpu {

int device_with_room(DeviceBytes bytes, std::size_t most_bytes, std::string_view advice)
{
    int device = 0;
    check(cudaGetDevice(&device));
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const std::size_t needed = bytes.graph + bytes.state;
    const std::size_t most = std::min(free, most_bytes);
    if (needed > most)
        throw ResourceError("a rank's block of the graph and the state of its searches take " +
                            bytes_in_words(static_cast<double>(needed)) + " of GPU memory, and " +
                            bytes_in_words(static_cast<double>(most)) + " of " +
                            bytes_in_words(static_cast<double>(total)) + " are free for each rank; " +
                            std::string(advice));
    return device;
}

int multiprocessors_of(int device)
{
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

std::size_t count_wide_pieces(const CsrView& lists)
{
    std::size_t pieces = 0;
#pragma omp parallel for schedule(static) reduction(+ : pieces)
    for (std::uint32_t u = 0; u < lists.lists; ++u) pieces += wide_pieces(lists.degree(u));
    return pieces;
}

}  // namespace wayfront::gpu
