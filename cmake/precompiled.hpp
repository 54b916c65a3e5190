// The precompiled header of all layers (WAYFRONT_PRECOMPILED_HEADERS). It only saves time: every
// file includes what it needs, as builds without it and clang-tidy prove.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
