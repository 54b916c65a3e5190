#include "session/verdict.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

namespace wayfront::session {

namespace {

std::string level_in_words(std::int64_t level)
{
    return level < 0 ? std::string("not reached") : fmt::format("level {}", level);
}

/// Describes how the parents of vertex v break rule 1; empty if `fault` concerns another rule.
std::string tree_fault_in_words(gpu::kron::Fault fault, Vertex v, Vertex parent, Vertex vertices)
{
    switch (fault) {
        case gpu::kron::Fault::key_parent:
            return fmt::format("the key {} has parent {}, not itself", v, parent);
        case gpu::kron::Fault::parent_range:
            return fmt::format("vertex {} has parent {}, outside 0 to {}", v, parent, vertices - 1);
        case gpu::kron::Fault::own_parent:
            return fmt::format("vertex {} is its own parent, but not the key", v);
        case gpu::kron::Fault::parent_unreached:
            return fmt::format("vertex {} has parent {}, which was not reached", v, parent);
        case gpu::kron::Fault::cycle:
            return fmt::format("the parents of vertex {}, beginning with {}, lead into a cycle", v, parent);
        case gpu::kron::Fault::level_gap:
        case gpu::kron::Fault::edge_levels:
        case gpu::kron::Fault::leaves_component:
        case gpu::kron::Fault::missing_tree_edge:
        case gpu::kron::Fault::none:
            break;
    }
    return "";
}

std::string offender_in_words(const gpu::kron::Verdict& verdict, Vertex vertices)
{
    const Vertex v = verdict.vertex;
    const Vertex parent = verdict.parent;
    if (verdict.fault == gpu::kron::Fault::level_gap)
        return fmt::format("vertex {}, {}, has parent {}, {}", v, level_in_words(verdict.level), parent,
                           level_in_words(verdict.other_level));
    if (verdict.fault == gpu::kron::Fault::edge_levels || verdict.fault == gpu::kron::Fault::leaves_component)
        return fmt::format("edge {} - {} joins {} and {}", v, parent, level_in_words(verdict.level),
                           level_in_words(verdict.other_level));
    if (verdict.fault == gpu::kron::Fault::missing_tree_edge)
        return fmt::format("no edge joins vertex {}, {}, to its parent {}", v, level_in_words(verdict.level), parent);
    return tree_fault_in_words(verdict.fault, v, parent, vertices);
}

std::string distance_in_words(float distance)
{
    return distance == std::numeric_limits<float>::infinity() ? std::string("not reached")
                                                              : fmt::format("distance {}", distance);
}

std::string offender_in_words(const gpu::kron::DistanceVerdict& verdict, Vertex vertices)
{
    const Vertex v = verdict.vertex;
    const Vertex parent = verdict.parent;
    switch (verdict.fault) {
        case gpu::kron::DistanceFault::tree:
            return tree_fault_in_words(verdict.tree_fault, v, parent, vertices);
        case gpu::kron::DistanceFault::no_number:
            return fmt::format("vertex {} has distance {}", v, verdict.distance);
        case gpu::kron::DistanceFault::no_parent:
            return fmt::format("vertex {} has distance {}, but no parent", v, verdict.distance);
        case gpu::kron::DistanceFault::no_distance:
            return fmt::format("vertex {} has parent {}, but no distance", v, parent);
        case gpu::kron::DistanceFault::key_distance:
            return fmt::format("the key {} has distance {}, not 0", v, verdict.distance);
        case gpu::kron::DistanceFault::wrong_sum:
            return fmt::format(
                "vertex {} has distance {}, its parent {} has distance {}, and their lightest edge has weight {}", v,
                verdict.distance, parent, verdict.other_distance, verdict.weight);
        case gpu::kron::DistanceFault::shorter_path:
        case gpu::kron::DistanceFault::leaves_component:
            return fmt::format("edge {} - {}, weight {}, joins {} and {}", v, parent, verdict.weight,
                               distance_in_words(verdict.distance), distance_in_words(verdict.other_distance));
        case gpu::kron::DistanceFault::missing_tree_edge:
            return fmt::format("no edge joins vertex {}, distance {}, to its parent {}", v, verdict.distance, parent);
        case gpu::kron::DistanceFault::none:
            break;
    }
    return "";
}

/// The rule that has the benchmark's number in searches for distances.
graph500::Rule rule_of_distances(int number)
{
    if (number == 2) return graph500::Rule::tree_distances;
    return number == 3 ? graph500::Rule::edge_distances : static_cast<graph500::Rule>(number);
}

}  // namespace

graph500::BfsValidation to_validation(const gpu::kron::Verdict& verdict, Vertex vertices)
{
    graph500::BfsValidation validation;
    validation.outcome = verdict.valid() ? graph500::Outcome::valid : graph500::Outcome::invalid;
    if (!verdict.valid()) {
        validation.violation =
            graph500::Violation{static_cast<graph500::Rule>(verdict.rule), offender_in_words(verdict, vertices)};
        return validation;
    }
    validation.edges = static_cast<EdgeCount>(verdict.component_tuples);
    validation.reached = static_cast<Vertex>(verdict.reached);
    validation.eccentricity = verdict.max_level;
    return validation;
}

graph500::Validation to_validation(const gpu::kron::DistanceVerdict& verdict, Vertex vertices)
{
    graph500::Validation validation;
    validation.outcome = verdict.valid() ? graph500::Outcome::valid : graph500::Outcome::invalid;
    if (!verdict.valid()) {
        validation.violation =
            graph500::Violation{rule_of_distances(verdict.rule), offender_in_words(verdict, vertices)};
        return validation;
    }
    validation.edges = static_cast<EdgeCount>(verdict.component_tuples);
    validation.reached = static_cast<Vertex>(verdict.reached);
    return validation;
}

}  // namespace wayfront::session
