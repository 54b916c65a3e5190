// What every subcommand gets to work with.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/phase.hpp"
#include "comm/communicator.hpp"

namespace wayfront::app {

/// Options of all subcommands.
struct CommonOptions
{
    bool help = false;
    bool help_all = false;
    bool quiet = false;
    int threads = 0;  // 0: as the machine allows
    std::string config;
};

/// The ranks of a run, and its manners. `world` outlives the job.
class Job
{
public:
    using Listener = std::function<void(std::string_view words)>;

    /// Sets the number of OpenMP threads. Notes and warnings go to `listener`, if there is one, instead of to standard error. Collective over
    /// `world`.
    Job(const comm::Communicator& world, const CommonOptions& common, Listener listener = {});

    [[nodiscard]] const comm::Communicator& world() const { return world_; }
    [[nodiscard]] const comm::Communicator& host() const { return host_; }  // the ranks of this rank's host
    [[nodiscard]] int ranks_a_host() const { return ranks_a_host_; }        // of the fullest host
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] bool quiet() const { return quiet_; }
    [[nodiscard]] bool first() const { return world_.rank() == 0; }  // the rank that speaks

    /// Prints "wayfront: note: WORDS" to standard error, on the first rank and without --quiet, or calls the listener on the first rank.
    void note(std::string_view words) const { say("note", words); }
    void warn(std::string_view words) const { say("warning", words); }

private:
    void say(const char* kind, std::string_view words) const;

    const comm::Communicator& world_;
    comm::Communicator host_;
    int ranks_a_host_;
    int threads_;
    bool quiet_;
    Listener listener_;
};

}  // namespace wayfront::app
