// Scoped spans of time.
//
// A `Phase` opens a span when it is made and closes it when it ends; a `PhaseLog` collects them. With no log and no profiler a Phase is four null
// checks.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/profiler_range.hpp"

namespace wayfront {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_between(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

struct Span
{
    std::string_view name;  // of static storage
    int level = 0;          // of a search; 0 outside
    Clock::time_point begin;
    Clock::time_point end;
    std::string_view direction = {};  // of a level; its frontier's vertices and their out-edges, 0 where they were not counted
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;
    int stretch = kNoStretch;  // of a level; such spans overlap with those of other names

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

/// A log, which may be null, and the level that its spans are of.
struct LevelLog
{
    PhaseLog* log = nullptr;
    int level = 0;
};

class Phase
{
public:
    /// `name` has static storage; `log` may be null.
    Phase(PhaseLog* log, std::string_view name, int level = 0) : range_(name), log_(log)
    {
        if (log_ != nullptr) span_ = {name, level, Clock::now(), {}};
    }
    Phase(const LevelLog& at, std::string_view name) : Phase(at.log, name, at.level) {}
    /// The search of a level from such a frontier.
    Phase(PhaseLog* log, std::string_view name, int level, std::string_view direction, std::uint64_t vertices, std::uint64_t out_edges)
        : Phase(log, name, level)
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
        log_->add(span_);
    }

private:
    ProfilerRange range_;
    PhaseLog* log_;
    Span span_{};
};

}  // namespace wayfront
