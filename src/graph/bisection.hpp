// Divides a graph into parts of equal size, with few arcs between the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wayfront {

/// Orders the vertices of a graph by part: part p of `parts` has the elements n p / parts to n (p +
/// 1) / parts - 1 of the result. The graph is halved again and again. Each time, a breadth-first
/// search orders the vertices. It begins at the last vertex of another search, so that the halves
/// of road networks and meshes have short borders.
///
/// The neighbours of vertex v are those from offsets[v] on, up to offsets[v + 1]. An arc that
/// exists in one direction only is followed in that direction, and borders become longer. The
/// result does not depend on the number of threads. Pre: offsets has n + 1 elements, and n < 2^31.
[[nodiscard]] std::vector<std::uint32_t> order_by_bisection(std::span<const std::uint64_t> offsets,
                                                            std::span<const std::uint32_t> neighbours,
                                                            std::uint32_t parts);

/// The same, but no value if more than `most_cut_arcs` arcs lead from one half of the graph to the other. The
/// halves are then not bisected, because the parts would have at least this number of arcs between them.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> order_by_bisection(std::span<const std::uint64_t> offsets,
                                                                           std::span<const std::uint32_t> neighbours,
                                                                           std::uint32_t parts,
                                                                           std::uint64_t most_cut_arcs);

/// The position among n elements at which part p of `parts` begins.
[[nodiscard]] constexpr std::uint64_t begin_of_part(std::uint64_t n, std::uint64_t parts, std::uint64_t p)
{
    return n * p / parts;
}

}  // namespace wayfront
