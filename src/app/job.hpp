// The ranks and the common options that every subcommand works with.
#pragma once

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "app/machine/peer_watch.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"

namespace wayfront::app {

/// How progress is shown: as a line that changes, or as lines for a log; `automatic`: the line on a
/// terminal, and elsewhere lines, but only of work that takes long.
enum class ProgressForm { automatic, terminal, log, none };

/// The options that all subcommands share.
struct CommonOptions
{
    bool help = false;
    bool help_all = false;
    bool quiet = false;
    ProgressForm progress = ProgressForm::automatic;
    int threads = 0;  // 0: as default_threads() chooses
    int timeout_seconds = kDefaultTimeoutSeconds;
    std::string config;
};

/// The ranks of a run, their threads, and the way they print messages. `world` outlives the job.
class Job
{
public:
    using Listener = std::function<void(std::string_view words)>;

    /// Sets the number of OpenMP threads. Notes and warnings are passed to `listener` if there is
    /// one, and printed to standard error otherwise. Collective over `world`.
    Job(const comm::Communicator& world, const CommonOptions& common, Listener listener = {});

    [[nodiscard]] const comm::Communicator& world() const { return world_; }
    // The ranks of this host.
    [[nodiscard]] const comm::Communicator& host() const { return host_; }
    // The most ranks of any host.
    [[nodiscard]] int ranks_a_host() const { return ranks_a_host_; }
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] bool quiet() const { return quiet_; }
    [[nodiscard]] ProgressForm progress() const { return progress_; }
    [[nodiscard]] bool first() const { return world_.rank() == 0; }  // only this rank prints

    /// Prints "wayfront: note: WORDS" to standard error on the first rank, once for the same words,
    /// unless --quiet is given. If there is a listener, calls it on the first rank instead.
    void note(std::string_view words) const { say("note", words); }
    void warn(std::string_view words) const { say("warning", words); }

    /// The time at which the log got its last line of progress; at first, that of the job's begin.
    [[nodiscard]] Clock::time_point& last_line_of_progress() const { return last_line_of_progress_; }

private:
    void say(const char* kind, std::string_view words) const;

    const comm::Communicator& world_;
    comm::Communicator host_;
    int ranks_a_host_;
    int threads_;
    bool quiet_;
    ProgressForm progress_;  // none on ranks that show none
    Listener listener_;
    mutable Clock::time_point last_line_of_progress_ = Clock::now();
    mutable std::set<std::string, std::less<>> said_;  // the notes and warnings that were printed
};

}  // namespace wayfront::app
