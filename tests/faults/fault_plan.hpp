// Chooses the call of a library that fails. For the preloaded libraries of this folder.
//
// Environment variables:
//   WAYFRONT_FAULT_CALL   the number of the call that fails, counted from 1; 0: none
//   WAYFRONT_FAULT_NAME   counts calls of this function only
//   WAYFRONT_FAULT_BYTES  counts allocations of at least this size only
//   WAYFRONT_FAULT_RANK   the rank whose calls are counted; without it, each rank's own
//   WAYFRONT_FAULT_FATE   "once" (the default): this call fails; "on": all calls from it on;
//                         "stuck": it never returns
//   WAYFRONT_FAULT_COUNT  the file to which the number of calls, and the number of objects that
//                         were not freed, are written when the process ends
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace wayfront::faults {

class Plan
{
public:
    /// Reads the environment; before that, no call is counted.
    void start()
    {
        const char* const rank = std::getenv("WAYFRONT_FAULT_RANK");
        const char* own = std::getenv("OMPI_COMM_WORLD_RANK");
        if (own == nullptr) own = "0";
        if (rank != nullptr && std::strcmp(rank, own) != 0) return;
        chosen_ = number("WAYFRONT_FAULT_CALL");
        least_bytes_ = static_cast<std::size_t>(number("WAYFRONT_FAULT_BYTES"));
        name_ = std::getenv("WAYFRONT_FAULT_NAME");
        const char* const fate = std::getenv("WAYFRONT_FAULT_FATE");
        on_ = fate != nullptr && std::strcmp(fate, "on") == 0;
        stuck_ = fate != nullptr && std::strcmp(fate, "stuck") == 0;
        count_file_ = std::getenv("WAYFRONT_FAULT_COUNT");
        started_ = true;
    }

    void write_count()
    {
        if (!started_ || count_file_ == nullptr) return;
        started_ = false;
        if (std::FILE* const file = std::fopen(count_file_, "w")) {
            std::fprintf(file, "%ld %ld\n", count_.load(), live_.load());
            std::fclose(file);
        }
    }

    /// Counts a call. Returns whether it fails.
    bool fails(const char* name, std::size_t bytes = 0)
    {
        if (!started_ || bytes < least_bytes_ || (name_ != nullptr && std::strcmp(name, name_) != 0)) return false;
        const long call = ++count_;
        if (chosen_ == 0 || (on_ ? call < chosen_ : call != chosen_)) return false;
        say(name);
        while (stuck_) ::pause();
        return true;
    }

    void made() { ++live_; }
    void freed() { --live_; }

private:
    /// Writes to standard error, without an allocation, which call fails.
    static void say(const char* name)
    {
        char line[100];
        const int length = std::snprintf(line, sizeof line, "fault: %s\n", name);
        static_cast<void>(!::write(STDERR_FILENO, line, static_cast<std::size_t>(length)));
    }

    static long number(const char* name)
    {
        const char* const text = std::getenv(name);
        return text == nullptr ? 0 : std::atol(text);
    }

    std::atomic<bool> started_ = false;
    std::atomic<long> count_ = 0;
    std::atomic<long> live_ = 0;
    long chosen_ = 0;
    std::size_t least_bytes_ = 0;
    const char* name_ = nullptr;
    const char* count_file_ = nullptr;
    bool on_ = false;
    bool stuck_ = false;
};

/// The plan of this library, from its constructor to its destructor.
Plan& plan();

}  // namespace wayfront::faults
