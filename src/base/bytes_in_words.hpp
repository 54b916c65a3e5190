// Numbers of bytes as messages tell them.
#pragma once

#include <string>

namespace wayfront {

/// "1.5 GiB".
std::string bytes_in_words(double bytes);

}  // namespace wayfront
