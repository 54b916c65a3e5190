#include "graph500/validate_distances.hpp"

#include <cstdint>
#include <variant>

namespace wayfront::graph500 {

double SsspValidator::most_bytes(int ranks, std::size_t most_edges, double vertices)
{
    const ValidatorSizes sizes = ValidatorSizes::for_share(most_edges);
    const bool gathers = sizes.gathers(ranks, vertices * ranks);
    const bool sends = ranks > 1 && !gathers;
    const double bytes_an_edge = sends ? 160 : 16;  // otherwise only weights
    constexpr double bytes_of_a_result = 8;         // a distance, or a parent
    constexpr double bytes_a_vertex = 17;
    const double bytes_of_vertices = gathers ? (bytes_a_vertex + 2 * bytes_of_a_result) * ranks + sizeof(std::uint32_t)
                                             : bytes_a_vertex + (sends ? bytes_of_a_result : 0);
    return bytes_an_edge * static_cast<double>(sizes.chunk) + bytes_of_vertices * vertices;
}

Validation SsspValidator::validate(Vertex key, const Distances& distances, const VertexArray& parents)
{
    return std::visit(
        [&](const auto& own_distances) {
            return parents.visit([&]<typename Id>(std::span<const Id> own_parents) {
                return validate_as(Roots<Id>(key), own_distances.span(), own_parents);
            });
        },
        distances);
}

Validation SsspValidator::validate_nearest(std::span<const Vertex> keys, const VertexArray& nearest,
                                           const Distances& distances, const VertexArray& parents)
{
    return std::visit(
        [&](const auto& own_distances) {
            return parents.visit([&]<typename Id>(std::span<const Id> own_parents) {
                HostBuffer<Id> gathered;
                const Roots<Id> roots(keys, held(nearest.elements<Id>(), gathered));
                return validate_as(roots, own_distances.span(), own_parents);
            });
        },
        distances);
}

}  // namespace wayfront::graph500
