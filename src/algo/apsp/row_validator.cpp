#include "algo/apsp/row_validator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algo/apsp/least_sums.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

template <typename F>
void for_each_arc(const EdgeList& list, F&& f)
{
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        const auto source = static_cast<std::uint32_t>(list.edges[i].source());
        const auto target = static_cast<std::uint32_t>(list.edges[i].target());
        f(source, target, i);
        if (!list.directed) f(target, source, i);
    }
}

}  // namespace

RowValidator::RowValidator(const EdgeList& list, VertexNumbers numbers, const Roundings& roundings)
    : numbers_(numbers), roundings_(roundings), begins_(static_cast<std::size_t>(list.vertex_count) + 1, 0)
{
    if (!list.weighted()) list_arcs<std::int32_t>(list, nullptr);
    visit_weights(list.weights, [&](const auto& weights) { list_arcs(list, weights.data()); });
}

template <typename W>
void RowValidator::list_arcs(const EdgeList& list, const W* weights)
{
    for_each_arc(list, [this](std::uint32_t source, std::uint32_t, std::size_t) { ++begins_[source]; });
    std::uint64_t total = 0;
    for (std::uint64_t& begin : begins_) total += std::exchange(begin, total);
    auto& arcs = arcs_.emplace<Arcs<W>>(total);
    std::vector<std::uint64_t> next(begins_.begin(), begins_.end());
    for_each_arc(list, [&](std::uint32_t source, std::uint32_t target, std::size_t edge) {
        const W weight = weights == nullptr ? W{1} : weights[edge];
        negative_ = negative_ || weight < 0;
        arcs[next[source]++] = {target, weight};
    });
}

template <typename D>
struct RowValidator::Row
{
    Row(const RowBatch& batch, std::size_t i)
        : source(static_cast<std::size_t>(batch.sources[i])),
          distances(std::get<std::span<const D>>(batch.distances).subspan(i * batch.columns, batch.columns))
    {
        if (!batch.parents.empty()) parents = batch.parents.subspan(i * batch.columns, batch.columns);
    }

    [[nodiscard]] bool reaches(std::size_t vertex) const { return distances[vertex] != unreached<D>(); }
    [[nodiscard]] bool may_lead(std::size_t from, std::size_t to) const
    {
        return parents.empty() || parents[to] == static_cast<std::int32_t>(from);
    }

    std::size_t source;
    std::span<const D> distances;
    std::span<const std::int32_t> parents;  // empty if there are none
};

struct RowValidator::Paths
{
    std::vector<long double> sums;  // infinite if no path leads to the vertex
    std::vector<long double> magnitudes;
    std::vector<std::uint32_t> arcs;
};

std::string RowValidator::name(std::size_t vertex) const
{
    return numbers_.in_words(static_cast<Vertex>(vertex));
}

/// The fault of the source, or of the parents of vertices that are not reached; empty if there is none.
template <typename D>
std::string RowValidator::fault_of_ends(const Row<D>& row) const
{
    if (row.distances[row.source] != D{0}) return "the source has a distance other than 0";
    if (row.parents.empty()) return "";
    if (row.parents[row.source] != static_cast<std::int32_t>(row.source)) return "the source is not its own parent";
    for (std::size_t v = 0; v < row.distances.size(); ++v)
        if (!row.reaches(v) && row.parents[v] != kNoParent)
            return "vertex " + name(v) + " is not reached, but has a parent";
    return "";
}

/// The fault of an edge; empty if there is none. shortens(u, arc): whether the arc gives its
/// target a smaller distance than the row has.
template <typename W, typename D, typename Shortens>
std::string RowValidator::fault_of_edges(const Arcs<W>& arcs, const Row<D>& row, const Shortens& shortens) const
{
    for (std::size_t u = 0; u < row.distances.size(); ++u) {
        if (!row.reaches(u)) continue;
        for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) {
            const std::uint32_t v = arcs[arc].target;
            if (!row.reaches(v))
                return "vertex " + name(v) + " is not reached, but an edge leads to it from " + name(u) + ", which is";
            if (shortens(u, arcs[arc]))
                return "vertex " + name(v) + " is nearer through its edge from " + name(u) + " than its distance says";
        }
    }
    return "";
}

template <typename Sum, typename W, typename D>
std::string RowValidator::fault_of_exact(const Arcs<W>& arcs, const Row<D>& row) const
{
    const auto sum_of = [&row](std::size_t u, W weight) {
        return static_cast<Sum>(static_cast<Sum>(row.distances[u]) + static_cast<Sum>(weight));
    };
    const auto shortens = [&](std::size_t u, const Arc<W>& arc) {
        return sum_of(u, arc.weight) < static_cast<Sum>(row.distances[arc.target]);
    };
    if (std::string fault = fault_of_edges(arcs, row, shortens); !fault.empty()) return fault;
    std::vector<std::uint32_t> waiting{static_cast<std::uint32_t>(row.source)};
    std::vector<bool> traced(row.distances.size());
    traced[row.source] = true;
    while (!waiting.empty()) {
        const std::size_t u = waiting.back();
        waiting.pop_back();
        for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) {
            const std::uint32_t v = arcs[arc].target;
            if (traced[v] || !row.may_lead(u, v) || sum_of(u, arcs[arc].weight) != static_cast<Sum>(row.distances[v]))
                continue;
            traced[v] = true;
            waiting.push_back(v);
        }
    }
    for (std::size_t v = 0; v < row.distances.size(); ++v)
        if (row.reaches(v) != traced[v]) return "no path of its distance leads to vertex " + name(v);
    return "";
}

/// The paths from which distances are validated: the paths along the parents if the row has parents, otherwise
/// the paths with the least sums.
template <typename W, typename D>
RowValidator::Paths RowValidator::paths_of(const Arcs<W>& arcs, const Row<D>& row) const
{
    const std::size_t vertices = row.distances.size();
    if (row.parents.empty()) {
        LeastSums search;
        const auto for_each_arc = [&](std::size_t u, const auto& f) {
            for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) f(arcs[arc].target, arcs[arc].weight);
        };
        const auto potential = [&](std::size_t v) {
            if (!row.reaches(v)) return std::numeric_limits<long double>::infinity();
            return negative_ ? static_cast<long double>(row.distances[v]) : 0;
        };
        search.search(vertices, row.source, for_each_arc, potential);
        return {{search.sums().begin(), search.sums().end()},
                {search.magnitudes().begin(), search.magnitudes().end()},
                {search.arcs().begin(), search.arcs().end()}};
    }
    Paths paths{std::vector<long double>(vertices, std::numeric_limits<long double>::infinity()),
                std::vector<long double>(vertices, 0), std::vector<std::uint32_t>(vertices, 0)};
    paths.sums[row.source] = 0;
    std::vector<std::uint32_t> waiting{static_cast<std::uint32_t>(row.source)};
    while (!waiting.empty()) {
        const std::size_t u = waiting.back();
        waiting.pop_back();
        for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) {
            const auto& [v, weight] = arcs[arc];
            if (v == row.source || !row.may_lead(u, v)) continue;
            const long double sum = paths.sums[u] + static_cast<long double>(weight);
            if (!(sum < paths.sums[v])) continue;  // only the lightest of parallel edges counts
            if (std::isinf(paths.sums[v])) waiting.push_back(v);
            paths.sums[v] = sum;
            paths.magnitudes[v] = paths.magnitudes[u] + std::abs(static_cast<long double>(weight));
            paths.arcs[v] = paths.arcs[u] + 1;
        }
    }
    return paths;
}

template <typename W, typename D>
std::string RowValidator::fault_of_rounded(const Arcs<W>& arcs, const Row<D>& row) const
{
    const Paths paths = paths_of(arcs, row);
    long double least = 0;
    long double largest = 0;
    for (std::size_t v = 0; v < row.distances.size(); ++v) {
        if (!row.reaches(v)) continue;
        least = std::min(least, static_cast<long double>(row.distances[v]));
        largest = std::max(largest, static_cast<long double>(row.distances[v]));
    }
    const auto of_conversion = [&](std::size_t v) {
        if (roundings_.conversion == 0) return 0.0L;
        return roundings_.conversion * std::abs(static_cast<long double>(row.distances[v])) +
               std::numeric_limits<D>::denorm_min();
    };
    // The most by which the distance of v may be larger, and smaller, than the sum along its path.
    const auto excess = [&](std::size_t v) {
        const double additions = paths.arcs[v] > 1 ? paths.arcs[v] - 1 : 0;
        return growth_of_error(additions, roundings_.addition) * paths.magnitudes[v] + of_conversion(v);
    };
    const double growth = growth_of_error(static_cast<double>(row.distances.size()), roundings_.addition);
    const auto deficit = [&](std::size_t v) {
        return growth * (negative_ ? largest - least : paths.sums[v]) + of_conversion(v);
    };
    for (std::size_t v = 0; v < row.distances.size(); ++v) {
        if (row.reaches(v) == std::isinf(paths.sums[v])) return "no path of its distance leads to vertex " + name(v);
        if (!row.reaches(v)) continue;
        const long double distance = row.distances[v];
        if (distance - paths.sums[v] > excess(v) || paths.sums[v] - distance > deficit(v))
            return "the path to vertex " + name(v) + " has length " + std::to_string(paths.sums[v]) +
                   ", its distance is " + std::to_string(distance);
    }
    return fault_of_edges(arcs, row, [&](std::size_t u, const Arc<W>& arc) {
        const long double sum = static_cast<long double>(row.distances[u]) + static_cast<long double>(arc.weight);
        return sum < static_cast<long double>(row.distances[arc.target]) - excess(arc.target) - deficit(u);
    });
}

void RowValidator::consume(const RowBatch& batch)
{
    std::mutex lock;
    std::size_t first_fault = batch.sources.size();
    std::string fault;
    const auto check_rows = [&]<typename D>(std::span<const D>, const auto& fault_of) {
        parallel_ranges(batch.sources.size(), 2, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                const Row<D> row(batch, i);
                std::string words = fault_of_ends(row);
                if (words.empty()) words = fault_of(row);
                if (words.empty()) continue;
                const std::lock_guard guard(lock);
                if (i >= first_fault) continue;
                first_fault = i;
                fault = std::move(words);
            }
        });
    };
    std::visit(
        [&]<typename D, typename W>(std::span<const D> rows, const Arcs<W>& arcs) {
            // Whole weights are added exactly, floats in the precision of the distances.
            using Sum = std::conditional_t<
                std::is_integral_v<W>, std::int64_t,
                std::conditional_t<std::is_same_v<D, float> && std::is_same_v<W, float>, float, double>>;
            if (roundings_.along_paths())
                check_rows(rows, [&](const Row<D>& row) { return fault_of_exact<Sum>(arcs, row); });
            else
                check_rows(rows, [&](const Row<D>& row) { return fault_of_rounded(arcs, row); });
        },
        batch.distances, arcs_);
    if (!fault.empty())
        throw ResultError("the distances from vertex " + numbers_.in_words(batch.sources[first_fault]) +
                          " are wrong: " + fault);
    checked_rows_ += batch.sources.size();
}

double RowValidator::bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_an_arc = 16;
    constexpr double bytes_of_begins = 16;
    constexpr double bytes_a_thread = 88;  // sums, magnitudes and the search of paths
    return arcs * bytes_an_arc + vertices * (bytes_of_begins + bytes_a_thread * threads);
}

}  // namespace wayfront::algo
