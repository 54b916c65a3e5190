#include "plan/apsp/types.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "cpu/apsp/distance_bound.hpp"

namespace wayfront::plan {

namespace {

using algo::DistanceType;

/// An upper bound of the magnitudes of all distances, which may be infinite. If it exceeds `enough`,
/// a more exact one is computed.
double most_length(const EdgeList& list, double enough)
{
    double most = 0;
    visit_weights(list.weights, [&](const auto& weights) {
        for (const auto weight : weights) most = std::max(most, std::abs(static_cast<double>(weight)));
    });
    most *= static_cast<double>(list.vertex_count);
    if (most <= enough) return most;
    // A simple path enters each vertex at most once.
    std::vector<double> largest(static_cast<std::size_t>(list.vertex_count), 0);  // of the edges into each vertex
    visit_weights(list.weights, [&](const auto& weights) {
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            const double weight = std::abs(static_cast<double>(weights[i]));
            double& at_target = largest[static_cast<std::size_t>(list.edges[i].target())];
            at_target = std::max(at_target, weight);
            if (list.directed) continue;
            double& at_source = largest[static_cast<std::size_t>(list.edges[i].source())];
            at_source = std::max(at_source, weight);
        }
    });
    double sum = 0;
    for (const double each : largest) sum += each;
    return sum;
}

ApspDistances distances_of_floats(const ApspMethodOptions& options, WeightType weights)
{
    const DistanceType own = weights == WeightType::float32 ? DistanceType::float32 : DistanceType::float64;
    return {.type = options.type.value_or(own), .whole = false};
}

/// Throws ResourceError.
void require_some_type(const std::string& name, double most_distance)
{
    if (most_distance > algo::most_whole_distance(DistanceType::float64))
        throw ResourceError(fmt::format(
            "the distances of {} may not fit any type: there may be some of up to {:.3g}, but they must be below 2^53",
            name, most_distance));
}

}  // namespace

WeightType weights_for(const job::Job& job, const ApspMethodOptions& options, const std::string& name,
                       const EdgeList& list, WeightType input)
{
    if (!is_floating_point(input)) return input;
    return run_agreed(job.world(), [&] {
        if (options.type && is_whole(*options.type))
            throw InputError(fmt::format("--dtype {}: the weights of {} are floats", name_of(*options.type), name));
        // Half of the largest number, since Floyd-Warshall adds two distances.
        constexpr double float64_most = std::numeric_limits<double>::max() / 2;
        constexpr double float32_most = std::numeric_limits<float>::max() / 2;
        const double most = most_length(list, float32_most);
        if (most > float64_most)
            throw InputError(
                fmt::format("the distances of {} may exceed half of the largest number of float64, {:.3g}; divide all "
                            "weights by a power of two",
                            name, float64_most));
        if (options.type == DistanceType::float64 || most > float32_most) return WeightType::float64;
        return options.type ? WeightType::float32 : input;
    });
}

ApspDistances choose_distances(const ApspMethodOptions& options, const ApspWork& work, const DistributedGraph& graph,
                               bool on_device)
{
    if (is_floating_point(work.weights)) return distances_of_floats(options, work.weights);
    const cpu::DistanceBound bound = cpu::bound_distances(graph);
    require_some_type(work.name, bound.at_most);
    const DistanceType type = options.type.value_or(algo::smallest_whole_type(bound.at_most, work.negative_weights));
    if (type == DistanceType::uint16 && work.negative_weights && (work.all_rows || on_device))
        throw InputError(fmt::format("--dtype uint16: {} has negative weights", work.name));
    if (work.all_rows && bound.at_least > algo::most_whole_distance(type))
        throw InputError(fmt::format(
            "--dtype {}: {} has a distance of {:.0f}, but the type holds {}distances up to {:.0f} only", name_of(type),
            work.name, bound.at_least, is_whole(type) ? "" : "whole ", algo::most_whole_distance(type)));
    return {type, true, bound.at_most};
}

ApspDistances choose_distances_within(const algo::Cutoff& limit, const ApspMethodOptions& options, const ApspWork& work,
                                      const DistributedGraph& graph)
{
    if (is_floating_point(work.weights)) return distances_of_floats(options, work.weights);
    auto most = static_cast<double>(limit.whole);
    // The bound takes two searches of the whole graph.
    if (most > algo::most_whole_distance(DistanceType::uint16))
        most = std::min(most, cpu::bound_distances(graph).at_most);
    require_some_type(work.name, most);
    return {options.type.value_or(algo::smallest_whole_type(most, false)), true, most};
}

}  // namespace wayfront::plan
