#include "job/host_cores.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <sched.h>

#include "job/control_group.hpp"

namespace wayfront::job {

std::vector<std::uint8_t> allowed_cores(pid_t process)
{
    std::vector<std::uint8_t> allowed(kMostCores, 0);
    cpu_set_t* const set = CPU_ALLOC(kMostCores);
    if (set == nullptr) return allowed;
    const std::size_t bytes = CPU_ALLOC_SIZE(kMostCores);
    if (sched_getaffinity(process, bytes, set) == 0)
        for (std::size_t core = 0; core < kMostCores; ++core) allowed[core] = CPU_ISSET_S(core, bytes, set) ? 1 : 0;
    CPU_FREE(set);
    return allowed;
}

double usable_cores(pid_t process)
{
    const auto allowed = std::ranges::count(allowed_cores(process), std::uint8_t{1});
    return std::min(static_cast<double>(allowed), control_group_cores().value_or(kMostCores));
}

const char* environment_value(const char* const* environment, const char* name)
{
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && entry.substr(0, equals) == name) return *environment + equals + 1;
    }
    return nullptr;
}

int environment_number(const char* const* environment, const char* name)
{
    const char* const text = environment_value(environment, name);
    if (text == nullptr) return 0;
    int value = 0;
    const std::string_view view = text;
    std::from_chars(view.data(), view.data() + view.size(), value);
    return std::max(value, 0);
}

}  // namespace wayfront::job
