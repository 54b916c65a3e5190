// A line of progress with an estimate of the time left. It is shown on a terminal, and not in a
// pipe or a batch log.
#pragma once

#include <cstdint>
#include <string>

#include "app/job.hpp"
#include "base/phase.hpp"

namespace wayfront::app {

class Progress
{
public:
    /// `total` is the number of steps, each of which is called `what`. Only rank 0 shows the line.
    Progress(const Job& job, std::string what, std::int64_t total);
    Progress(const Progress&) = delete;  // only one object shows the line
    Progress& operator=(const Progress&) = delete;
    ~Progress();  // removes the line

    /// Counts one more step as done.
    void step();

    /// Removes the line until the next step, so that something else can be printed.
    void clear();

private:
    void show();

    bool shown_;
    std::string what_;
    std::int64_t total_;
    std::int64_t done_ = 0;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_shown_{};
};

}  // namespace wayfront::app
