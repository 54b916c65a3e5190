// Small text files that options name: lists of sources, configuration files.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "graph/io/input_file.hpp"

namespace wayfront::session {

/// The whole text of the file `path`, which may be a pipe, or - for standard input, on every rank.
/// Rank 0 alone opens the file, since a pipe can be read only once. Throws an AgreedError, "WHAT:
/// CAUSE", if the file cannot be read. Collective.
[[nodiscard]] std::string read_text_file(const comm::Communicator& world, const std::string& path,
                                         const std::string& what);

/// The same without a check of the contents, which may be JSON or anything else.
[[nodiscard]] std::string read_whole_file(const comm::Communicator& world, const std::string& path,
                                          const std::string& what);

}  // namespace wayfront::session
