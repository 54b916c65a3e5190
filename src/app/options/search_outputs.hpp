// The files that searches from one or several sources write: --output, --json and --trace.
#pragma once

#include <span>
#include <string>

#include "app/cli/option_group.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/named_files.hpp"

namespace wayfront::app {

/// --verbose, for subcommands that print phases.
void add_verbose(OptionGroup& group, bool& verbose);

struct SearchOutputs
{
    std::string result;  // --output; if there are several sources, their files' names contain it
    std::string json;
    std::string trace;
    std::string vertex_numbers;  // GraphOptions::vertex_numbers

    /// `result_meaning` describes, in the help text of --output, the result of one source. `facts`
    /// lists the facts of each search that --json writes.
    [[nodiscard]] OptionGroup group(const std::string& result_meaning, const std::string& facts);

    /// Throws InputError if --output has an unknown extension.
    void check() const;

    /// check_outputs() before the sources are known. Collective.
    void check_files(const job::Job& job, const session::NamedFiles& inputs) const;
    /// The same for the results of `sources`, of which `nearest` ones have one file. Throws an
    /// AgreedError if --output can hold the result of one source only and there are others, and if
    /// the disk has too little space. Collective.
    void check_results(const job::Job& job, const session::LoadedGraph& input, std::span<const Vertex> sources,
                       bool nearest, const session::NamedFiles& inputs) const;

    /// The name of the result file of a source. `only` is true if there is no other search.
    [[nodiscard]] std::string result_of(const session::LoadedGraph& input, Vertex source, bool only) const;

private:
    [[nodiscard]] session::NamedFiles with_results(std::span<const std::string> results) const;
};

}  // namespace wayfront::app
