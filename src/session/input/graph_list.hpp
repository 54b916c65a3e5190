// The graphs of a bulk job: the files of a folder, or the graphs that a text file lists.
#pragma once

#include <string>
#include <vector>

#include "job/job.hpp"

namespace wayfront::session {

/// Returns the graphs, files and specs, that `path` names. If `path` is a folder, they are its
/// files with the extension of a graph format, or all its files if `any_extension` is true, in the
/// order of their names, without hidden files, folders and weights beside tuples. If `path` is a
/// text file, they are its lines without comments; a comment begins with # at the beginning of a
/// line or after a space. Throws an AgreedError that names `option` if there are no graphs.
/// Collective.
[[nodiscard]] std::vector<std::string> list_graphs(const job::Job& job, const std::string& option,
                                                   const std::string& path, bool any_extension);

/// The name of the results of a graph: its file's name without folder and extensions, or the spec.
[[nodiscard]] std::string result_name_of(const std::string& graph);

}  // namespace wayfront::session
