#include "graph500/validate.hpp"

#include <algorithm>
#include <string>

#include "base/parallel.hpp"
#include "comm/routing.hpp"
#include "graph500/validate_edges.hpp"

namespace wayfront::graph500 {

namespace {

/// Rule 5, and the numbers of reached vertices and levels.
template <typename Id>
void check_confirmed(int rank, const Partition& partition, Vertex key, const TreeView<Id>& tree, BfsValidation& result, ViolationRecord& violations)
{
    std::int64_t reached = 0;
    std::uint32_t deepest = 0;
#pragma omp parallel for schedule(static) reduction(+ : reached) reduction(max : deepest) if (tree.levels.size() >= comm::kSerialBelowItems)
    for (std::size_t i = 0; i < tree.levels.size(); ++i) {
        const std::uint32_t level = tree.levels[i];
        if (level == kNoLevel) continue;
        ++reached;
        deepest = std::max(deepest, level);
        const Vertex v = partition.vertex(rank, static_cast<std::uint32_t>(i));
        if (tree.confirmed[i] != 0 || v == key) continue;
        violations.offer(i, Rule::tree_edges, [&] {
            return "no edge joins vertex " + std::to_string(v) + ", level " + std::to_string(level) + ", to its parent " +
                   std::to_string(static_cast<Vertex>(tree.parents[i]));
        });
    }
    result.reached = reached;
    result.eccentricity = deepest;
}

}  // namespace

std::string describe(const Violation& violation)
{
    return "validation failed, rule " + std::to_string(static_cast<int>(violation.rule)) + " (" + text_of(violation.rule) + "): " + violation.what;
}

std::size_t BfsValidator::chunk_for(std::size_t most_edges)
{
    constexpr std::size_t least = std::size_t{1} << 14;
    constexpr std::size_t pieces = 8;
    return std::clamp(most_edges / pieces, least, kDefaultChunk);
}

double BfsValidator::most_bytes(std::size_t most_edges, double vertices)
{
    constexpr double bytes_an_edge = 64;
    constexpr double bytes_a_vertex = 17;
    return bytes_an_edge * static_cast<double>(chunk_for(most_edges)) + bytes_a_vertex * vertices;
}

BfsValidator::BfsValidator(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, std::size_t chunk)
    : communicator_(communicator),
      partition_(partition),
      feed_(feed),
      chunk_(chunk),
      levels_(partition.chunk_size(communicator.rank())),
      confirmed_(partition.chunk_size(communicator.rank())),
      scratch_{VertexArray(partition.chunk_size(communicator.rank()), partition.vertex_count()),
               HostBuffer<std::uint32_t>(partition.chunk_size(communicator.rank()))}
{
}

BfsValidation BfsValidator::validate(Vertex key, const VertexArray& parents)
{
    return parents.visit([&]<typename Id>(std::span<const Id> own_parents) {
        BfsValidation result;
        ViolationRecord violations;
        const auto agree = [&] {
            result.violation = violations.agree(communicator_);
            result.outcome = result.violation ? Outcome::invalid : Outcome::valid;
        };
        tree_levels(communicator_, partition_, key, own_parents, levels_.span(), scratch_, chunk_, violations);
        agree();
        if (!result.valid()) return result;

        parallel_ranges(confirmed_.size(), comm::kSerialBelowItems,
                        [&](IndexRange range) { std::fill(confirmed_.begin() + range.first, confirmed_.begin() + range.last, std::uint8_t{0}); });
        const TreeView<Id> tree{own_parents, levels_.span(), confirmed_.span()};
        result.edges = check_edges(communicator_, partition_, feed_, tree, chunk_, violations);
        agree();
        if (!result.valid()) return result;

        check_confirmed(communicator_.rank(), partition_, key, tree, result, violations);
        agree();
        result.reached = communicator_.all_reduce<std::int64_t>(result.reached, comm::Reduction::sum);
        result.eccentricity = communicator_.all_reduce<std::int64_t>(result.eccentricity, comm::Reduction::max);
        result.levels = levels_.span();
        return result;
    });
}

}  // namespace wayfront::graph500
