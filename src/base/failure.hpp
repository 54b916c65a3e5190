// An exception as a value: the exit code and the message that it means to the user.
#pragma once

#include <string>

#include "base/error.hpp"

namespace wayfront {

struct Failure
{
    ExitCode code = ExitCode::wrong_result;
    std::string message;
    bool agreed = false;  // all ranks throw it together
};

/// Describes the current exception in the program's terms: a failed allocation is reported as
/// missing resources, an unexpected exception as an internal error.
Failure describe_current_exception();

}  // namespace wayfront
