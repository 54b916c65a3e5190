// Passes the progress of calls of the library to OnProgress.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/progress_listener.hpp"
#include "comm/communicator.hpp"
#include "job/listener.hpp"
#include "wayfront/search.hpp"

namespace wayfront {

/// The exception that on_progress has thrown, and whether the work can end now.
class ProgressCalls
{
public:
    /// `receive` outlives the object. Made by the thread that calls it.
    ProgressCalls(const OnProgress& receive, const comm::Communicator& world) : receive_(receive), world_(world) {}

    /// Calls on_progress, unless it has thrown. Only in the thread that made the object.
    void report(const std::string& step, std::uint64_t done, std::uint64_t total);
    /// Throws a ResultError if on_progress has thrown, and if this rank may end its work without the
    /// others.
    void end_if_thrown() const;
    /// Throws a ResultError if on_progress has thrown.
    void end_now_if_thrown() const;
    [[nodiscard]] bool in_own_thread() const { return std::this_thread::get_id() == thread_; }
    [[nodiscard]] bool has_thrown() const { return has_thrown_; }
    /// Throws what on_progress has thrown.
    void rethrow() const { std::rethrow_exception(thrown_); }

private:
    const OnProgress& receive_;
    const comm::Communicator& world_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::atomic<bool> has_thrown_ = false;
    std::exception_ptr thrown_;
};

/// The listener of the jobs of the library: it passes notes on, and during a call with on_progress also
/// the progress.
class CallListener final : public job::Listener
{
public:
    explicit CallListener(std::function<void(std::string_view words)> receive) : notes_(std::move(receive)) {}

    void note(std::string_view words) override { notes_.note(words); }
    void warn(std::string_view words) override { notes_.warn(words); }
    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what) override;
    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what, std::uint64_t total) override;

    void begin_call(std::shared_ptr<ProgressCalls> calls) { calls_ = std::move(calls); }
    void end_call() { calls_ = nullptr; }

private:
    job::NoteForwarder notes_;
    std::shared_ptr<ProgressCalls> calls_;  // null: nobody watches
};

}  // namespace wayfront
