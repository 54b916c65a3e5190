// The end of a process that has failed: one message and one exit code for all ranks.
//
// Failures that all ranks throw together (comm/agreement.hpp) leave the job in order. The functions
// here are for all others.
#pragma once

#include <string>

#include "base/failure.hpp"
#include "comm/communicator.hpp"

namespace wayfront::job {

/// Prints "wayfront: error: MESSAGE" to standard error.
void print_error(const std::string& message);

/// Prints that memory has run out, and ends this process with exit code 3; leaves no unfinished
/// file. For code from which no exception may leave. Allocates nothing. If there are other ranks,
/// the launcher ends them.
[[noreturn]] void end_without_memory() noexcept;

/// For std::set_terminate(): ends like end_without_memory() if the cause is a failed allocation.
/// Libraries allocate memory in functions that may not throw.
[[noreturn]] void terminate_in_order() noexcept;

/// Prints a failure of this rank alone, and ends the job. For failures after which the ranks cannot agree on an
/// exception. `name` is this rank's name_of_rank().
[[noreturn]] void end_all_ranks(const comm::Communicator& world, const std::string& name, const Failure& failure);

}  // namespace wayfront::job
