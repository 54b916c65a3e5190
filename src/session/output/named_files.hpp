// The files that a command line names, to be read or to be written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/io/file_format.hpp"
#include "job/job.hpp"

namespace wayfront::session {

struct NamedFile
{
    std::string role;                    // the file's name in the help: "--output", "GRAPH"
    std::string path;                    // empty: not given
    std::optional<FileFormat> format{};  // the format, if the file has a graph
};

using NamedFiles = std::vector<NamedFile>;

/// Throws InputError if an output is the same file as another output or as an input, under any
/// name, or if two inputs are standard input. The file of weights beside a tuple file counts as
/// named, too.
void require_distinct(const NamedFiles& outputs, const NamedFiles& inputs);

/// Checks the outputs before the work begins. Throws an AgreedError if an output cannot be created,
/// if outputs are not distinct (require_distinct), or if tuples are to be written to standard
/// output.
///
/// If one of the outputs is standard output, std::cout is printed to standard error from now on, so
/// that nothing else gets between the output's bytes. Collective.
void check_outputs(const job::Job& job, const NamedFiles& outputs, const NamedFiles& inputs);

}  // namespace wayfront::session
