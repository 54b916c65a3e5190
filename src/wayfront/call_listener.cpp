#include "wayfront/call_listener.hpp"

#include <algorithm>

#include "base/phase.hpp"

namespace wayfront {

namespace {

constexpr double kSecondsBetween = 0.05;

class ReportedProgress final : public ProgressListener
{
public:
    ReportedProgress(std::shared_ptr<ProgressCalls> calls, std::string step)
        : calls_(std::move(calls)), what_(step), step_(std::move(step))
    {
    }

    void begin(std::string_view step, std::uint64_t total) override
    {
        step_ = step.empty() ? what_ : std::string(step);
        total_ = total;
        done_ = 0;
        ended_ = false;
        report(0);
    }

    void advance(std::uint64_t units) override
    {
        calls_->end_if_thrown();
        const std::uint64_t done = done_.fetch_add(units) + units;
        if (!calls_->in_own_thread()) return;
        const bool ends = done >= total_ && !ended_;
        if (ends || seconds_between(last_, Clock::now()) >= kSecondsBetween) report(done);
    }

private:
    void report(std::uint64_t done)
    {
        if (!calls_->in_own_thread()) return;
        ended_ = done > 0 && done >= total_;
        last_ = Clock::now();
        calls_->report(step_, total_ > 0 ? std::min(done, total_.load()) : done, total_);
        calls_->end_if_thrown();
    }

    std::shared_ptr<ProgressCalls> calls_;
    std::string what_;
    std::string step_;
    std::atomic<std::uint64_t> total_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
    // Only the thread that calls on_progress uses the following members.
    bool ended_ = false;
    Clock::time_point last_{};
};

}  // namespace

void ProgressCalls::report(const std::string& step, std::uint64_t done, std::uint64_t total)
{
    if (has_thrown_) return;
    try {
        receive_(step, done, total);
    } catch (...) {
        thrown_ = std::current_exception();
        has_thrown_ = true;
    }
}

void ProgressCalls::end_if_thrown() const
{
    // If this rank ended alone within collective work, the other ranks would wait for its messages.
    if (world_.size() == 1 || world_.is_silent()) end_now_if_thrown();
}

void ProgressCalls::end_now_if_thrown() const
{
    if (has_thrown_) throw ResultError("on_progress has ended the work by an exception");
}

std::unique_ptr<ProgressListener> CallListener::watch(const std::string& what)
{
    if (calls_ == nullptr) return nullptr;
    return std::make_unique<ReportedProgress>(calls_, what);
}

std::unique_ptr<ProgressListener> CallListener::watch(const std::string& what, std::uint64_t total)
{
    std::unique_ptr<ProgressListener> listener = watch(what);
    if (listener) listener->begin("", total);
    return listener;
}

}  // namespace wayfront
