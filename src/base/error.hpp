// Errors that end a run, and the exit codes of the program.
//
// Inside a rank every failure is an exception. The program turns the first failure of all ranks
// into a single message and an exit code. This header is installed: the library throws these
// exceptions, too.
#pragma once

#include <stdexcept>
#include <string>

namespace wayfront {

/// The program's exit codes; scripts rely on them.
enum class ExitCode : int {
    good = 0,
    wrong_result = 1,  // a result that failed its validation, or a defect of the program
    bad_input = 2,     // usage or input
    resources = 3,     // memory, disk, GPU
    stopped = 75,      // SIGTERM stopped the job, which has a checkpoint; sysexits.h calls this number EX_TEMPFAIL
};

/// The base of all errors that wayfront reports itself. what() is one or more whole lines for the
/// user, without a trailing newline.
class Error : public std::runtime_error
{
public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode code() const noexcept { return code_; }  // the exit code if the error ends the program

private:
    ExitCode code_;
};

/// Wrong usage or malformed input: exit code 2.
class InputError : public Error
{
public:
    explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};

/// Not enough memory or disk space, or no usable GPU: exit code 3.
class ResourceError : public Error
{
public:
    explicit ResourceError(const std::string& message) : Error(ExitCode::resources, message) {}
};

/// A wrong result: exit code 1.
class ResultError : public Error
{
public:
    explicit ResultError(const std::string& message) : Error(ExitCode::wrong_result, message) {}
};

}  // namespace wayfront
