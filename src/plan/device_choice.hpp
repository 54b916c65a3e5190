// Chooses the GPU of its host that each rank uses.
#pragma once

#include <vector>

namespace wayfront::plan {

/// visible[r] lists the GPUs that rank r of a host sees, by numbers that are the same for all
/// ranks. Returns for each rank one of its GPUs, as an index into visible[r]. The ranks are spread
/// over the GPUs as evenly as possible: the result is an optimal semi-matching (N. Harvey, R.
/// Ladner, L. Lovász and T. Tamir, J. Algorithms 59, 2006). If all ranks see the same GPUs, rank r
/// gets number r modulo the number of GPUs. Pre: every rank sees a GPU. The result is the same on
/// all ranks.
[[nodiscard]] std::vector<int> choose_devices(const std::vector<std::vector<int>>& visible);

}  // namespace wayfront::plan
