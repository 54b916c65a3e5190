// Progress with an estimate of the time left, on standard error: a line that changes on a terminal,
// and lines in a log.
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

/// The form that --progress names. Throws InputError.
[[nodiscard]] ProgressForm parse_progress_form(const std::string& text);

class Progress final : public ProgressListener
{
public:
    /// Work in steps of the same kind, which are counted: "search: 3 of 64, about 12 s left".
    /// Only rank 0 shows it. `job` outlives the object.
    Progress(const Job& job, std::string what, std::uint64_t total);

    /// Work that reports its steps: "load: read 35%, about 12 s left". Only rank 0 shows it, and its
    /// own share.
    Progress(const Job& job, std::string what);

    ~Progress() override;  // removes the line

    /// The listener for the work; null if nothing is shown, so that the work need not report.
    [[nodiscard]] ProgressListener* listener() { return form_ != Form::none ? this : nullptr; }

    void begin(std::string_view step, std::uint64_t total) override;
    void advance(std::uint64_t units) override;

    /// Removes the line until the next step, so that something else can be printed.
    void clear();

private:
    enum class Amount { count, share };
    // `rare`: lines in a log every ten seconds; `each`: also one at the end of each step.
    enum class Form { none, line, rare, each };

    static Form form_for(const Job& job);
    void show(std::uint64_t done);
    [[nodiscard]] std::string in_words(std::uint64_t done, Clock::time_point now) const;

    const Form form_;
    Clock::time_point& last_line_;  // of a log
    const std::string what_;
    const Amount amount_;
    std::atomic<std::uint64_t> done_ = 0;
    std::mutex mutex_;  // protects the members below, and the output
    std::string step_;
    std::uint64_t total_ = 0;  // of the step; 0 if it is unknown
    bool ended_ = true;        // whether the end of the step was shown
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_shown_{};
};

}  // namespace wayfront::app
