#include "graph500/violations.hpp"

namespace wayfront::graph500 {

int number_of(Rule rule) noexcept
{
    if (rule == Rule::tree_distances) return 2;
    if (rule == Rule::edge_distances) return 3;
    if (rule == Rule::nearest) return 6;
    return static_cast<int>(rule);
}

const char* text_of(Rule rule) noexcept
{
    switch (rule) {
        case Rule::tree:
            return "the parents form a tree without cycles, rooted at the key";
        case Rule::tree_levels:
            return "a vertex and its parent are one level apart";
        case Rule::edge_levels:
            return "an edge joins vertices at most one level apart";
        case Rule::component:
            return "the tree spans the key's component";
        case Rule::tree_edges:
            return "a vertex and its parent are joined by an edge";
        case Rule::tree_distances:
            return "the distances of a vertex and its parent differ by the weight of the edge that joins them";
        case Rule::edge_distances:
            return "no edge leads to a shorter distance";
        case Rule::nearest:
            return "the nearest key of a vertex is the smallest of those at its distance";
    }
    return "";
}

std::optional<Violation> ViolationRecord::agree(const comm::Communicator& communicator) const
{
    const std::int64_t own = empty() ? communicator.size() : communicator.rank();
    const auto lowest = static_cast<int>(communicator.all_reduce(own, comm::Reduction::min));
    if (lowest == communicator.size()) return std::nullopt;
    const bool here = lowest == communicator.rank();
    const std::string rule =
        communicator.broadcast(here ? std::to_string(static_cast<int>(first_->rule)) : std::string(), lowest);
    const std::string what = communicator.broadcast(here ? first_->what : std::string(), lowest);
    return Violation{static_cast<Rule>(std::stoi(rule)), what};
}

}  // namespace wayfront::graph500
