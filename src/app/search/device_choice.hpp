// Which GPU of its host a rank takes.
#pragma once

#include <vector>

namespace wayfront::app {

/// visible[r]: the GPUs that rank r of a host sees, by numbers that are the same for all ranks. Returns for each rank one of its own, as an index
/// into visible[r], such that ranks are spread as evenly as they can be: an optimal semi-matching (N. Harvey, R. Ladner, L. Lovász and T. Tamir, J.
/// Algorithms 59, 2006). Where all see the same, rank r takes number r, modulo how many there are. Pre: every rank sees one. The same result on all
/// ranks.
[[nodiscard]] std::vector<int> choose_devices(const std::vector<std::vector<int>>& visible);

}  // namespace wayfront::app
