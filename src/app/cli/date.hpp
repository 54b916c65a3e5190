// Dates as texts: "2026-11-28".
#pragma once

#include <string>

namespace wayfront::app {

/// Today's date, in local time.
std::string today();

/// The date of a text that the program writes as part of a build: that of the environment variable
/// SOURCE_DATE_EPOCH (seconds since 1970, UTC) if it is set, else today's.
std::string date_of_build();

}  // namespace wayfront::app
