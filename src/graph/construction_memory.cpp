#include "graph/construction_memory.hpp"

#include <algorithm>

#include "base/types.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront {

double peak_construction_bytes(const ConstructionSize& size)
{
    // At the peak, two copies of a 64-bit edge and its weight are in memory (csr_builder.hpp), for
    // every edge in each direction in which it can be searched; or, while lists are transposed, one
    // copy and the entries of both lists.
    const double edge = 8 + size.weight_bytes;
    const double entry = 4 + size.weight_bytes;
    const double bytes_an_entry = std::max(2 * edge, size.transposed() ? edge + 2 * entry : 0);
    // Counts, slots and keys of all vertices, with or without edges (renumbering.cpp).
    constexpr double bytes_a_row = 12;
    const double bytes_a_column = size.directed ? 16 : 8;
    constexpr double bytes_a_vertex = 8;  // for each vertex that the rank owns
    const double bytes = bytes_an_entry * size.entries() + bytes_a_row * size.vertices / size.rows +
                         bytes_a_column * size.vertices / size.columns + bytes_a_vertex * size.vertices / size.ranks();
    // Lengths and offsets of the lists of vertices with edges.
    return bytes + 4 * size.connected / size.rows + (size.transposed() ? 12 * size.connected / size.columns : 0);
}

double with_page_ends(double bytes)
{
    constexpr double arrays = 8;  // the number of arrays that exist at the peak
    constexpr double huge_page_bytes = 2 << 20;
    return bytes + std::min(bytes / 2, arrays * huge_page_bytes);
}

double constructed_bytes(const ConstructionSize& size, double distinct)
{
    const double lists = size.transposed() ? 2 : 1;
    const double number_bytes = VertexArray::is_narrow(static_cast<Vertex>(size.vertices)) ? 4 : 8;
    const double bytes_an_entry = lists * (4 + size.weight_bytes);
    // Offsets and first neighbours of rows; offsets of columns, and the input's numbers.
    const double bytes_a_row = 8;
    const double bytes_a_column = number_bytes + (size.transposed() ? 4 : 0);
    const double bytes_of_own = 4 * (size.connected + size.vertices) / size.ranks();  // degrees, slots
    return bytes_an_entry * size.entries() * distinct + bytes_a_row * size.connected / size.rows +
           bytes_a_column * size.connected / size.columns + bytes_of_own;
}

}  // namespace wayfront
