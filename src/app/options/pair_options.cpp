#include "app/options/pair_options.hpp"

#include <fmt/format.h>

#include "session/output/pair_file.hpp"

namespace wayfront::app {

void PairOptions::add_to(OptionGroup& group)
{
    group.text("pairs", file, "FILE",
               "find the distance and a shortest path between each pair of vertices that FILE lists, a source and a "
               "target on each line (-: standard input), in place of searches from sources");
    group.flag("no-paths", no_paths, "leave the paths of --pairs out");
}

void PairOptions::check(const SourceOptions& sources, const SearchOutputs& outputs, bool may_have_names,
                        const std::string& other) const
{
    if (!given()) {
        sources.check(may_have_names);
        outputs.check();
        if (no_paths) throw InputError("--no-paths is for --pairs");
        return;
    }
    std::string option = other;
    if (sources.nearest) option = "--nearest";
    if (!sources.target.empty()) option = "--target";
    if (sources.given()) option = sources.many.empty() ? "--source" : "--sources";
    if (!option.empty()) throw InputError(fmt::format("--pairs and {} do not go together", option));
    if (!outputs.result.empty()) session::check_pair_extension(outputs.result);
}

}  // namespace wayfront::app
