#include "session/sssp/negative_cycles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>

#include "algo/apsp/roundings.hpp"
#include "algo/sssp/distance.hpp"
#include "algo/sssp/negative_cycle.hpp"
#include "comm/communicator.hpp"
#include "graph/partition.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kMostVerticesShown = 1000;

/// Sum: the type of distances. weight(i) is that of edge i.
template <typename Sum, typename Weight>
std::vector<Vertex> find_cycle(const EdgeList& list, Weight&& weight)
{
    const auto n = static_cast<std::size_t>(list.vertex_count);
    const comm::Communicator alone = comm::Communicator::alone();
    const Partition partition(list.vertex_count, 1, 1);
    std::vector<Sum> distances(n);
    std::vector<Vertex> parents(n, kUnreached);
    const auto relax = [&](Vertex source, Vertex target, Sum length) {
        const auto from = static_cast<std::size_t>(source);
        const auto to = static_cast<std::size_t>(target);
        Sum sum{};
        // Set by sums that are too large, which improve nothing. Sums that are too small become the
        // smallest value.
        bool overflow = false;
        if (!algo::sum_is_below(distances[from], length, algo::unreached<Sum>(), sum, overflow) ||
            !(sum < distances[to]))
            return false;
        distances[to] = sum;
        parents[to] = source;
        return true;
    };
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        const Vertex source = list.edges[i].source();
        const bool loop = source == list.edges[i].target();
        if (weight(i) < 0 && loop) return {source};
        if (weight(i) < 0 && !list.directed) return {source, list.edges[i].target()};
    }
    for (std::size_t round = 1;; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < list.edges.size(); ++i)
            changed = relax(list.edges[i].source(), list.edges[i].target(), static_cast<Sum>(weight(i))) || changed;
        // After n rounds there is a cycle of parents, in most cases sooner. There may be one even
        // if nothing has changed in a round: sums may have become too small for their type, or
        // rounded sums around the cycle may not change any more.
        if (changed && round < n && !std::has_single_bit(round)) continue;
        std::vector<Vertex> cycle = algo::find_parent_cycle(alone, partition, parents);
        if (!changed || !cycle.empty()) return cycle;
    }
}

}  // namespace

std::vector<Vertex> find_negative_cycle(const EdgeList& list)
{
    std::vector<Vertex> cycle;
    visit_weights(list.weights, [&](const auto& weights) {
        using Sum = std::conditional_t<std::is_integral_v<std::decay_t<decltype(weights[0])>>, std::int64_t, double>;
        cycle = find_cycle<Sum>(list, [&weights](std::size_t i) { return weights[i]; });
    });
    return cycle;
}

CycleLength length_of_cycle(const EdgeList& list, const std::vector<Vertex>& cycle)
{
    std::unordered_map<Vertex, std::size_t> position;
    for (std::size_t i = 0; i < cycle.size(); ++i) position[cycle[i]] = i;
    CycleLength length;
    visit_weights(list.weights, [&]<typename T>(const HostBuffer<T>& weights) {
        std::vector<T> lightest(cycle.size(), std::numeric_limits<T>::max());
        const auto see = [&](Vertex source, Vertex target, T weight) {
            const auto found = position.find(source);
            if (found == position.end() || cycle[(found->second + 1) % cycle.size()] != target) return;
            lightest[found->second] = std::min(lightest[found->second], weight);
        };
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            const Edge edge = list.edges[i].unpack();
            see(edge.source, edge.target, weights[i]);
            if (!list.directed) see(edge.target, edge.source, weights[i]);
        }
        // The mantissa of 64 bits holds every sum of whole numbers that fits int64.
        long double sum = 0;
        long double magnitudes = 0;
        for (const T weight : lightest) {
            sum += static_cast<long double>(weight);
            magnitudes += std::abs(static_cast<long double>(weight));
        }
        length.in_words = std::is_integral_v<T> ? fmt::format("{:.0f}", sum) : fmt::format("{:.10g}", sum);
        // Each weight of 32 bits may have been rounded when it was read. The roundings of the sum
        // are smaller by a factor of 2^40.
        const long double rounding = algo::kUnitRoundoff<float> * magnitudes;
        length.may_be_rounding = std::is_same_v<T, float> && -sum <= rounding;
    });
    return length;
}

std::string cycle_in_words(const LoadedGraph& input, std::vector<Vertex> cycle)
{
    if (input.reversed) std::ranges::reverse(cycle);
    std::string text;
    for (const Vertex v : std::span(cycle).first(std::min(cycle.size(), kMostVerticesShown)))
        text += fmt::format("{} -> ", vertex_in_words(input.numbers(), v));
    if (cycle.size() > kMostVerticesShown) text += fmt::format("... ({} vertices) -> ", cycle.size());
    return text + vertex_in_words(input.numbers(), cycle.front());
}

}  // namespace wayfront::session
