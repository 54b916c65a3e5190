// The sources of searches, --source V, --sources FILE and --sources random:K, and their --target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_group.hpp"
#include "comm/communicator.hpp"
#include "graph/distributed_graph.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/named_files.hpp"

namespace wayfront::app {

struct SourceOptions
{
    std::vector<std::string> each;  // --source
    std::string many;               // --sources
    std::string target;             // --target

    void add_to(OptionGroup& group);
    /// The option --target.
    void add_target_to(OptionGroup& group);

    /// Whether sources are drawn at random.
    [[nodiscard]] bool are_random() const;
    /// How many are drawn.
    [[nodiscard]] std::int64_t random_number() const;

    /// Whether the options name a source.
    [[nodiscard]] bool given() const { return !each.empty() || !many.empty(); }

    /// Throws InputError if the options name no source, or cannot be parsed.
    void check() const;
};

/// The files that a search reads: GRAPH, --sources and --config, whose file is `config`.
[[nodiscard]] session::NamedFiles search_inputs(const session::GraphOptions& graph, const SourceOptions& sources,
                                                const std::string& config);

/// The vertices that --source and --sources FILE name, as numbers of the edge list, in the order
/// given. Throws an AgreedError if the graph does not have one of them. Collective.
std::vector<Vertex> named_sources(const job::Job& job, const SourceOptions& options, const session::LoadedGraph& input);

/// The vertex that --target names, as a number of the edge list. Throws an AgreedError if the graph
/// does not have it. Collective.
std::optional<Vertex> named_target(const job::Job& job, const SourceOptions& options,
                                   const session::LoadedGraph& input);

/// The random vertices that --sources random:K asks for. They are distinct and have edges, and
/// depend on `seed` and the graph alone. Throws an AgreedError if fewer than K vertices have edges.
/// `ranks` are those over which the graph is distributed. Collective over them.
std::vector<Vertex> random_sources(const comm::Communicator& ranks, const SourceOptions& options,
                                   const DistributedGraph& graph, std::uint64_t seed);

}  // namespace wayfront::app
