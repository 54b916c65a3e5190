#include "plan/apsp/machine.hpp"

#include <cstdint>

#include "cpu/apsp/min_plus.hpp"
#include "job/host_memory.hpp"

namespace wayfront::plan {

ApspMachine own_machine(const job::Job& job)
{
    ApspMachine own;
    own.threads = job.threads();
    own.threads_of_rank = job.threads();
    own.bytes = job::available_bytes();
    if (own.bytes) *own.bytes /= job.host().size();
    own.wide_vectors = cpu::has_wide_vectors();
    return own;
}

ApspMachine common_machine(const comm::Communicator& world, const ApspMachine& own)
{
    ApspMachine common;
    common.threads = world.all_reduce(own.threads, comm::Reduction::sum);
    common.threads_of_rank =
        static_cast<int>(world.all_reduce(std::int64_t{own.threads_of_rank}, comm::Reduction::max));
    const double least = world.all_reduce(own.bytes.value_or(0), comm::Reduction::min);
    if (world.all(own.bytes.has_value())) common.bytes = least;
    common.wide_vectors = world.all(own.wide_vectors);
    return common;
}

}  // namespace wayfront::plan
