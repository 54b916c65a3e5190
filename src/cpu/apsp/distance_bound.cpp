#include "cpu/apsp/distance_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "algo/strong_components.hpp"
#include "cpu/sssp/quaternary_heap.hpp"

namespace wayfront::cpu {

namespace {

/// The type in which weights of type W are added up.
template <typename W>
using SumOf = std::conditional_t<std::is_floating_point_v<W>, double, std::uint64_t>;

template <typename D>
constexpr D kFar = std::is_floating_point_v<D> ? std::numeric_limits<D>::infinity() : std::numeric_limits<D>::max();

/// Sums of whole numbers that no type of distances holds become one below kFar.
template <typename D>
D sum_of(D distance, D weight)
{
    if constexpr (std::is_floating_point_v<D>)
        return distance + weight;
    else
        return distance + std::min(weight, kFar<D> - 1 - distance);
}

/// One direction of a graph's edges, by slot.
template <typename W>
struct Side
{
    CsrView lists;
    const W* weights;  // null: all are 1

    [[nodiscard]] W weight(std::uint64_t entry) const { return weights == nullptr ? W{1} : weights[entry]; }
};

template <typename W>
Side<W> side(const Csr& csr, const BlockWeights& weights)
{
    const auto* buffer = std::get_if<HostBuffer<W>>(&weights);
    return {csr.view(), buffer == nullptr ? nullptr : buffer->data()};
}

template <typename W>
double sum_of_largest_in_weights(const Side<W>& in, std::uint32_t slots)
{
    double sum = 0;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        double largest = 0;
        for (std::uint64_t entry = in.lists.begin(slot); entry < in.lists.end(slot); ++entry)
            largest = std::max(largest, std::abs(static_cast<double>(in.weight(entry))));
        sum += largest;
    }
    return sum;
}

template <typename D>
struct Reached
{
    std::uint64_t vertices = 0;
    D farthest = 0;
};

/// A slot that was reached at a distance.
template <typename D>
struct Entry
{
    D distance;
    std::uint32_t slot;
    bool operator<(const Entry& other) const { return distance < other.distance; }
};

/// A queue in the order of insertion, which is that of distances if all weights are 1.
template <typename T>
class FifoQueue
{
public:
    [[nodiscard]] bool empty() const { return first_ == items_.size(); }
    void push(T item) { items_.push_back(item); }
    [[nodiscard]] T pop() { return items_[first_++]; }

private:
    std::vector<T> items_;
    std::size_t first_ = 0;
};

/// The search of reach() with a queue that is empty.
template <typename W, typename D, typename Allowed, typename Queue>
Reached<D> reach_with(Queue queue, const Side<W>& side, std::uint32_t source, std::vector<D>& distances,
                      const Allowed& allowed)
{
    Reached<D> reached;
    distances[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const Entry<D> nearest = queue.pop();
        if (nearest.distance != distances[nearest.slot]) continue;
        ++reached.vertices;
        reached.farthest = nearest.distance;
        for (std::uint64_t entry = side.lists.begin(nearest.slot); entry < side.lists.end(nearest.slot); ++entry) {
            const std::uint32_t other = side.lists.neighbours[entry];
            if (!allowed(other)) continue;
            const D distance = sum_of(nearest.distance, static_cast<D>(side.weight(entry)));
            if (distance >= distances[other]) continue;
            distances[other] = distance;
            queue.push({distance, other});
        }
    }
    return reached;
}

/// Dijkstra's algorithm from `source` through vertices for which `allowed` is true, or without weights a
/// breadth-first search; sets the distances of the reached vertices.
template <typename W, typename D, typename Allowed>
Reached<D> reach(const Side<W>& side, std::uint32_t source, std::vector<D>& distances, const Allowed& allowed)
{
    if (side.weights == nullptr) return reach_with(FifoQueue<Entry<D>>(), side, source, distances, allowed);
    return reach_with(QuaternaryHeap<Entry<D>>(), side, source, distances, allowed);
}

constexpr auto kEverywhere = [](std::uint32_t) { return true; };

/// The third upper bound, which follows from the distances from slot 0 and to slot 0; replaces these distances. A path
/// between two vertices of a component does not leave the component.
template <typename W, typename D>
double bound_through_components(const Side<W>& out, const Side<W>& in, std::vector<D>& from_root,
                                std::vector<D>& to_root)
{
    const std::size_t slots = from_root.size();
    const algo::StrongComponents components = algo::strong_components(out.lists);
    const std::vector<std::uint32_t>& component = components.component;
    const std::vector<std::uint32_t>& order = components.order;
    for (std::size_t slot = 0; slot < slots; ++slot)
        if (component[slot] != component[0]) from_root[slot] = to_root[slot] = kFar<D>;
    std::vector<double> onward(slots);  // no path from a slot is longer
    double most = 0;
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        const std::uint32_t number = component[order[first]];
        while (last < order.size() && component[order[last]] == number) ++last;
        const std::span<const std::uint32_t> members = std::span(order).subspan(first, last - first);
        const std::uint32_t root = *std::ranges::min_element(members);  // has the highest degree
        const auto inside = [&](std::uint32_t slot) { return component[slot] == number; };
        if (root != 0) {
            reach(out, root, from_root, inside);
            reach(in, root, to_root, inside);
        }
        double from_root_onward = 0;
        for (const std::uint32_t slot : members) {
            double leaving = 0;
            for (std::uint64_t entry = out.lists.begin(slot); entry < out.lists.end(slot); ++entry)
                if (const std::uint32_t other = out.lists.neighbours[entry]; !inside(other))
                    leaving = std::max(leaving, static_cast<double>(out.weight(entry)) + onward[other]);
            from_root_onward = std::max(from_root_onward, static_cast<double>(from_root[slot]) + leaving);
        }
        for (const std::uint32_t slot : members) {
            onward[slot] = static_cast<double>(to_root[slot]) + from_root_onward;
            most = std::max(most, onward[slot]);
        }
    }
    return most;
}

/// The second upper bound or, if there is no such vertex r, the third, and the lower bound. Pre: no
/// weight is negative.
template <typename W>
DistanceBound bound_through_vertices(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const auto out = side<W>(block.out_edges(), block.out_weights());
    const auto in = side<W>(block.in_edges, block.in_weights);
    const std::uint32_t slots = block.slot_stride;
    const auto connected = static_cast<std::uint64_t>(graph.connected_vertices);
    using D = SumOf<W>;
    std::vector<D> distances(slots, kFar<D>);
    if (!graph.directed) {
        D farthest = 0;
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            if (distances[slot] == kFar<D> && out.lists.degree(slot) > 0)
                farthest = std::max(farthest, reach(out, slot, distances, kEverywhere).farthest);
        return {2 * static_cast<double>(farthest), static_cast<double>(farthest)};
    }
    if (connected == 0) return {};
    const Reached<D> from = reach(out, 0, distances, kEverywhere);
    std::vector<D> distances_to(slots, kFar<D>);
    const Reached<D> to = reach(in, 0, distances_to, kEverywhere);
    const auto most = [](const Reached<D>& reached) { return static_cast<double>(reached.farthest); };
    const bool all = from.vertices == connected && to.vertices == connected;
    return {all ? most(from) + most(to) : bound_through_components(out, in, distances, distances_to),
            std::max(most(from), most(to))};
}

}  // namespace

DistanceBound bound_distances(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const auto bound_for = [&]<typename W>(W) {
        const double sum = sum_of_largest_in_weights(side<W>(block.in_edges, block.in_weights), block.slot_stride);
        if (const auto* weights = std::get_if<HostBuffer<std::int64_t>>(&block.in_weights);
            weights != nullptr && std::ranges::any_of(*weights, [](std::int64_t weight) { return weight < 0; }))
            return DistanceBound{sum, 0};
        DistanceBound bound = bound_through_vertices<W>(graph);
        bound.at_most = std::min(bound.at_most, sum);
        return bound;
    };
    return std::holds_alternative<HostBuffer<std::int64_t>>(block.in_weights) ? bound_for(std::int64_t{})
                                                                              : bound_for(std::uint32_t{});
}

double most_float_distance(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const auto bound_for = [&]<typename W>(W) {
        const double sum = sum_of_largest_in_weights(side<W>(block.in_edges, block.in_weights), block.slot_stride);
        const double bound = std::min(sum, bound_through_vertices<W>(graph).at_most);
        // A path has fewer edges than there are vertices. Both its distance and the bound are rounded for
        // each of them, the bound in float64.
        const double roundings = static_cast<double>(graph.connected_vertices) *
                                 (std::numeric_limits<W>::epsilon() + std::numeric_limits<double>::epsilon());
        return bound * std::exp(roundings);
    };
    return std::holds_alternative<HostBuffer<float>>(block.in_weights) ? bound_for(float{}) : bound_for(double{});
}

double least_positive_weight(const DistributedGraph& graph)
{
    double least = std::numeric_limits<double>::infinity();
    std::visit(
        [&least]<typename Weights>(const Weights& weights) {
            if constexpr (std::is_same_v<Weights, std::monostate>)
                least = 1;
            else
                for (const auto weight : weights)
                    if (weight > 0) least = std::min(least, static_cast<double>(weight));
        },
        graph.block.in_weights);
    return least;
}

}  // namespace wayfront::cpu
