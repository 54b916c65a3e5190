// The files that a command line names: which ones are read, which ones are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "graph/io/file_format.hpp"

namespace wayfront::app {

struct NamedFile
{
    std::string role;                    // what the help calls it: "--output", "GRAPH"
    std::string path;                    // empty: not given
    std::optional<FileFormat> format{};  // of a graph
};

using NamedFiles = std::vector<NamedFile>;

/// Before the work whose results the outputs are to hold: throws an AgreedError if one of them
/// cannot be made, or is the same file as another output or as an input, under any name. The
/// weights beside a tuple file count as named with it, and tuples to standard output are refused.
///
/// If one of the outputs is standard output, std::cout is printed to standard error from now on, so
/// that nothing else gets between the output's bytes. Collective.
void check_outputs(const Job& job, const NamedFiles& outputs, const NamedFiles& inputs);

}  // namespace wayfront::app
