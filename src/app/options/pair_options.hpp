// Pairs of vertices that options name: --pairs and --no-paths.
#pragma once

#include <string>

#include "app/cli/option_group.hpp"
#include "app/options/search_outputs.hpp"
#include "app/options/source_options.hpp"
#include "session/output/named_files.hpp"

namespace wayfront::app {

struct PairOptions
{
    std::string file;       // --pairs
    bool no_paths = false;  // --no-paths

    void add_to(OptionGroup& group);
    [[nodiscard]] bool given() const { return !file.empty(); }
    [[nodiscard]] session::NamedFile named_file() const { return {"--pairs", file}; }

    /// Checks the options of sources, and those of pairs in their place. `other` is an option that was
    /// given and is not for pairs; empty if there is none. `may_have_names`: as SourceOptions::check().
    /// Throws InputError.
    void check(const SourceOptions& sources, const SearchOutputs& outputs, bool may_have_names,
               const std::string& other) const;
};

}  // namespace wayfront::app
