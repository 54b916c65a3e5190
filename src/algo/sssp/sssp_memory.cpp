#include "algo/sssp/sssp_memory.hpp"

#include <cstdint>

namespace wayfront::algo {

double sssp_bytes(const SsspSize& size)
{
    const double word = size.word_bytes;
    const double result = word + size.id_bytes;
    if (size.on_one_rank) {
        // The arcs, and for each vertex the place of its list, its label, and its share of the
        // buckets or of the heap, in which only the vertices of a frontier are.
        constexpr double share = 2;
        return size.arcs * 2 * word + size.own * (sizeof(std::uint64_t) + 2 * word + share + result);
    }
    // For each column its distance, its place in a list and in three lists of columns; for each row
    // its parent, its candidate arcs, and its places in lists. Ranks that share columns take less.
    constexpr double index = sizeof(std::uint32_t);
    const double head = size.lists_by_weight ? kHeadEntries * (index + word) : 0;
    const double a_column = (size.symmetric ? 0 : head) + word + (2 * index + word) + 6 * index;
    const double a_row = head + word + 5 * index + (size.lists_by_weight ? index + 3 * word : 0);
    return size.columns * a_column + size.rows * a_row + size.own * result;
}

}  // namespace wayfront::algo
