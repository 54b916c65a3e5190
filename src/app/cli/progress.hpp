// Progress with an estimate of the time left, on standard error: a line that changes on a terminal,
// and lines in a log.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/phase.hpp"
#include "base/progress_listener.hpp"

namespace wayfront::app {

/// `rare`: lines in a log every ten seconds; `each`: also one at the end of each step.
enum class ProgressLines { changing, rare, each };

class ShownProgress final : public ProgressListener
{
public:
    /// Work in steps of the same kind, which are counted: "search: 3 of 64, about 12 s left".
    /// `last_line`, the time of the last line in the log, outlives the object.
    ShownProgress(ProgressLines lines, Clock::time_point& last_line, std::string what, std::uint64_t total);

    /// Work that reports its steps: "load: read 35%, about 12 s left".
    ShownProgress(ProgressLines lines, Clock::time_point& last_line, std::string what);

    ~ShownProgress() override;  // removes the line

    void begin(std::string_view step, std::uint64_t total) override;
    void advance(std::uint64_t units) override;
    void clear() override;

private:
    enum class Amount { count, share };

    void show(std::uint64_t done);
    [[nodiscard]] std::string in_words(std::uint64_t done, Clock::time_point now) const;

    const ProgressLines lines_;
    Clock::time_point& last_line_;  // when the last line was written to a log
    const std::string what_;
    const Amount amount_;
    std::atomic<std::uint64_t> done_ = 0;
    std::mutex mutex_;  // protects the members below, and the output
    std::string step_;
    std::uint64_t total_ = 0;  // the units of the step; 0 if their number is unknown
    bool ended_ = true;        // whether the end of the step was shown
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_shown_{};
};

}  // namespace wayfront::app
