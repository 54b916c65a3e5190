// Whether this build finds faults by sanitizers: its tests take ten times as long, and look for
// other faults than wrong answers, so that fewer repetitions do.
#pragma once

namespace wayfront {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace wayfront
