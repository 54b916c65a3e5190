#include "job/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace wayfront::job {

namespace {

namespace fs = std::filesystem;

/// Whether the comma-separated list `names` contains `name`.
bool lists(std::string_view names, std::string_view name)
{
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        if (names.substr(0, comma) == name) return true;
        names.remove_prefix(std::min(comma + 1, names.size()));
    }
    return false;
}

/// The folders of the process's own group and of the groups above it, in the hierarchy of a
/// controller of version 1, or in that of version 2 if `controller` is empty.
std::vector<fs::path> group_folders(const fs::path& root, const std::string& controller)
{
    const fs::path mount = root / "sys/fs/cgroup" / controller;
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // NUMBER:CONTROLLERS:/PATH
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? !controllers.empty() : !lists(controllers, controller)) continue;
        std::vector<fs::path> folders;
        // In a container the path may be that of the host, and may not exist below `mount`; the
        // container's own group is then mounted at `mount`.
        for (fs::path group = fs::path(line.substr(second + 1)).relative_path(); !group.empty();
             group = group.parent_path())
            folders.push_back(mount / group);
        folders.push_back(mount);
        return folders;
    }
    return {mount};
}

std::optional<double> number_in(const fs::path& path)
{
    std::ifstream file(path);
    double value = 0;
    if (file >> value) return value;  // the text "max" is not a number
    return std::nullopt;
}

/// The number after the key `wanted` in a file of lines "KEY NUMBER"; 0 if the key is missing.
double figure_in(const fs::path& path, std::string_view wanted)
{
    std::ifstream file(path);
    std::string key;
    for (double value = 0; file >> key >> value;)
        if (key == wanted) return value;
    return 0;
}

void take_less(std::optional<double>& least, double value)
{
    least = std::min(least.value_or(value), value);
}

struct MemoryFiles
{
    const char* controller;
    const char* limit;
    const char* used;
    const char* reclaimable;  // in memory.stat
};

}  // namespace

std::optional<double> control_group_bytes(const fs::path& root)
{
    std::optional<double> least;
    for (const MemoryFiles& files :
         {MemoryFiles{"", "memory.max", "memory.current", "inactive_file"},
          MemoryFiles{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}}) {
        for (const fs::path& folder : group_folders(root, files.controller)) {
            const std::optional<double> limit = number_in(folder / files.limit);
            const std::optional<double> used = number_in(folder / files.used);
            if (limit && used) take_less(least, *limit - *used + figure_in(folder / "memory.stat", files.reclaimable));
        }
    }
    return least;
}

std::optional<double> control_group_cores(const fs::path& root)
{
    std::optional<double> least;
    const auto take = [&least](double quota, double period) {
        if (quota > 0 && period > 0) take_less(least, std::max(1.0, quota / period));
    };
    for (const fs::path& folder : group_folders(root, "")) {
        std::ifstream file(folder / "cpu.max");
        double quota = 0;
        double period = 0;
        if (file >> quota >> period) take(quota, period);
    }
    for (const fs::path& folder : group_folders(root, "cpu"))  // -1: no limit
        take(number_in(folder / "cpu.cfs_quota_us").value_or(-1), number_in(folder / "cpu.cfs_period_us").value_or(0));
    return least;
}

}  // namespace wayfront::job
