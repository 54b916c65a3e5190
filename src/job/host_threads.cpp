#include "job/host_threads.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "job/control_group.hpp"
#include "job/host_cores.hpp"

namespace wayfront::job {

namespace {

// Beginnings of names.
constexpr std::array<std::string_view, 5> kLaunchers = {"mpirun", "mpiexec", "orte", "prte", "hydra"};

/// For each core, the number of ranks that may run on it. Collective over the ranks of a host.
std::vector<int> ranks_on_cores(const comm::Communicator& host, const std::vector<std::uint8_t>& own)
{
    std::vector<std::uint8_t> all(static_cast<std::size_t>(host.size()) * own.size());
    host.all_gather(std::span<const std::uint8_t>(own), std::span<std::uint8_t>(all));
    std::vector<int> ranks(own.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) ranks[i % own.size()] += all[i];
    return ranks;
}

/// A note if mpirun may use more cores than its ranks on this host; empty otherwise. `cores` is the
/// number of cores that the ranks of this host may use together.
std::string binding_note(std::int64_t cores)
{
    const pid_t launcher = ::getppid();
    if (!is_mpirun(launcher)) return "";
    const auto usable = static_cast<std::int64_t>(usable_cores(launcher));
    if (cores >= usable) return "";
    return fmt::format(
        "the ranks of this host may use {} of its {} cores; if mpirun bound them to cores, its option --bind-to none "
        "lets them use all",
        cores, usable);
}

/// The number of threads that the kernel lists for this process; 0 if the list cannot be read.
std::ptrdiff_t count_threads() noexcept
{
    DIR* const tasks = ::opendir("/proc/self/task");
    if (tasks == nullptr) return 0;
    std::ptrdiff_t count = 0;
    while (const dirent* const task = ::readdir(tasks)) count += task->d_name[0] == '.' ? 0 : 1;
    ::closedir(tasks);
    return count;
}

}  // namespace

bool is_mpirun(pid_t process)
{
    std::ifstream file(fmt::format("/proc/{}/comm", process));
    std::string name;
    std::getline(file, name);
    return std::ranges::any_of(kLaunchers, [&](std::string_view launcher) { return name.starts_with(launcher); });
}

void check_thread_environment()
{
    const char* const text = std::getenv("OMP_NUM_THREADS");
    if (text == nullptr) return;
    const std::string_view view = text;
    std::int64_t threads = 0;
    const std::errc error = std::from_chars(view.data(), view.data() + view.size(), threads).ec;
    if (error == std::errc::result_out_of_range || threads > kMostThreads)
        throw InputError(fmt::format("OMP_NUM_THREADS: expected at most {} threads, found '{}'", kMostThreads, text));
}

ThreadTrial::ThreadTrial(int threads) : wanted_(threads), threads_before_(count_threads()), end_(1)
{
    try {
        trial_.reserve(static_cast<std::size_t>(threads));
        while (trial_.size() < static_cast<std::size_t>(threads)) trial_.emplace_back([this] { end_.wait(); });
    } catch (const std::exception&) {
        return;  // no thread or no memory: require_success() reports it
    }
}

// Nothing here throws: a joinable thread other than this one can be joined.
ThreadTrial::~ThreadTrial()
{
    end_.count_down();
    for (std::thread& thread : trial_) thread.join();
    // The kernel still counts a thread against its limits for a moment after the thread was joined.
    constexpr int most_polls = 100;
    for (int poll = 0; poll < most_polls && count_threads() > threads_before_; ++poll)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void ThreadTrial::require_success() const
{
    if (trial_.size() == static_cast<std::size_t>(wanted_)) return;
    throw ResourceError(
        fmt::format("only {} of {} threads can be created: the number of processes (ulimit -u, or the control group's "
                    "limit) or the memory is limited; "
                    "use fewer with --threads",
                    trial_.size() + 1, wanted_ + 1));
}

DefaultThreads default_threads(const comm::Communicator& host)
{
    const std::vector<std::uint8_t> own = allowed_cores(0);
    const std::vector<int> sharers = ranks_on_cores(host, own);
    if (const int threads = environment_number(::environ, "OMP_NUM_THREADS"); threads > 0) return {threads, ""};
    double share = 0;
    for (std::size_t core = 0; core < own.size(); ++core)
        if (own[core] != 0) share += 1.0 / sharers[core];
    constexpr double rounding = 1e-6;
    share = std::min(share, control_group_cores().value_or(kMostCores) / host.size());
    const auto together = std::ranges::count_if(sharers, [](int ranks) { return ranks > 0; });
    return {std::max(1, static_cast<int>(share + rounding)), binding_note(together)};
}

}  // namespace wayfront::job
