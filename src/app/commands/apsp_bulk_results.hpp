// The results of many graphs (wayfront apsp --bulk): their files and their report.
#pragma once

#include <span>
#include <string>

#include "job/job.hpp"
#include "session/apsp/bulk_job.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

/// A folder of outputs, which `option` names; the path is empty if it is not given.
struct BulkFolder
{
    const char* option;
    std::string path;

    /// The file of a graph.
    [[nodiscard]] std::string file_of(const std::string& graph) const;
};

/// Creates the folders. Throws an AgreedError if one cannot be created, if both are the same, or if
/// two graphs have the same result_name_of(). Collective.
void create_bulk_folders(const job::Job& job, std::span<const BulkFolder> folders, std::span<const std::string> graphs);

/// A header, and a line for each graph.
[[nodiscard]] std::string bulk_table(std::span<const std::string> graphs,
                                     std::span<const session::BulkOutcome> outcomes);

/// A JSON array with an object for each graph: its facts, or {"graph": {"name": ...}, "error":
/// MESSAGE, "exit_code": ...}.
[[nodiscard]] session::Json bulk_facts(std::span<const std::string> graphs,
                                       std::span<const session::BulkOutcome> outcomes);

/// Prints the message of each graph that failed, and throws an AgreedError with the exit code of
/// the first one, if there is one. `outcomes` is used on rank 0. Collective.
void fail_if_any_failed(const job::Job& job, std::span<const std::string> graphs,
                        std::span<const session::BulkOutcome> outcomes);

}  // namespace wayfront::app
