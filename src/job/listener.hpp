// Receives what a job has to say while it runs: notes, warnings, and the progress of its work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/progress_listener.hpp"

namespace wayfront::job {

/// Called on the first rank only. The listeners of progress do not outlive their maker.
class Listener
{
public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    virtual void note(std::string_view words) = 0;
    virtual void warn(std::string_view words) = 0;

    /// The listener of work that reports its steps, and whose name is `what`; null if nobody
    /// watches, so that the work need not report.
    [[nodiscard]] virtual std::unique_ptr<ProgressListener> watch(const std::string& /*what*/) { return nullptr; }
    /// The listener of work that consists of `total` steps of the same kind, which are counted.
    [[nodiscard]] virtual std::unique_ptr<ProgressListener> watch(const std::string& /*what*/, std::uint64_t /*total*/)
    {
        return nullptr;
    }
};

/// Passes notes and warnings to a function, which may be empty.
class NoteForwarder final : public Listener
{
public:
    explicit NoteForwarder(std::function<void(std::string_view words)> receive = {}) : receive_(std::move(receive)) {}

    void note(std::string_view words) override
    {
        if (receive_) receive_(words);
    }
    void warn(std::string_view words) override { note(words); }

private:
    std::function<void(std::string_view words)> receive_;
};

}  // namespace wayfront::job
