// Distances one at a time, of any type, for summaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "graph/distances.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

/// A distance, in the type of the search's distances.
using PathLength = std::variant<std::int64_t, float, double>;

/// The shortest text that is read as the same number.
[[nodiscard]] std::string to_string(const PathLength& length);
/// The number of that text.
[[nodiscard]] Json to_json(const PathLength& length);

/// The distance of a vertex of any rank; no value if it was not reached. `distances` are those of
/// the rank's vertices. Collective.
[[nodiscard]] std::optional<PathLength> distance_of(const comm::Communicator& world, const Partition& partition,
                                                    const Distances& distances, Vertex vertex);

/// The largest distance of all reached vertices. Pre: a vertex was reached. Collective.
[[nodiscard]] PathLength largest_distance(const comm::Communicator& world, const Distances& distances);

}  // namespace wayfront::session
