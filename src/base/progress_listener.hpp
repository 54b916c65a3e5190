// The interface through which a long piece of work reports its progress.
#pragma once

#include <cstdint>
#include <string_view>

namespace wayfront {

/// Work that can be watched takes a pointer to a listener, which may be null. It reports rarely,
/// once per block of edges or bytes. What begin() and advance() throw ends the work.
class ProgressListener
{
public:
    ProgressListener() = default;
    ProgressListener(const ProgressListener&) = delete;
    ProgressListener& operator=(const ProgressListener&) = delete;
    virtual ~ProgressListener() = default;

    /// The next step of the work begins. It consists of `total` units of any kind; 0 if their
    /// number is not known.
    virtual void begin(std::string_view step, std::uint64_t total) = 0;

    /// Further `units` of the step are done. May be called from several threads at once.
    virtual void advance(std::uint64_t units) = 0;

    /// Hides what is shown until the next report, so that something else can be printed.
    virtual void clear() {}
};

}  // namespace wayfront
