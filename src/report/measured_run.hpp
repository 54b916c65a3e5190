// A run of the program as a report shows it: what --json has written, without what depends on the
// subcommand.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wayfront::report {

struct MeasuredSearch
{
    std::string start;           // the source or the key
    double seconds = 0;          // above 0
    std::optional<double> rate;  // in edges per second
};

/// A level of breadth-first searches, in the mean of all searches: those that end before have none of
/// its vertices and its time.
struct MeanLevel
{
    double vertices = 0;
    double seconds = 0;  // 0 if the level was not measured
};

/// The searches of one algorithm.
struct Searches
{
    std::string algorithm;               // "bfs", "sssp", "all pairs", "pairs of bfs", "pairs within a limit", ...
    std::string work = {};               // what the searches do, if not all of it: "cutoff 3", "10 sources, 4 targets"
    std::string method = {};             // how they search, without parameters: "push-pull"; empty if unknown
    std::vector<MeasuredSearch> all;     // at least one; a single one if their times are not known apart
    std::vector<MeanLevel> levels = {};  // if the file has them
    bool have_rates = false;             // whether each search has a plausible one

    [[nodiscard]] std::vector<double> seconds() const;
    /// Seconds per edge. Pre: have_rates.
    [[nodiscard]] std::vector<double> seconds_per_edge() const;
    /// Edges per second in all. Pre: have_rates.
    [[nodiscard]] double harmonic_mean_rate() const;
};

struct Phase
{
    std::string name;
    double seconds;
};

/// Numbers of pairs by distance: bin i begins at first + i * width.
struct Histogram
{
    double first = 0;
    double width = 1;
    std::vector<double> counts;
};

/// Graphs are the same if all members are.
struct GraphIdentity
{
    std::string name;                                        // without folders
    std::vector<std::pair<std::string, std::string>> facts;  // names and values: sizes, direction, weights, seeds

    friend bool operator==(const GraphIdentity&, const GraphIdentity&) = default;
};

/// A graph of a job with many graphs; texts of a table.
struct BulkGraphReport
{
    std::string name, vertices, edges, method, reachable_pairs, average_length, diameter;
    std::string failure;  // empty if there was none

    friend bool operator==(const BulkGraphReport&, const BulkGraphReport&) = default;
};

struct MeasuredRun
{
    std::string file;
    std::string command;
    // Names and values, for a table; the same names for every run, values may be empty.
    std::vector<std::pair<std::string, std::string>> facts;
    GraphIdentity graph;
    bool is_planned = false;              // whether the times are estimates of `plan`
    double ranks = 0;                     // 0 if the file does not say
    std::string threads;                  // of a rank
    std::string engine;                   // with the name of the GPU
    std::vector<Phase> phases;            // without a common part
    std::vector<BulkGraphReport> graphs;  // of `apsp --bulk`
    std::vector<Searches> searches;       // at least one element
    std::optional<Histogram> histogram;

    /// The searches of an algorithm; null if there are none.
    [[nodiscard]] const Searches* find(const std::string& algorithm) const;
};

/// Reads the contents of a --json file of bfs, sssp, apsp, graph500 or plan. Throws InputError, which
/// names the file and the member, if the text is no such file, or if it has no search.
[[nodiscard]] MeasuredRun measured_run_from_text(const std::string& text, const std::string& file);

}  // namespace wayfront::report
