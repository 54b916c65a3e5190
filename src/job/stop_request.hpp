// SIGTERM as a request to stop at the next checkpoint: batch systems send it before they end a job.
#pragma once

#include <csignal>

namespace wayfront::job {

/// While the object exists, SIGTERM does not end the process, but sets requested(). There is at
/// most one object at a time.
class StopRequest
{
public:
    StopRequest();
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;
    ~StopRequest();

    [[nodiscard]] static bool requested();

private:
    struct sigaction before_
    {
    };
};

}  // namespace wayfront::job
