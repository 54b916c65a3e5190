// What the main functions of all benchmarks do with exceptions.
#pragma once

#include <cstdio>
#include <exception>

#include "base/error.hpp"

namespace wayfront::bench {

/// Calls f, which measures and prints, and returns the program's exit code: 0, that of an Error, or
/// bad_input after any other exception (such as a number that cannot be read). The message goes to
/// standard error, after the program's name.
template <typename F>
int run_program(const char* name, F&& f)
{
    try {
        f();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return static_cast<int>(error.code());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return static_cast<int>(ExitCode::bad_input);
    }
    return 0;
}

}  // namespace wayfront::bench
