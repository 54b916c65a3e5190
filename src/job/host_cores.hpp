// The cores of this host that a process may use, and numbers in an environment.
//
// These functions also work before the constructors of libraries have run (thread_waiting.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace wayfront::job {

inline constexpr std::size_t kMostCores = 4096;

/// The cores that a process may run on (0: this process), as one byte per core; all 0 if the kernel
/// does not say.
std::vector<std::uint8_t> allowed_cores(pid_t process);

/// The number of cores that a process may keep busy: the cores that it may run on, within the
/// control group's limit of CPU time.
double usable_cores(pid_t process);

/// The value of a variable in an environment, a list of "NAME=VALUE" that ends with a null pointer;
/// null if it is not set.
const char* environment_value(const char* const* environment, const char* name);

/// The leading number of an environment variable ("16(x2)" is 16); 0 if there is none.
int environment_number(const char* const* environment, const char* name);

}  // namespace wayfront::job
