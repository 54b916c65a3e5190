// Many small pieces of work that share nothing and run on one thread each.
#pragma once

#include <cstddef>
#include <functional>

namespace wayfront {

/// Calls f(i) for each i in [0, count), on as many threads as OpenMP would use. Within f, OpenMP
/// has one thread, so that f may call functions with parallel loops. f throws nothing. Throws
/// ResourceError if no thread can be created.
///
/// The calling thread calls `meanwhile`, unless it is empty, about 20 times a second, or on one thread
/// after each f(i). If it throws, no further f(i) begins, and the exception is thrown when all f(i) that
/// have begun are done.
void for_each_single_threaded(std::size_t count, const std::function<void(std::size_t)>& f,
                              const std::function<void()>& meanwhile = {});

}  // namespace wayfront
