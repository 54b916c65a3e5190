// Dates and times as texts in the form of ISO 8601.
#pragma once

#include <string>

namespace wayfront::app {

/// Today's date in local time: "2026-11-28".
std::string today();

/// The present time in local time, with its zone: "2026-11-28T13:45:10+01:00".
std::string date_and_time();

/// The date of a text that the program writes as part of a build: that of the environment variable
/// SOURCE_DATE_EPOCH (seconds since 1970, UTC) if it is set, else today's.
std::string date_of_build();

}  // namespace wayfront::app
