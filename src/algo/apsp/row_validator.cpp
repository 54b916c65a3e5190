#include "algo/apsp/row_validator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

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

RowValidator::RowValidator(const EdgeList& list, Vertex first_vertex, double roundings)
    : first_vertex_(first_vertex), roundings_(roundings), begins_(static_cast<std::size_t>(list.vertex_count) + 1, 0)
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
        largest_weight_ = std::max(largest_weight_, std::abs(static_cast<double>(weight)));
        arcs[next[source]++] = {target, weight};
    });
}

template <typename Sum, typename W, typename D>
std::string RowValidator::fault_of(const Arcs<W>& arcs, const RowBatch& batch, const D* row, std::size_t i) const
{
    const auto source = static_cast<std::size_t>(batch.sources[i]);
    const std::int32_t* const parents = batch.parents.empty() ? nullptr : batch.parents.data() + i * batch.columns;
    const auto name = [this](std::size_t vertex) { return std::to_string(static_cast<Vertex>(vertex) + first_vertex_); };
    const auto reached = [row](std::size_t vertex) { return row[vertex] != unreached<D>(); };
    const auto sum_of = [row](std::size_t vertex, W weight) { return static_cast<Sum>(static_cast<Sum>(row[vertex]) + static_cast<Sum>(weight)); };

    double largest = largest_weight_;
    for (std::size_t v = 0; v < batch.columns; ++v)
        if (reached(v)) largest = std::max(largest, std::abs(static_cast<double>(row[v])));
    const double slack =
        roundings_ * largest * (std::is_same_v<D, float> ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon());
    const auto differs_by = [&](Sum sum, std::size_t vertex) { return static_cast<double>(sum) - static_cast<double>(row[vertex]); };

    if (row[source] != D{0}) return "the source has a distance other than 0";
    std::vector<std::uint32_t> waiting{static_cast<std::uint32_t>(source)};
    std::vector<bool> traced(batch.columns);
    traced[source] = true;
    for (std::size_t u = 0; u < batch.columns; ++u) {
        if (!reached(u)) continue;
        for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) {
            const std::uint32_t v = arcs[arc].target;
            if (!reached(v)) return "vertex " + name(v) + " is not reached, but an edge leads to it from " + name(u) + ", which is";
            if (differs_by(sum_of(u, arcs[arc].weight), v) < -slack)
                return "vertex " + name(v) + " is nearer through its edge from " + name(u) + " than its distance says";
        }
    }
    while (!waiting.empty()) {
        const std::size_t u = waiting.back();
        waiting.pop_back();
        for (std::uint64_t arc = begins_[u]; arc < begins_[u + 1]; ++arc) {
            const std::uint32_t v = arcs[arc].target;
            if (traced[v] || (parents != nullptr && parents[v] != static_cast<std::int32_t>(u))) continue;
            if (std::abs(differs_by(sum_of(u, arcs[arc].weight), v)) > slack) continue;
            traced[v] = true;
            waiting.push_back(v);
        }
    }
    for (std::size_t v = 0; v < batch.columns; ++v) {
        if (reached(v) != traced[v]) return "no path of its distance leads to vertex " + name(v);
        if (parents != nullptr && !reached(v) && parents[v] != kNoParent) return "vertex " + name(v) + " is not reached, but has a parent";
    }
    if (parents != nullptr && parents[source] != static_cast<std::int32_t>(source)) return "the source is not its own parent";
    return "";
}

void RowValidator::take(const RowBatch& batch)
{
    std::mutex lock;
    std::size_t first_fault = batch.sources.size();
    std::string fault;
    const auto check_rows = [&]<typename Sum, typename W, typename D>(Sum, const Arcs<W>& arcs, const D* rows) {
        parallel_ranges(batch.sources.size(), 2, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                std::string words = fault_of<Sum>(arcs, batch, rows + i * batch.columns, i);
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
            if constexpr (std::is_integral_v<W>)
                check_rows(std::int64_t{}, arcs, rows.data());
            else if constexpr (std::is_same_v<D, float> && std::is_same_v<W, float>)
                check_rows(float{}, arcs, rows.data());
            else
                check_rows(double{}, arcs, rows.data());
        },
        batch.distances, arcs_);
    if (!fault.empty())
        throw ResultError("the distances from vertex " + std::to_string(batch.sources[first_fault] + first_vertex_) + " are wrong: " + fault);
    checked_rows_ += batch.sources.size();
}

double RowValidator::bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_an_arc = 16;
    constexpr double bytes_of_begins = 16;
    constexpr double bytes_a_thread = 5;
    return arcs * bytes_an_arc + vertices * (bytes_of_begins + bytes_a_thread * threads);
}

}  // namespace wayfront::algo
