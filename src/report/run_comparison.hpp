// The runs of a report against the first one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/comparison.hpp"
#include "report/measured_run.hpp"

namespace wayfront::report {

struct RunComparison
{
    const MeasuredRun* first;
    const MeasuredRun* second;
    std::string algorithm;
    Comparison times;
    std::string basis;               // what was compared: "16 searches in pairs"
    std::vector<std::string> notes;  // what a reader should know, such as different graphs
    bool same_work;                  // whether both runs searched the same graph; otherwise there is no verdict
};

/// Compares the searches of each algorithm of the first run with those of each further run that has
/// some. The comparisons refer to `runs`.
[[nodiscard]] std::vector<RunComparison> compare_with_first(std::span<const MeasuredRun> runs);

/// The verdict, or "different work".
[[nodiscard]] const char* verdict_of(const RunComparison& comparison);

/// "0.512 times as long (95%: 0.498 to 0.531); 16 searches in pairs", and the notes.
[[nodiscard]] std::string details_of(const RunComparison& comparison);

/// "b.json against a.json, bfs: faster, 0.512 times as long (95%: ...); 16 searches in pairs".
[[nodiscard]] std::string in_words(const RunComparison& comparison);

}  // namespace wayfront::report
