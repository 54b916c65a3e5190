#include "algo/reachable_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "algo/strong_components.hpp"

namespace wayfront::algo {

namespace {

class Limits
{
public:
    Limits(CsrView out, std::uint64_t vertices) : out_(out), vertices_(vertices), components_(strong_components(out))
    {
        // Components are in ascending order.
        for (std::size_t at = 0; at < components_.order.size(); ++at)
            if (at == 0 || component_at(at) != component_at(at - 1)) first_.push_back(at);
        reach_.resize(first_.size());
        first_.push_back(components_.order.size());
    }

    PairLimits run() &&
    {
        search_from_largest();
        PairLimits pairs;
        for (std::uint32_t component = 0; component < reach_.size(); ++component) {
            // The successors have smaller numbers.
            if (component != largest_) limit(component);
            const std::uint64_t size = members(component).size();
            pairs.at_least += size * (reach_[component].at_least - 1);
            pairs.at_most += size * (reach_[component].at_most() - 1);
        }
        return pairs;
    }

private:
    /// The number of vertices that a component reaches, itself included.
    struct Reach
    {
        std::uint64_t at_least = 0;
        std::uint64_t core = 0;    // number of vertices reached through the largest component; 0 if it is not reached
        std::uint64_t beyond = 0;  // upper bound of the number of other reached vertices
        bool in_core = false;      // whether the largest component reaches this one

        [[nodiscard]] std::uint64_t at_most() const { return core + beyond; }
    };

    [[nodiscard]] std::uint32_t component_at(std::size_t at) const
    {
        return components_.component[components_.order[at]];
    }

    [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t component) const
    {
        return std::span(components_.order).subspan(first_[component], first_[component + 1] - first_[component]);
    }

    template <typename Visit>
    void visit_successors(std::uint32_t component, const Visit& visit) const
    {
        for (const std::uint32_t vertex : members(component))
            for (std::uint64_t entry = out_.begin(vertex); entry < out_.end(vertex); ++entry)
                if (const std::uint32_t other = components_.component[out_.neighbours[entry]]; other != component)
                    visit(other);
    }

    void search_from_largest()
    {
        for (std::uint32_t component = 0; component < reach_.size(); ++component)
            if (members(component).size() > members(largest_).size()) largest_ = component;
        if (reach_.empty()) return;
        std::vector<std::uint32_t> queue{largest_};
        reach_[largest_].in_core = true;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            core_vertices_ += members(queue[i]).size();
            visit_successors(queue[i], [&](std::uint32_t other) {
                if (!std::exchange(reach_[other].in_core, true)) queue.push_back(other);
            });
        }
        reach_[largest_].at_least = reach_[largest_].core = core_vertices_;
        last_visit_.assign(reach_.size(), std::numeric_limits<std::uint32_t>::max());
    }

    void limit(std::uint32_t component)
    {
        Reach& reach = reach_[component];
        std::uint64_t longest = 0;
        std::uint64_t outside = 0;  // the core
        std::uint64_t inside = 0;
        visit_successors(component, [&](std::uint32_t other) {
            if (std::exchange(last_visit_[other], component) == component) return;
            const Reach& next = reach_[other];
            longest = std::max(longest, next.at_least);
            reach.core = std::max(reach.core, next.core);
            // Sums stay below the square of the number of vertices, since each term is at most that.
            (next.in_core ? inside : outside) += next.beyond;
        });
        const std::uint64_t size = members(component).size();
        reach.at_least = size + longest;
        // A component that reaches the largest component also reaches all vertices that the largest one reaches.
        if (reach.core > 0) {
            reach.beyond = std::min(size + outside, vertices_ - core_vertices_);
        } else {
            const std::uint64_t limit = reach.in_core ? core_vertices_ : vertices_;
            // A vertex without edges is not one of vertices_: then `limit` may be less than the component.
            reach.beyond = std::min(size + outside + inside, std::max(size, limit));
        }
    }

    CsrView out_;
    std::uint64_t vertices_;
    StrongComponents components_;
    std::vector<std::size_t> first_;  // where the members of each component begin in the order, and the end
    std::vector<Reach> reach_;
    std::vector<std::uint32_t> last_visit_;  // the last component that visited this successor
    std::uint32_t largest_ = 0;
    std::uint64_t core_vertices_ = 0;
};

}  // namespace

PairLimits limit_reachable_pairs(CsrView out, std::uint64_t vertices)
{
    return Limits(out, vertices).run();
}

}  // namespace wayfront::algo
