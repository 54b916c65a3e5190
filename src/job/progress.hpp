// The progress of a piece of work, which is reported to the job's listener.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress_listener.hpp"
#include "job/job.hpp"

namespace wayfront::job {

/// Reports only on rank 0, and only if the job has a listener. `job` outlives the object.
class Progress
{
public:
    /// Work that reports its steps.
    Progress(const Job& job, const std::string& what) : listener_(job.watch(what)) {}

    /// Work in `total` steps of the same kind, which are counted.
    Progress(const Job& job, const std::string& what, std::uint64_t total) : listener_(job.watch(what, total)) {}

    /// The listener for the work; null if there is none, so that the work need not report.
    [[nodiscard]] ProgressListener* listener() const { return listener_.get(); }

    void begin(std::string_view step, std::uint64_t total)
    {
        if (listener_) listener_->begin(step, total);
    }
    void advance(std::uint64_t units)
    {
        if (listener_) listener_->advance(units);
    }
    void clear()
    {
        if (listener_) listener_->clear();
    }

private:
    std::unique_ptr<ProgressListener> listener_;
};

}  // namespace wayfront::job
