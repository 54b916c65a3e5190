// The levels of a resident search, as commands tell of them.
//
// The kernel records at most 64 of them, and those that one block ran together as one (gpu/resident/search.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs.hpp"
#include "comm/communicator.hpp"
#include "gpu/resident/search.hpp"

namespace wayfront::app {

/// As recorded, without the writing of the result.
[[nodiscard]] std::vector<algo::LevelRecord> as_level_records(const std::vector<gpu::ResidentLevel>& recorded);

/// One record for each level, its vertices counted from `levels`, this rank's part of the result. The direction is that of the record which has as
/// many vertices and comes next, or the one that was forced; levels without a record went top-down, as those within one block do. Collective.
[[nodiscard]] std::vector<algo::LevelRecord> complete_level_records(const comm::Communicator& world, std::span<const std::int32_t> levels,
                                                                    std::span<const algo::LevelRecord> recorded, algo::DirectionChoice choice);

}  // namespace wayfront::app
