// Compares what a search reports with what its validation rebuilt from the parents.
//
// The validator reads nothing but the parents and the edges. The levels, their sizes, the number of
// reached vertices and the depth come from the search itself, and are compared here.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "algo/bfs/level_loop.hpp"
#include "comm/communicator.hpp"
#include "graph/partition.hpp"
#include "graph500/validate.hpp"

namespace wayfront::session {

/// The result that a search reports. Equal on all ranks, except for `levels`.
struct ReportedResult
{
    // The levels of the rank's vertices, by local number; -1 if not reached.
    std::span<const std::int32_t> levels;
    std::uint64_t reached = 0;
    std::int64_t depth = 0;
    std::span<const algo::LevelRecord> records;  // one per level; none if the source has no edges
};

/// Describes the fault of a search: the violation of a rule, else the first difference between
/// `reported` and the result that `validation` rebuilt from the parents; empty if there is none.
/// Equal on all ranks. Collective. Pre: `validation` is that of the validator, not a count of
/// edges.
[[nodiscard]] std::string fault_of(const comm::Communicator& world, const Partition& partition,
                                   const ReportedResult& reported, const graph500::BfsValidation& validation);

}  // namespace wayfront::session
