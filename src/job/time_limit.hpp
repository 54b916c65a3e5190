// Ends this rank if a step of the job that waits for all ranks takes too long.
//
// While MPI starts and ends, ranks cannot watch each other (peer_watch.hpp), and a rank that is
// stopped, or a link that is cut, keeps all others waiting. A thread therefore ends the rank with a
// message and exit code 3 if the object has not been destroyed after the time limit.
#pragma once

#include <string>

#include "job/watch_thread.hpp"

namespace wayfront::job {

class TimeLimit
{
public:
    /// `step` names the step in the message "STEP has taken more than N seconds". Ranks wait `rank`
    /// turns before they print the message, since the launcher ends all ranks when the first one
    /// has ended. If `seconds` is 0, or no thread can be created, there is no limit.
    TimeLimit(int seconds, std::string step, int rank);

private:
    void watch();
    /// Waits; returns false once the step is done.
    [[nodiscard]] bool wait(int seconds);

    int seconds_;
    std::string step_;
    int rank_;
    WatchThread thread_;  // refers to the members above
};

}  // namespace wayfront::job
