#include "job/stop_request.hpp"

namespace wayfront::job {

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler finds nothing else
volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int /*signal*/)
{
    stop_requested = 1;
}

}  // namespace

StopRequest::StopRequest()
{
    stop_requested = 0;
    struct sigaction action
    {
    };
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGTERM, &action, &before_);
}

StopRequest::~StopRequest()
{
    ::sigaction(SIGTERM, &before_, nullptr);
}

bool StopRequest::requested()
{
    return stop_requested != 0;
}

}  // namespace wayfront::job
