// Where the time of a run went, span by span, for a trace viewer.
//
// The form is Chrome's trace event format, JSON, which chrome://tracing and ui.perfetto.dev show: complete events ("ph": "X"), times in microseconds
// since the start of the run, one process ("pid") a rank. Spans of stretches overlap, so each name of theirs has a thread ("tid") of its own.
#pragma once

#include <string>

#include "app/job.hpp"
#include "base/phase.hpp"

namespace wayfront::app {

class Trace
{
public:
    /// `path` may be empty: then nothing is recorded. The ranks' clocks are taken as equal at this call. Collective.
    Trace(const Job& job, std::string path);

    /// Where spans go; null where nothing is recorded.
    [[nodiscard]] PhaseLog* log() { return path_.empty() ? nullptr : &log_; }

    /// Writes the file. Collective.
    void write(const Job& job) const;

private:
    std::string path_;
    PhaseLog log_;
    Clock::time_point start_;
};

}  // namespace wayfront::app
