// Checks of searches whose results are on the hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "graph/vertex_array.hpp"
#include "graph500/validator_sizes.hpp"
#include "session/component_edges.hpp"
#include "session/constructed_graph.hpp"

namespace wayfront::session {

/// The check that follows a search.
enum class Check {
    edges,     // only counts the tuples in the key's component, for TEPS
    validity,  // checks the five rules of Graph500, and counts the tuples
};

/// Checks the searches of one graph with a validator of graph500/.
template <typename Validator>
class HostChecks
{
public:
    explicit HostChecks(const ConstructedGraph& constructed) : constructed_(constructed) {}

    /// Allocates what check() needs. Pre: with Check::edges the graph is undirected. Collective.
    void prepare(Check check)
    {
        const auto& [grid, graph, feed] = constructed_;
        const comm::Communicator& world = grid.world();
        if (check == Check::validity) {
            const std::int64_t largest_share =
                world.all_reduce(static_cast<std::int64_t>(feed.size()), comm::Reduction::max);
            validator_.emplace(world, graph.partition, feed,
                               graph500::ValidatorSizes::for_share(static_cast<std::size_t>(largest_share)));
        } else {
            component_.emplace(world, graph, feed);
        }
    }

    /// Returns validate(validator). If only edges are counted, the result has their number and the
    /// outcome not_validated. `parents` are those of the rank's vertices, by local number.
    /// Collective.
    template <typename F>
    [[nodiscard]] auto check(const VertexArray& parents, F&& validate)
    {
        using Validation = std::invoke_result_t<F, Validator&>;
        if (validator_) return validate(*validator_);
        Validation counted;
        counted.edges = component_.value().count(parents);
        return counted;
    }

private:
    ConstructedGraph constructed_;
    std::optional<ComponentEdges> component_;
    std::optional<Validator> validator_;
};

}  // namespace wayfront::session
