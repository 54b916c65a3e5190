// The report of a Graph500 run: the official lines, key for key and column for column as other implementations print them, and lines of our own.
//
// A line is "key: value", the value from column 33 on; '!' in column 30 marks the harmonic means, the results that submissions quote. Times are in
// seconds. The lines of our own come after the official ones, in the same form. An invalid run has no report: its TEPS mean nothing.
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
    EdgeCount edges = 0;           // input tuples within the component of the key
    double validate_seconds = -1;  // -1: not validated
};

struct Report
{
    int scale = 0;
    EdgeCount edge_factor = 0;
    int processes = 1;
    double generation_seconds = 0;
    double construction_seconds = 0;
    std::vector<SearchRecord> bfs;                           // not empty
    std::optional<std::vector<SearchRecord>> sssp;           // as many as bfs, where it ran
    std::vector<std::pair<std::string, std::string>> extra;  // lines of our own: key and value
};

/// Writes the report of a run whose searches are all valid.
void write_report(std::ostream& out, const Report& report);

}  // namespace wayfront::graph500
