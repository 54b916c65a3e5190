// The levels of a search on GPUs, as commands report them.
//
// A resident search records at most 64 levels, and records consecutive levels that one block ran as
// a single one (gpu/bfs/resident/search.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "comm/communicator.hpp"
#include "gpu/bfs/resident/search.hpp"

namespace wayfront::session {

/// The levels as recorded, without the time in which the result was written.
[[nodiscard]] std::vector<algo::LevelRecord> as_level_records(const std::vector<gpu::bfs::DeviceLevel>& recorded);

/// The number of vertices at each level that was searched from, which are the levels below `max_level`.
/// `levels` are those of this rank's vertices; -1 if not reached. Collective.
[[nodiscard]] std::vector<std::uint64_t> vertices_of_levels(const comm::Communicator& world,
                                                            std::span<const std::int32_t> levels,
                                                            std::int32_t max_level);

/// Returns one record for each level; level i has vertices[i] vertices. The next record belongs to
/// the level if both have the same number of vertices. Otherwise the level has no record: it ran within one block, or
/// comes after the last record; its direction is the one that was forced, or top-down.
[[nodiscard]] std::vector<algo::LevelRecord> complete_level_records(std::span<const std::uint64_t> vertices,
                                                                    std::span<const algo::LevelRecord> recorded,
                                                                    algo::DirectionChoice choice);

/// The same for levels that are counted in `levels`, this rank's part of the result of a search with
/// these options. A record of the first level does not count sources without edges. Collective.
[[nodiscard]] std::vector<algo::LevelRecord> complete_level_records(const comm::Communicator& world,
                                                                    std::span<const std::int32_t> levels,
                                                                    std::vector<algo::LevelRecord> recorded,
                                                                    const algo::BfsOptions& options);

}  // namespace wayfront::session
