#include "graph500/validate.hpp"

#include <algorithm>
#include <string>

#include "comm/routing.hpp"
#include "graph500/validate_edges.hpp"

namespace wayfront::graph500 {

namespace {

/// The numbers of reached vertices and of levels.
struct TreeSize
{
    std::int64_t reached = 0;
    std::int64_t deepest = 0;
};

/// Rule 5. Returns the size of this rank's part of the tree.
template <typename Id>
TreeSize check_confirmed(int rank, const Partition& partition, const Roots<Id>& roots, const TreeView<Id>& tree,
                         ViolationRecord& violations)
{
    for (const Vertex key : roots.keys()) {
        if (partition.owner(key) != rank || tree.levels[partition.local(key)] == 0) continue;
        violations.offer(partition.local(key), Rule::nearest,
                         [&] { return "the key " + std::to_string(key) + " is not at level 0"; });
    }
    std::int64_t reached = 0;
    std::uint32_t deepest = 0;
    const std::size_t vertices = tree.levels.size();
#pragma omp parallel for reduction(+ : reached) reduction(max : deepest) if (vertices >= comm::kSerialBelowItems)
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::uint32_t level = tree.levels[i];
        if (level == kNoLevel) continue;
        ++reached;
        deepest = std::max(deepest, level);
        const Vertex v = partition.vertex(rank, static_cast<std::uint32_t>(i));
        if (tree.confirmed[i] != 0 || v == static_cast<Vertex>(roots.of(i))) continue;
        violations.offer(i, Rule::tree_edges, [&] {
            return "no edge joins vertex " + std::to_string(v) + ", level " + std::to_string(level) +
                   ", to its parent " + std::to_string(static_cast<Vertex>(tree.parents[i]));
        });
    }
    return {reached, deepest};
}

}  // namespace

double BfsValidator::most_bytes(int ranks, std::size_t most_edges, double vertices)
{
    const ValidatorSizes sizes = ValidatorSizes::for_share(most_edges);
    constexpr double bytes_a_vertex = 17;
    if (sizes.gathers(ranks, vertices * ranks)) {
        constexpr double bytes_of_a_parent = 8;
        constexpr double bytes_of_an_own_level = 4;
        return ((bytes_a_vertex + bytes_of_a_parent) * ranks + bytes_of_an_own_level) * vertices;
    }
    const double bytes_an_edge = ranks > 1 ? 64 : 0;
    return bytes_an_edge * static_cast<double>(sizes.chunk) + bytes_a_vertex * vertices;
}

BfsValidation BfsValidator::validate(Vertex key, const VertexArray& parents)
{
    return parents.visit([&]<typename Id>(std::span<const Id> own_parents) {
        HostBuffer<Id> gathered;
        return validate_as(Roots<Id>(key), held(own_parents, gathered));
    });
}

BfsValidation BfsValidator::validate_nearest(std::span<const Vertex> keys, const VertexArray& nearest,
                                             const VertexArray& parents)
{
    return parents.visit([&]<typename Id>(std::span<const Id> own_parents) {
        HostBuffer<Id> gathered_parents;
        HostBuffer<Id> gathered_nearest;
        const std::span<const Id> held_nearest = held(nearest.elements<Id>(), gathered_nearest);
        return validate_as(Roots<Id>(keys, held_nearest), held(own_parents, gathered_parents));
    });
}

template <typename Id>
BfsValidation BfsValidator::validate_as(const Roots<Id>& roots, std::span<const Id> held_parents)
{
    BfsValidation result;
    ViolationRecord violations;
    if (!build_tree(roots, held_parents, violations, result)) return result;
    const TreeView<Id> tree{held_parents, held_levels(), confirmed(), roots.nearest()};
    result.edges = combine(check_edges(edges(), tree, violations));
    if (!agree(violations, result)) return result;

    const TreeSize own = check_confirmed(communicator().rank(), partition(), roots, tree, violations);
    agree(violations, result);
    result.reached = communicator().all_reduce<std::int64_t>(own.reached, comm::Reduction::sum);
    result.eccentricity = communicator().all_reduce<std::int64_t>(own.deepest, comm::Reduction::max);
    result.levels = own_levels();
    return result;
}

}  // namespace wayfront::graph500
