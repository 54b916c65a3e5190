// What the control groups of this process leave it of its host.
//
// Limits hold from a group down: those of the process's own group and of all above it are read, as far as they can be seen, and the least counts.
// Both versions are looked at: the one hierarchy of version 2, and version 1's of the memory and of the cpu controller, at their usual places under
// /sys/fs/cgroup.
#pragma once

#include <filesystem>
#include <optional>

namespace wayfront::app {

/// Bytes that the groups still grant, counting as free what they would give back: pages of files that were read. Nothing where there is no limit.
/// `root`: where proc and sys are.
std::optional<double> control_group_bytes(const std::filesystem::path& root = "/");

/// Cores that the groups grant all their processes together. Nothing where there is no limit.
std::optional<double> control_group_cores(const std::filesystem::path& root = "/");

}  // namespace wayfront::app
