#pragma once

#include <string>

namespace wayfront::app {

/// Describes a file such that different files have different descriptions, almost always: its size,
/// and a checksum of pieces that are spread evenly over it; or why it cannot be read. Empty if it is
/// not a regular file, since a pipe can be read only once.
std::string fingerprint_of_file(const std::string& path);

}  // namespace wayfront::app
