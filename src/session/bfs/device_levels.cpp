#include "session/bfs/device_levels.hpp"

#include <algorithm>
#include <cstddef>

#include "base/counting_sort.hpp"
#include "base/parallel.hpp"

namespace wayfront::session {

std::vector<algo::LevelRecord> as_level_records(const std::vector<gpu::bfs::DeviceLevel>& recorded)
{
    std::vector<algo::LevelRecord> records;
    records.reserve(recorded.size());
    for (const gpu::bfs::DeviceLevel& level : recorded)
        records.push_back({level.bottom_up ? algo::Direction::bottom_up : algo::Direction::top_down,
                           {level.vertices, level.out_edges}});
    return records;
}

namespace {

constexpr std::size_t kSerialBelow = std::size_t{1} << 16;

/// The largest level; -1 if there are no levels.
std::int32_t deepest_of(std::span<const std::int32_t> levels)
{
    std::int32_t deepest = -1;
#pragma omp parallel for reduction(max : deepest) if (levels.size() >= kSerialBelow)
    for (std::size_t i = 0; i < levels.size(); ++i) deepest = std::max(deepest, levels[i]);
    return deepest;
}

}  // namespace

std::vector<std::uint64_t> vertices_of_levels(const comm::Communicator& world, std::span<const std::int32_t> levels,
                                              std::int32_t max_level)
{
    const std::int64_t deepest = world.all_reduce(std::int64_t{deepest_of(levels)}, comm::Reduction::max);
    // The first bucket has the vertices that are not reached. Each part has at least as many vertices as buckets.
    const auto buckets = static_cast<std::size_t>(deepest + 2);
    const auto threads = static_cast<std::size_t>(thread_count());
    CountingSort by_level(buckets, std::clamp<std::size_t>(levels.size() / buckets, 1, threads));
    by_level.count(levels.size(), kSerialBelow, [levels](std::size_t i, auto&& count) {
        count(static_cast<std::size_t>(std::int64_t{levels[i]} + 1));
    });
    std::vector<std::uint64_t> vertices(by_level.counts().begin() + 1, by_level.counts().end());
    vertices.resize(std::min(vertices.size(), static_cast<std::size_t>(max_level)));
    world.all_reduce(std::span<std::uint64_t>(vertices), comm::Reduction::sum);
    return vertices;
}

std::vector<algo::LevelRecord> complete_level_records(std::span<const std::uint64_t> vertices,
                                                      std::span<const algo::LevelRecord> recorded,
                                                      algo::DirectionChoice choice)
{
    const algo::Direction unrecorded =
        choice == algo::DirectionChoice::bottom_up ? algo::Direction::bottom_up : algo::Direction::top_down;
    std::vector<algo::LevelRecord> records;
    std::size_t next = 0;
    for (const std::uint64_t count : vertices) {
        const bool known = next < recorded.size() && recorded[next].frontier.vertices == count;
        records.push_back(known ? recorded[next++] : algo::LevelRecord{unrecorded, {count, 0}});
    }
    return records;
}

std::vector<algo::LevelRecord> complete_level_records(const comm::Communicator& world,
                                                      std::span<const std::int32_t> levels,
                                                      std::vector<algo::LevelRecord> recorded,
                                                      const algo::BfsOptions& options)
{
    const std::vector<std::uint64_t> vertices = vertices_of_levels(world, levels, options.max_level);
    if (!recorded.empty() && !vertices.empty()) recorded.front().frontier.vertices = vertices.front();
    return complete_level_records(vertices, recorded, options.direction.choice);
}

}  // namespace wayfront::session
