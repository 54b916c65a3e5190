// The levels of a search on GPUs, as commands tell of them.
//
// A resident search records at most 64 of them, and those that one block ran together as one (gpu/bfs/resident/search.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "comm/communicator.hpp"
#include "gpu/bfs/resident/search.hpp"

namespace wayfront::app {

/// As recorded, without the writing of the result.
[[nodiscard]] std::vector<algo::LevelRecord> as_level_records(const std::vector<gpu::DeviceLevel>& recorded);

/// One record for each level, of which level i has vertices[i]. The direction is that of the next record if it has as many vertices, else the one
/// that was forced, else top-down: levels without a record are those that ran within one block, or come after the last record.
[[nodiscard]] std::vector<algo::LevelRecord> complete_level_records(std::span<const std::uint64_t> vertices,
                                                                    std::span<const algo::LevelRecord> recorded, algo::DirectionChoice choice);

/// The same, where level i's vertices are those that have it in `levels`, this rank's part of the result. Collective.
[[nodiscard]] std::vector<algo::LevelRecord> complete_level_records(const comm::Communicator& world, std::span<const std::int32_t> levels,
                                                                    std::span<const algo::LevelRecord> recorded, algo::DirectionChoice choice);

}  // namespace wayfront::app
