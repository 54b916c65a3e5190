// Vertices that options name: sources of searches by --source V, --sources FILE and --sources
// random:K, and targets of all pairs likewise; and the --target of a path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_group.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/named_files.hpp"
#include "session/random_vertices.hpp"

namespace wayfront::app {

struct VertexOptions
{
    /// `option_name`, such as "source": of the option for one vertex; that for many has an s more.
    VertexOptions(std::string option_name, RandomPurpose random_purpose)
        : name(std::move(option_name)), purpose(random_purpose)
    {
    }

    /// `use`: what is done with a vertex, such as "search from".
    void add_to(OptionGroup& group, const std::string& use);

    /// Whether vertices are drawn at random.
    [[nodiscard]] bool are_random() const;
    /// How many are drawn.
    [[nodiscard]] std::int64_t random_number() const;
    /// Whether the options name a vertex.
    [[nodiscard]] bool given() const { return !each.empty() || !many.empty(); }
    /// The name of the option for many, "sources", and the file that it names.
    [[nodiscard]] std::string plural() const { return name + "s"; }
    [[nodiscard]] session::NamedFile named_file() const { return {"--" + plural(), are_random() ? "" : many}; }

    /// Throws InputError if the options cannot be parsed. `may_have_names`: whether vertices may be
    /// anything.
    void check(bool may_have_names) const;

    std::string name;
    RandomPurpose purpose;          // the purpose of random vertices
    std::vector<std::string> each;  // --source
    std::string many;               // --sources
};

struct SourceOptions : VertexOptions
{
    SourceOptions() : VertexOptions("source", RandomPurpose::sources) {}

    void add_to(OptionGroup& group) { VertexOptions::add_to(group, "search from"); }
    /// The option --target.
    void add_target_to(OptionGroup& group);
    /// The option --nearest.
    void add_nearest_to(OptionGroup& group);

    /// Throws InputError if the options name no source, or cannot be parsed.
    void check(bool may_have_names) const;

    /// The number of searches from `named` sources and the random ones.
    [[nodiscard]] std::int64_t expected_searches(std::size_t named) const
    {
        return nearest ? 1 : static_cast<std::int64_t>(named) + random_number();
    }

    std::string target;    // --target
    bool nearest = false;  // --nearest: whether one search starts from all sources
};

/// The files that a search reads: GRAPH, --sources and --config, whose file is `config`.
[[nodiscard]] session::NamedFiles search_inputs(const session::GraphOptions& graph, const SourceOptions& sources,
                                                const std::string& config);

/// The vertices that the options name, but for random ones, as numbers of the edge list, in the order
/// given. Throws an AgreedError if the graph does not have one of them. Collective.
std::vector<Vertex> named_vertices(const job::Job& job, const VertexOptions& options,
                                   const session::LoadedGraph& input);

/// The vertex that --target names, as a number of the edge list. Throws an AgreedError if the graph
/// has no such vertex. Collective.
std::optional<Vertex> named_target(const job::Job& job, const SourceOptions& options,
                                   const session::LoadedGraph& input);

/// The sources of each search: one each or, with --nearest, all of them, which are then put in order
/// and freed of duplicates. They refer to `sources`.
[[nodiscard]] std::vector<std::span<const Vertex>> sources_of_searches(const SourceOptions& options,
                                                                       std::vector<Vertex>& sources);

/// The random vertices that the options ask for. They are distinct and have edges, and depend on
/// `seed` and the graph alone. Throws an AgreedError if fewer than K vertices have edges. `ranks` are
/// those over which the graph is distributed. Collective over them.
std::vector<Vertex> random_vertices(const comm::Communicator& ranks, const VertexOptions& options,
                                    const DistributedGraph& graph, std::uint64_t seed);

}  // namespace wayfront::app
