// Errors that end a run, and the exit codes they end it with.
//
// Inside a rank every failure is an exception; the driver turns the first one of all ranks into a single message and an exit code.
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
};

/// The base of all errors that the program itself reports. what() is one or more whole lines for a user, without a trailing newline.
class Error : public std::runtime_error
{
public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode code() const noexcept { return code_; }

private:
    ExitCode code_;
};

/// Bad usage or malformed input: exit code 2.
class InputError : public Error
{
public:
    explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};

/// Memory, disk or GPU lacking: exit code 3.
class ResourceError : public Error
{
public:
    explicit ResourceError(const std::string& message) : Error(ExitCode::resources, message) {}
};

/// A result that is wrong: exit code 1.
class ResultError : public Error
{
public:
    explicit ResultError(const std::string& message) : Error(ExitCode::wrong_result, message) {}
};

}  // namespace wayfront
