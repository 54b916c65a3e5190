// The resources of the ranks of a job for all pairs: threads, memory and vectors. Ranks on different hosts
// may have more or less of each, and free memory changes at any time; but all of them must choose
// the same method.
#pragma once

#include <optional>

#include "comm/communicator.hpp"
#include "job/job.hpp"

namespace wayfront::plan {

struct ApspMachine
{
    double threads = 1;           // of all ranks
    int threads_of_rank = 1;      // the most of a rank
    std::optional<double> bytes;  // the memory that is available to each rank; no value if one does not know
    bool wide_vectors = false;    // whether all ranks have vectors of 64 bytes
};

/// The resources of this rank; `threads` are its own.
[[nodiscard]] ApspMachine own_machine(const job::Job& job);

/// The resources of all ranks, the same on each of them. Collective.
[[nodiscard]] ApspMachine common_machine(const comm::Communicator& world, const ApspMachine& own);

}  // namespace wayfront::plan
