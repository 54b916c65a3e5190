// Which GPU of its host a rank takes.
#pragma once

#include <string>
#include <vector>

namespace wayfront::app {

/// visible[r]: the GPUs that rank r of a host sees, by an id that is the same in all processes. Returns for each rank one of its own, as an index
/// into visible[r], such that the GPU with most ranks has as few as possible. Where all see the same, rank r takes number r, modulo their number. No
/// rank sees none; the same result on all ranks.
[[nodiscard]] std::vector<int> choose_devices(const std::vector<std::vector<std::string>>& visible);

}  // namespace wayfront::app
