// Many small pieces of work that share nothing and run on one thread each.
#pragma once

#include <cstddef>
#include <functional>

namespace wayfront {

/// Calls f(i) for each i in [0, count), on as many threads as OpenMP would use. Within f, OpenMP
/// has one thread, so that f may call functions with parallel loops. f throws nothing. Throws
/// ResourceError if no thread can be created.
void for_each_alone(std::size_t count, const std::function<void(std::size_t)>& f);

}  // namespace wayfront
