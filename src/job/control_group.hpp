// The memory and the cores that the control groups of this process leave it.
//
// A limit of a group also holds for all groups below it. The limits of the process's own group and
// of all groups above it are therefore read, as far as they can be seen, and the smallest one
// counts. Both versions are read: the single hierarchy of version 2, and version 1's hierarchies of
// the memory and of the cpu controller, at their usual places under /sys/fs/cgroup.
#pragma once

#include <filesystem>
#include <optional>

namespace wayfront::job {

/// The bytes that the groups still grant. Memory that the groups would give back, namely pages of
/// files that were read, counts as free. No value if there is no limit. `root` is the folder that
/// contains proc and sys.
std::optional<double> control_group_bytes(const std::filesystem::path& root = "/");

/// The cores that the groups grant to all their processes together. No value if there is no limit.
std::optional<double> control_group_cores(const std::filesystem::path& root = "/");

}  // namespace wayfront::job
