#include "session/reported_result.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace wayfront::session {

namespace {

constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

std::int64_t signed_level(std::uint32_t level)
{
    return level == graph500::kNoLevel ? -1 : std::int64_t{level};
}

std::string level_in_words(std::int64_t level)
{
    return level == -1 ? std::string("not reached") : fmt::format("level {}", level);
}

/// Describes the vertex with the smallest number among those whose reported level is wrong; empty
/// if there is none.
std::string wrong_level(const comm::Communicator& world, const Partition& partition,
                        std::span<const std::int32_t> levels, std::span<const std::uint32_t> rebuilt)
{
    if (!world.all(levels.size() == rebuilt.size())) return "the search does not report a level for each vertex";
    Vertex own = kNone;
    std::size_t local = 0;
    while (local < levels.size() && levels[local] == signed_level(rebuilt[local])) ++local;
    if (local < levels.size()) own = partition.vertex(world.rank(), static_cast<std::uint32_t>(local));
    const Vertex first = world.all_reduce(own, comm::Reduction::min);
    if (first == kNone) return {};
    std::array<std::int64_t, 2> both{};
    if (own == first) both = {levels[local], signed_level(rebuilt[local])};
    world.broadcast(std::span<std::int64_t>(both), partition.owner(first));
    return fmt::format("vertex {} is reported as {}, but according to the parents it is {}", first,
                       level_in_words(both[0]), level_in_words(both[1]));
}

std::string wrong_level_size(const comm::Communicator& world, std::span<const algo::LevelRecord> records,
                             const graph500::BfsValidation& validation)
{
    const auto depth = static_cast<std::size_t>(validation.eccentricity);
    if (records.size() != depth + 1)
        return fmt::format("the search reports {} levels, but according to the parents there are {}", records.size(),
                           depth + 1);
    std::vector<std::uint64_t> vertices(depth + 1, 0);
    for (const std::uint32_t level : validation.levels)
        if (level != graph500::kNoLevel) ++vertices[level];
    world.all_reduce(std::span<std::uint64_t>(vertices), comm::Reduction::sum);
    for (std::size_t level = 0; level <= depth; ++level)
        if (records[level].frontier.vertices != vertices[level])
            return fmt::format("level {} is reported with {} vertices, but according to the parents it has {}", level,
                               records[level].frontier.vertices, vertices[level]);
    return {};
}

}  // namespace

std::string fault_of(const comm::Communicator& world, const Partition& partition, const ReportedResult& reported,
                     const graph500::BfsValidation& validation)
{
    if (validation.violation) return describe(*validation.violation);
    std::string levels = wrong_level(world, partition, reported.levels, validation.levels);
    if (!levels.empty()) return levels;
    if (reported.reached != static_cast<std::uint64_t>(validation.reached))
        return fmt::format("{} vertices are reported as reached, but according to the parents there are {}",
                           reported.reached, validation.reached);
    if (reported.depth != validation.eccentricity)
        return fmt::format("the depth is reported as {}, but according to the parents it is {}", reported.depth,
                           validation.eccentricity);
    if (reported.records.empty() && validation.reached == 1) return {};
    return wrong_level_size(world, reported.records, validation);
}

}  // namespace wayfront::session
