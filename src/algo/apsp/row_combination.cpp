#include "algo/apsp/row_combination.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace wayfront::algo {

namespace {

std::span<const std::uint32_t> list_of(const CsrView& lists, std::uint32_t vertex)
{
    return {lists.neighbours + lists.begin(vertex), lists.neighbours + lists.end(vertex)};
}

/// The share of the vertices of a random graph that are searched. Fitted to graphs with up to 16 arcs
/// a vertex.
double searched_share(double arcs_per_vertex, bool directed)
{
    if (directed) return std::max(0.0, arcs_per_vertex - 1.7) / (arcs_per_vertex + 5.5);
    return arcs_per_vertex / (2.1 + 1.65 * std::pow(arcs_per_vertex, 0.85));
}

}  // namespace

RowCombination combine_rows(const CsrView& out, const CsrView& in, std::uint32_t vertices,
                            const FeedbackVertexOptions& options, const MemberListener& listener)
{
    RowCombination result;
    result.searched = feedback_vertices(out, in, vertices, options, listener);
    constexpr std::uint32_t searched = 1U << 31;
    // For each combined vertex, the number of its combined out-neighbours that have no level yet.
    std::vector<std::uint32_t> missing(vertices, 0);
    for (const std::uint32_t v : result.searched) missing[v] = searched;
    // A branch could not be predicted. Each vertex is therefore written to the end of the list, and
    // the list grows if the vertex belongs to it.
    result.combined.resize(std::size_t{vertices} + 1);
    std::size_t end = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        for (const std::uint32_t neighbour : list_of(out, v)) missing[v] += missing[neighbour] < searched ? 1 : 0;
        result.combined[end] = v;
        end += missing[v] == 0 ? 1 : 0;
    }
    result.level_begins.push_back(0);
    for (std::size_t begin = 0; begin < end; begin = result.level_begins.back()) {
        result.level_begins.push_back(static_cast<std::uint32_t>(end));
        for (std::size_t i = begin; i < result.level_begins.back(); ++i)
            for (const std::uint32_t neighbour : list_of(in, result.combined[i])) {
                result.combined[end] = neighbour;
                end += --missing[neighbour] == 0 ? 1 : 0;
            }
    }
    result.combined.resize(end);
    return result;
}

ExpectedCombination expected_combination(const CsrView& out, std::uint32_t vertices, bool directed)
{
    // Vertices with many arcs are searched. The others are divided as in a random graph that has the
    // arcs between them.
    constexpr std::uint64_t most = FeedbackVertexOptions{}.most_arcs;
    double others = 0;
    double arcs = 0;
    double arcs_between = 0;
#pragma omp parallel for schedule(static) reduction(+ : others, arcs, arcs_between)
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
        if (out.degree(vertex) > most) continue;
        ++others;
        for (const std::uint32_t neighbour : list_of(out, vertex)) {
            ++arcs;
            if (out.degree(neighbour) <= most) ++arcs_between;
        }
    }
    const double combined = 1 - searched_share(arcs_between / std::max(1.0, others), directed);
    // At least one end of each undirected edge is searched, so at most one of its two arcs is combined.
    const double most_between = directed ? arcs_between : arcs_between / 2;
    return {.searched = vertices - others * combined,
            .combined_arcs = (arcs - arcs_between) * combined + std::min(most_between, arcs_between * combined)};
}

}  // namespace wayfront::algo
