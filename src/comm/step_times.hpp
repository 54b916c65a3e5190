// The times of collective operations between ranks, by their size and by the number of ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::comm {

enum class Step { all_gather, all_to_all };

struct StepPoint
{
    Step step = Step::all_gather;
    int ranks = 0;
    std::size_t bytes = 0;  // the bytes that a rank receives from all other ranks
    double seconds = 0;     // the median of several runs of several steps
};

/// Measures both operations among the first 2, 4, 8, ... and all of `ranks`, which are at least 2, with
/// messages of 8 bytes to 2 MiB between two ranks: some seconds, or a minute over slow links. Collective;
/// equal on all ranks.
std::vector<StepPoint> measure_steps(const Communicator& ranks);

}  // namespace wayfront::comm
