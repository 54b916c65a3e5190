#include "session/sssp/path_length.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

namespace {

constexpr std::int64_t kSerialBelow = std::int64_t{1} << 14;

template <typename T>
PathLength length_of(T distance)
{
    if constexpr (std::is_floating_point_v<T>)
        return distance;
    else
        return static_cast<std::int64_t>(distance);
}

}  // namespace

std::string to_string(const PathLength& length)
{
    return std::visit([](auto value) { return fmt::format("{}", value); }, length);
}

Json to_json(const PathLength& length)
{
    return Json::parse(to_string(length));
}

std::optional<PathLength> distance_of(const comm::Communicator& world, const Partition& partition,
                                      const Distances& distances, Vertex vertex)
{
    return std::visit(
        [&]<typename T>(const HostBuffer<T>& own) -> std::optional<PathLength> {
            const int owner = partition.owner(vertex);
            T distance = owner == world.rank() ? own[partition.local(vertex)] : T{};
            world.broadcast(std::span(&distance, 1), owner);
            if (distance == unreached<T>()) return std::nullopt;
            return length_of(distance);
        },
        distances);
}

PathLength largest_distance(const comm::Communicator& world, const Distances& distances)
{
    return std::visit(
        [&]<typename T>(const HostBuffer<T>& own) -> PathLength {
            using Sent = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
            const auto size = static_cast<std::int64_t>(own.size());
            Sent largest = std::numeric_limits<Sent>::lowest();
#pragma omp parallel for reduction(max : largest) if (size >= kSerialBelow)
            for (std::int64_t i = 0; i < size; ++i) {
                const T distance = own[static_cast<std::size_t>(i)];
                if (distance != unreached<T>()) largest = std::max(largest, static_cast<Sent>(distance));
            }
            return length_of(static_cast<T>(world.all_reduce(largest, comm::Reduction::max)));
        },
        distances);
}

}  // namespace wayfront::session
