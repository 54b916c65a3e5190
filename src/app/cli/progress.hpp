// A line of progress with an estimate of the time left. It is shown on a terminal, and not in a
// pipe or a batch log.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "app/job.hpp"
#include "base/phase.hpp"
#include "base/progress_listener.hpp"

namespace wayfront::app {

class Progress final : public ProgressListener
{
public:
    /// Work in steps of the same kind, which are counted: "search: 3 of 64, about 12 s left".
    /// Only rank 0 shows the line.
    Progress(const Job& job, std::string what, std::uint64_t total);

    /// Work that reports its steps: "load: read 35%, about 12 s left". Only rank 0 shows the line,
    /// which describes the share of rank 0.
    Progress(const Job& job, std::string what);

    ~Progress() override;  // removes the line

    /// The listener for the work; null if the line is not shown, so that the work need not report.
    [[nodiscard]] ProgressListener* listener() { return shown_ ? this : nullptr; }

    void begin(std::string_view step, std::uint64_t total) override;
    void advance(std::uint64_t units) override;

    /// Removes the line until the next step, so that something else can be printed.
    void clear();

private:
    enum class Amount { count, share };

    void show(std::uint64_t done);

    const bool shown_;
    const std::string what_;
    const Amount amount_;
    std::atomic<std::uint64_t> done_ = 0;
    std::mutex mutex_;  // protects the members below, and the line
    std::string step_;
    std::uint64_t total_ = 0;  // of the step
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_shown_{};
};

}  // namespace wayfront::app
