#include "app/search/verdict.hpp"

#include <string>

#include <fmt/format.h>

namespace wayfront::app {

namespace {

std::string level_in_words(std::int64_t level)
{
    return level < 0 ? std::string("not reached") : fmt::format("level {}", level);
}

std::string offender_in_words(const gpu::Verdict& verdict, Vertex vertices)
{
    const Vertex v = verdict.vertex;
    const Vertex parent = verdict.parent;
    switch (verdict.fault) {
        case gpu::Fault::key_parent:
            return fmt::format("the key {} has parent {}, not itself", v, parent);
        case gpu::Fault::parent_range:
            return fmt::format("vertex {} has parent {}, outside 0 to {}", v, parent, vertices - 1);
        case gpu::Fault::own_parent:
            return fmt::format("vertex {} is its own parent, but not the key", v);
        case gpu::Fault::parent_unreached:
            return fmt::format("vertex {} has parent {}, which was not reached", v, parent);
        case gpu::Fault::cycle:
            return fmt::format("the parents of vertex {}, beginning with {}, lead into a cycle", v, parent);
        case gpu::Fault::level_gap:
            return fmt::format("vertex {}, {}, has parent {}, {}", v, level_in_words(verdict.level), parent, level_in_words(verdict.other_level));
        case gpu::Fault::edge_levels:
        case gpu::Fault::leaves_component:
            return fmt::format("edge {} - {} joins {} and {}", v, parent, level_in_words(verdict.level), level_in_words(verdict.other_level));
        case gpu::Fault::missing_tree_edge:
            return fmt::format("no edge joins vertex {}, {}, to its parent {}", v, level_in_words(verdict.level), parent);
        case gpu::Fault::none:
            break;
    }
    return "";
}

}  // namespace

graph500::BfsValidation to_validation(const gpu::Verdict& verdict, Vertex vertices)
{
    graph500::BfsValidation validation;
    validation.outcome = verdict.valid() ? graph500::Outcome::valid : graph500::Outcome::invalid;
    if (!verdict.valid()) {
        validation.violation = graph500::Violation{static_cast<graph500::Rule>(verdict.rule), offender_in_words(verdict, vertices)};
        return validation;
    }
    validation.edges = static_cast<EdgeCount>(verdict.component_tuples);
    validation.reached = static_cast<Vertex>(verdict.reached);
    validation.eccentricity = verdict.max_level;
    return validation;
}

}  // namespace wayfront::app
