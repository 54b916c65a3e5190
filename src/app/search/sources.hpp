// Where searches start: --source V, --sources FILE, --sources random:K.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/io/graph_input.hpp"
#include "app/job.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::app {

struct SourceOptions
{
    std::vector<std::string> each;  // --source
    std::string many;               // --sources

    void add_to(OptionGroup& group);

    /// Whether some are drawn at random.
    [[nodiscard]] bool are_random() const;

    /// Whether the options' words can mean sources at all. Throws InputError.
    void check() const;
};

/// The vertices that the options name one by one, in the list's numbers, in the order given. Throws an AgreedError for vertices that are not there.
/// Collective.
std::vector<Vertex> named_sources(const Job& job, const SourceOptions& options, const LoadedGraph& input);

/// The random ones that the options ask for: distinct, with edges, a function of `seed` and the graph alone. Throws an AgreedError where the graph
/// has fewer. Collective.
std::vector<Vertex> random_sources(const Job& job, const SourceOptions& options, const DistributedGraph& graph, std::uint64_t seed);

}  // namespace wayfront::app
