// The violations that a validation finds: collected from threads, agreed on among ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "comm/communicator.hpp"

namespace wayfront::graph500 {

/// The benchmark's five rules, and one more. Rules 2 and 3 differ between breadth-first search and shortest
/// paths.
enum class Rule : int {
    tree = 1,         // 1: the parents form a tree, rooted at the key, without cycles
    tree_levels = 2,  // 2: a vertex and its parent are one level apart
    edge_levels = 3,  // 3: an edge of the input joins vertices at most one level apart
    component = 4,    // 4: the tree spans the key's whole component
    tree_edges = 5,   // 5: a vertex and its parent are joined by an edge of the input
    // 2: distances of a vertex and its parent differ by the weight of their edge.
    tree_distances = 6,
    edge_distances = 7,  // 3: an edge of the input does not lead to a shorter distance
    nearest = 8,         // 6, of a search from several keys: the nearest is the smallest as near
};

/// The number of the rule, as in the benchmark.
int number_of(Rule rule) noexcept;

/// The rule in words.
const char* text_of(Rule rule) noexcept;

struct Violation
{
    Rule rule;
    std::string what;  // one violating vertex or edge, with its values: one line
};

/// Keeps the violation of the lowest order, so that the same one is reported with any number of
/// threads.
class ViolationRecord
{
public:
    /// Any thread may call this. `what` makes the text; it is called only if the violation is kept.
    template <typename F>
    void offer(std::uint64_t order, Rule rule, F&& what)
    {
        if (order >= order_.load(std::memory_order_relaxed)) return;
        const std::scoped_lock lock(mutex_);
        if (order >= order_.load(std::memory_order_relaxed)) return;
        first_ = Violation{rule, std::forward<F>(what)()};
        order_.store(order, std::memory_order_relaxed);
    }

    [[nodiscard]] bool empty() const { return !first_.has_value(); }

    /// The violation of the lowest rank that has one; equal on all ranks. Collective.
    [[nodiscard]] std::optional<Violation> agree(const comm::Communicator& communicator) const;

private:
    std::atomic<std::uint64_t> order_ = std::numeric_limits<std::uint64_t>::max();
    std::mutex mutex_;
    std::optional<Violation> first_;
};

}  // namespace wayfront::graph500
