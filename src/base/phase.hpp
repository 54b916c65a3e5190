// Scoped spans of time.
//
// The constructor of a `Phase` begins a span and its destructor ends it; a `PhaseLog` collects
// spans. Without a log and a profiler a Phase costs four null checks.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/message_count.hpp"
#include "base/profiler_range.hpp"

namespace wayfront {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

struct Span
{
    std::string_view name;  // refers to static storage
    int level = 0;          // the level of the search; 0 outside of levels
    Clock::time_point begin;
    Clock::time_point end;
    // Facts of the level. `vertices` and `out_edges` are those of its frontier, 0 if they were not
    // counted.
    std::string_view direction = {};
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;
    int stretch = kNoStretch;  // the stretch of the level; the spans of stretches overlap with other spans
    // Only in the span of a whole search: its number among the searches of the run, from 1, and its
    // source.
    int search = 0;
    std::int64_t source = 0;

    MessageCount received{};  // from other ranks, by this process; spans inside this one count too

    static constexpr int kNoStretch = -1;

    [[nodiscard]] double seconds() const { return seconds_between(begin, end); }
};

class PhaseLog
{
public:
    void add(const Span& span) { spans_.push_back(span); }
    void clear() { spans_.clear(); }
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }

private:
    std::vector<Span> spans_;
};

/// A log, which may be null, and the level that its spans belong to.
struct LevelLog
{
    PhaseLog* log = nullptr;
    int level = 0;
};

class Phase
{
public:
    /// `name` refers to static storage; `log` may be null.
    Phase(PhaseLog* log, std::string_view name, int level = 0) : range_(name), log_(log)
    {
        if (log_ == nullptr) return;
        span_ = {name, level, Clock::now(), {}};
        span_.received = message_counter.count();
    }
    Phase(const LevelLog& at, std::string_view name) : Phase(at.log, name, at.level) {}
    /// The span of a level that starts from a frontier of `vertices` with `out_edges`.
    Phase(const LevelLog& at, std::string_view name, std::string_view direction, std::uint64_t vertices,
          std::uint64_t out_edges)
        : Phase(at, name)
    {
        span_.direction = direction;
        span_.vertices = vertices;
        span_.out_edges = out_edges;
    }
    Phase(const Phase&) = delete;  // one span, one owner
    Phase& operator=(const Phase&) = delete;
    ~Phase()
    {
        if (log_ == nullptr) return;
        span_.end = Clock::now();
        span_.received = message_counter.count() - span_.received;
        log_->add(span_);
    }

private:
    ProfilerRange range_;
    PhaseLog* log_;
    Span span_{};
};

}  // namespace wayfront
