#pragma once

#include <string>

namespace wayfront::app {

/// Prints an error and ends this process with exit code 3, for a job that the other ranks cannot be
/// told to end. The launcher then ends the job, unless it waits for a host that does not answer. In
/// that case a child of this process ends the launcher: with SIGTERM after five seconds, with
/// SIGKILL after five more.
[[noreturn]] void end_rank(const std::string& message);

}  // namespace wayfront::app
