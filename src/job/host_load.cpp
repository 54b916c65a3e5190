#include "job/host_load.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace wayfront::job {

int threads_of_others(std::string_view load, int own)
{
    // "1.42 0.97 0.80 3/412 7431": averages over 1, 5 and 15 minutes, and the threads that run.
    double average = 0;
    int running = 0;
    const std::size_t slash = load.find('/');
    if (slash == std::string_view::npos) return 0;
    const std::size_t blank = load.rfind(' ', slash);
    if (blank == std::string_view::npos) return 0;
    if (std::from_chars(load.data(), load.data() + load.size(), average).ec != std::errc{}) return 0;
    if (std::from_chars(load.data() + blank + 1, load.data() + slash, running).ec != std::errc{}) return 0;
    constexpr double most = 1e6;
    return std::max(0, std::min(running - own, static_cast<int>(std::min(std::floor(average), most))));
}

std::string note_of_load(int others, int ranks, int threads, int cores)
{
    // A thread or two of others on a large host do little harm.
    constexpr double bearable = 1.25;
    if (others < 1 || threads < 2 || others + ranks * threads <= bearable * cores) return "";
    return fmt::format(
        "other programs keep {} of this host's {} cores busy; threads wait for each other, so that fewer of them may "
        "be much faster (--threads {})",
        std::min(others, cores), cores, std::max(1, (cores - others) / ranks));
}

std::string note_of_load_here(int ranks, int threads)
{
    const int cores = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
    if (const char* const given = std::getenv("WAYFRONT_THREADS_OF_OTHERS"); given != nullptr)
        return note_of_load(std::atoi(given), ranks, threads, cores);
    std::ifstream file("/proc/loadavg");
    std::string load;
    std::getline(file, load);
    return note_of_load(threads_of_others(load, ranks), ranks, threads, cores);
}

}  // namespace wayfront::job
