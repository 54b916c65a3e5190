// The graphs of a bulk job: the files of a folder, or those that a text file lists.
#pragma once

#include <string>
#include <vector>

#include "app/job.hpp"

namespace wayfront::app {

/// Returns the graphs, files and specs, that `path` stands for. Those of a folder are its files with the
/// extension of a graph format, or all files if `any_extension`, in the order of their names; hidden
/// files, weights beside tuples and folders are left out. Those of a text file are its lines, without
/// comments, which begin with # at the beginning of a line or after a space. Throws an AgreedError
/// that names `option` if there are none. Collective.
[[nodiscard]] std::vector<std::string> list_graphs(const Job& job, const std::string& option, const std::string& path, bool any_extension);

/// The name of the results of a graph: its file's name without folder and extensions, or the spec.
[[nodiscard]] std::string result_name_of(const std::string& graph);

}  // namespace wayfront::app
