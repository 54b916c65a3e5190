// A line of progress with an estimate of the time left, on a terminal; nothing in a pipe or a batch log.
#pragma once

#include <cstdint>
#include <string>

#include "app/job.hpp"
#include "base/phase.hpp"

namespace wayfront::app {

class Progress
{
public:
    /// `total` steps of `what` lie ahead. Rank 0 alone shows anything.
    Progress(const Job& job, std::string what, std::int64_t total);
    Progress(const Progress&) = delete;  // one line, one owner
    Progress& operator=(const Progress&) = delete;
    ~Progress();  // takes the line away

    /// One more step is done.
    void step();

    /// Takes the line away until a later step, before something else is printed.
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
