#include "graph/array_edges.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/parallel_sum.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelowEdges = 4096;

std::size_t count_of(const NumberSpan& numbers)
{
    return std::visit([](auto all) { return all.size(); }, numbers);
}

/// The position of the first number for which is_bad(number), or the end. All threads count such numbers;
/// the first one is searched for only if there is any.
template <typename Number, typename IsBad>
auto first_of(std::span<const Number> numbers, IsBad&& is_bad)
{
    const std::uint64_t bad = parallel_sum(numbers.size(), kSerialBelowEdges, [&](IndexRange range) {
        return static_cast<std::uint64_t>(std::ranges::count_if(numbers.subspan(range.first, range.size()), is_bad));
    });
    return bad == 0 ? numbers.end() : std::ranges::find_if(numbers, is_bad);
}

/// Throws InputError unless the offsets ascend from 0 to the number of edges.
template <typename Offset>
void check_offsets(std::span<const Offset> offsets, std::size_t edges)
{
    if (offsets.empty()) throw InputError("the offsets of rows are missing: there is one more of them than rows");
    if (offsets.front() != 0)
        throw InputError("the offset of the first row is " + std::to_string(offsets.front()) + ", and must be 0");
    const auto descent = std::ranges::adjacent_find(offsets, [](Offset one, Offset next) { return next < one; });
    if (descent != offsets.end())
        throw InputError("the offset of row " + std::to_string(descent - offsets.begin() + 1) + " is " +
                         std::to_string(descent[1]) + ", less than the one before");
    if (std::cmp_not_equal(offsets.back(), edges))
        throw InputError("the last offset is " + std::to_string(offsets.back()) + ", but there are " +
                         std::to_string(edges) + " targets");
}

}  // namespace

void check_weights(const WeightSpans& weights, std::size_t edges)
{
    visit_weights(weights, [edges]<typename Weight>(std::span<const Weight> all) {
        if (all.size() != edges)
            throw InputError(std::to_string(all.size()) + " weights were given for " + std::to_string(edges) +
                             " edges");
        if constexpr (std::is_floating_point_v<Weight>)
            if (const auto bad = first_of(all, [](Weight weight) { return !std::isfinite(weight); }); bad != all.end())
                throw InputError("the weight of edge " + std::to_string(bad - all.begin()) + " is not a finite number");
    });
}

std::size_t ArrayEdges::size() const
{
    return count_of(targets);
}

void ArrayEdges::check() const
{
    const std::size_t edges = size();
    const std::string range = "the graph's vertices are 0 to " + std::to_string(vertex_count - 1);
    if (compressed) {
        std::visit([edges](auto offsets) { check_offsets(offsets, edges); }, sources);
        const auto rows = static_cast<Vertex>(count_of(sources)) - 1;
        if (first_row < 0 || rows > vertex_count - std::min(first_row, vertex_count))
            throw InputError("there are " + std::to_string(rows) + " rows from " + std::to_string(first_row) +
                             " on, but " + range);
    } else if (count_of(sources) != edges) {
        throw InputError("there are " + std::to_string(count_of(sources)) + " sources and " + std::to_string(edges) +
                         " targets");
    }
    const auto check_vertices = [&](auto numbers) {
        const auto is_none = [this](auto vertex) { return vertex < 0 || vertex >= vertex_count; };
        const auto bad = first_of(numbers, is_none);
        if (bad == numbers.end()) return;
        throw InputError("edge " + std::to_string(bad - numbers.begin()) + " names vertex " + std::to_string(*bad) +
                         ", but " + range);
    };
    std::visit(check_vertices, targets);
    if (!compressed) std::visit(check_vertices, sources);
    check_weights(weights, edges);
}

void ArrayEdges::read(EdgeCount first, std::span<PackedEdge> out) const
{
    const auto edge_of = [this](Vertex source, Vertex target) {
        return reversed ? PackedEdge::pack(target, source) : PackedEdge::pack(source, target);
    };
    const auto read_pairs = [&](auto source_of, auto target_of) {
        parallel_for(out.size(), kSerialBelowEdges, [&](std::size_t i) {
            const std::size_t edge = static_cast<std::size_t>(first) + i;
            out[i] = edge_of(static_cast<Vertex>(source_of[edge]), static_cast<Vertex>(target_of[edge]));
        });
    };
    const auto read_rows = [&](auto offsets, auto target_of) {
        parallel_ranges(out.size(), kSerialBelowEdges, [&](IndexRange range) {
            if (range.size() == 0) return;
            // The last row that begins at the edge or before.
            const auto begin = static_cast<EdgeCount>(range.first) + first;
            auto row = static_cast<std::size_t>(std::ranges::upper_bound(offsets, begin) - offsets.begin()) - 1;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const EdgeCount edge = first + static_cast<EdgeCount>(i);
                while (edge >= offsets[row + 1]) ++row;
                out[i] = edge_of(first_row + static_cast<Vertex>(row),
                                 static_cast<Vertex>(target_of[static_cast<std::size_t>(edge)]));
            }
        });
    };
    if (compressed)
        std::visit(read_rows, sources, targets);
    else
        std::visit(read_pairs, sources, targets);
}

EdgeList ArrayEdges::copied() const
{
    EdgeList list{vertex_count, directed, HostBuffer<PackedEdge>(size()), {}};
    read(0, list.edges.span());
    list.weights = copy_of(weights);
    return list;
}

}  // namespace wayfront
