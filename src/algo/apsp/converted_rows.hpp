// Rows whose type of distances differs from the type of the engine that makes them.
#pragma once

#include <memory>

#include "algo/apsp/rows.hpp"

namespace wayfront::algo {

/// Returns a producer of the same rows in `type`; `rows` itself if its type is `type`. Its
/// collect() throws InputError if a distance does not fit `type`. Pre: distances are whole numbers,
/// or the type of `rows` is `type`.
[[nodiscard]] std::unique_ptr<RowProducer> with_distance_type(std::unique_ptr<RowProducer> rows, DistanceType type);

}  // namespace wayfront::algo
