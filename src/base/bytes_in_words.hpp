// Numbers of bytes, formatted for messages.
#pragma once

#include <string>

namespace wayfront {

/// For example "1.5 GiB".
std::string bytes_in_words(double bytes);

}  // namespace wayfront
