// Divides a graph into parts of equal size between which few arcs lead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wayfront {

/// Orders the vertices of a graph by part: part p of `parts` has the elements of the result from
/// n p / parts on, up to n (p + 1) / parts. The graph is halved again and again, each time by the order of a breadth-first search that begins at the
/// end of another one, so that the halves of road networks and meshes have short borders.
///
/// The neighbours of vertex v are those from offsets[v] on, up to offsets[v + 1]. Arcs in one direction only are followed in that direction, which
/// gives longer borders. The result does not depend on the number of threads. Pre: offsets has n + 1 elements, and n < 2^31.
[[nodiscard]] std::vector<std::uint32_t> order_by_bisection(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> neighbours,
                                                            std::uint32_t parts);

/// Where part p of `parts` begins among n elements.
[[nodiscard]] constexpr std::uint64_t begin_of_part(std::uint64_t n, std::uint64_t parts, std::uint64_t p)
{
    return n * p / parts;
}

}  // namespace wayfront
