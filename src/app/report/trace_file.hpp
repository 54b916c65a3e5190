// The file of --trace: the time of a run, span by span, for a trace viewer; and the sums of the spans
// for --verbose.
//
// The file is in Chrome's trace event format (JSON), which chrome://tracing and ui.perfetto.dev
// show: complete events ("ph": "X"), times in microseconds since the start of the run, one process
// ("pid") per rank, its spans in the order in which they ended. The spans of a thread ("tid") are
// nested: a search contains its levels, a level its steps, and these their messages. The spans of
// stretches overlap, so each of their names has a thread of its own. The argument `level` is
// written for spans of a level only, `search` and `source` for whole searches only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/phase.hpp"
#include "base/types.hpp"
#include "job/job.hpp"

namespace wayfront::app {

class Trace
{
public:
    /// Nothing is recorded if `path` is empty and the trace is not `verbose`. The trace's time begins at
    /// this call, which is assumed to be the same moment on all ranks. Collective.
    Trace(const job::Job& job, std::string path, bool verbose = false);

    /// The log that collects the spans; null if nothing is recorded.
    [[nodiscard]] PhaseLog* log() { return path_.empty() && !verbose_ ? nullptr : &log_; }

    /// Adds the span of a whole search, from `begin` until now. `name` refers to static storage.
    /// `number` counts searches from 1.
    void add_search(std::string_view name, std::int64_t number, Vertex source, Clock::time_point begin);

    /// Ends the run: writes the file, and prints the phases if the trace is verbose. Collective.
    void write(const job::Job& job) const;

private:
    void write_file(const job::Job& job) const;

    std::string path_;
    bool verbose_;
    PhaseLog log_;
    Clock::time_point start_;
};

/// Prints how often rank 0 was in each phase, for how long in all, and the bytes that it received from
/// other ranks meanwhile; and the memory at its peak of the rank that took most. A phase may be part of
/// another one. Collective.
void print_phases(const job::Job& job, const PhaseLog& log);

}  // namespace wayfront::app
