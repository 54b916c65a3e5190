// The report of a Graph500 run: the official lines, with the keys and columns of other
// implementations, and our own lines.
//
// A line is "key: value"; values begin in column 33. '!' in column 30 marks the harmonic means,
// which are the results that submissions quote. Times are in seconds. Our own lines follow the
// official ones, in the same form. An invalid run has no report, since its TEPS mean nothing.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace wayfront::graph500 {

/// One timed search.
struct SearchRecord
{
    Vertex key = 0;
    double seconds = 0;
    EdgeCount edges = 0;           // input tuples in the key's component
    double validate_seconds = -1;  // -1: not validated
};

struct Report
{
    int scale = 0;
    EdgeCount edge_factor = 0;
    int processes = 1;
    double generation_seconds = 0;
    double construction_seconds = 0;
    // The searches of each kernel, from the same keys; no value if it did not run. One of them ran.
    std::optional<std::vector<SearchRecord>> bfs;
    std::optional<std::vector<SearchRecord>> sssp;
    std::vector<std::pair<std::string, std::string>> extra;  // our own lines: key and value
};

/// The searches of the kernel that ran first.
[[nodiscard]] const std::vector<SearchRecord>& first_kernel(const Report& report);

/// Writes the report of a run whose searches are all valid.
void write_report(std::ostream& out, const Report& report);

}  // namespace wayfront::graph500
