#pragma once

#include <string>

namespace wayfront::session {

/// Describes a file by its size and a checksum of pieces that are spread evenly over it, so that
/// the descriptions of different files almost always differ. If the file cannot be read, the
/// description is the reason. It is empty if the file is not a regular file, since a pipe can be
/// read only once.
std::string fingerprint_of_file(const std::string& path);

}  // namespace wayfront::session
