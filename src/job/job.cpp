#include "job/job.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <omp.h>

#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "job/host_load.hpp"
#include "job/host_threads.hpp"

namespace wayfront::job {

Job::Job(const comm::Communicator& world, int threads, std::shared_ptr<Listener> listener)
    : world_(world),
      host_(world.split_by_host()),
      ranks_a_host_(static_cast<int>(world.all_reduce(static_cast<std::int64_t>(host_.size()), comm::Reduction::max))),
      threads_(threads),
      listener_(std::move(listener))
{
    if (threads_ == 0) {
        run_agreed(world, check_thread_environment);
        const DefaultThreads chosen = default_threads(host_);
        threads_ = chosen.count;
        if (!chosen.note.empty()) note(chosen.note);
    }
    if (const std::string load = first() ? note_of_load_here(host_.size(), threads_) : ""; !load.empty()) note(load);
    {
        const ThreadTrial trial(threads_ - 1);
        run_agreed(world, [&] { trial.require_success(); });
    }
    omp_set_num_threads(threads_);
    // OpenMP's runtime creates its threads here, directly after the trial has shown that it can.
    parallel_team(threads_, [](std::size_t) {});
}

}  // namespace wayfront::job
