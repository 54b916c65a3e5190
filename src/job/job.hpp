// A job: its ranks, their hosts and threads, and the listener to which it speaks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress_listener.hpp"
#include "comm/agreement.hpp"  // how the ranks of a job agree
#include "comm/communicator.hpp"
#include "job/listener.hpp"

namespace wayfront::job {

/// `world` outlives the job.
class Job
{
public:
    /// Sets the number of OpenMP threads; 0: as default_threads() chooses. Collective over `world`.
    Job(const comm::Communicator& world, int threads, std::shared_ptr<Listener> listener);

    [[nodiscard]] const comm::Communicator& world() const { return world_; }
    // The ranks of this host.
    [[nodiscard]] const comm::Communicator& host() const { return host_; }
    // The most ranks of any host.
    [[nodiscard]] int ranks_a_host() const { return ranks_a_host_; }
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] bool first() const { return world_.rank() == 0; }  // only this rank speaks

    /// Passes the words to the listener on the first rank.
    void note(std::string_view words) const
    {
        if (first()) listener_->note(words);
    }
    void warn(std::string_view words) const
    {
        if (first()) listener_->warn(words);
    }

    /// The listener of a piece of work (Listener::watch); null on all ranks but the first.
    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what) const
    {
        return first() ? listener_->watch(what) : nullptr;
    }
    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what, std::uint64_t total) const
    {
        return first() ? listener_->watch(what, total) : nullptr;
    }

private:
    const comm::Communicator& world_;
    comm::Communicator host_;
    int ranks_a_host_;
    int threads_;
    std::shared_ptr<Listener> listener_;
};

}  // namespace wayfront::job
