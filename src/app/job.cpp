#include "app/job.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <omp.h>

#include "app/failure.hpp"
#include "app/machine/host_load.hpp"
#include "app/machine/host_threads.hpp"
#include "base/parallel.hpp"

namespace wayfront::app {

Job::Job(const comm::Communicator& world, const CommonOptions& common, Listener listener)
    : world_(world),
      host_(world.split_by_host()),
      ranks_a_host_(static_cast<int>(world.all_reduce(static_cast<std::int64_t>(host_.size()), comm::Reduction::max))),
      threads_(common.threads),
      quiet_(common.quiet),
      progress_(first() && !quiet_ && !listener ? common.progress : ProgressForm::none),
      listener_(std::move(listener))
{
    if (threads_ == 0) {
        run_agreed(world, check_thread_environment);
        const DefaultThreads threads = default_threads(host_);
        threads_ = threads.count;
        if (!threads.note.empty()) note(threads.note);
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

void Job::say(const char* kind, std::string_view words) const
{
    if (!first()) return;
    if (listener_)
        listener_(words);
    else if (!quiet_ && said_.emplace(words).second)
        std::fprintf(stderr, "wayfront: %s: %.*s\n", kind, static_cast<int>(words.size()), words.data());
}

}  // namespace wayfront::app
