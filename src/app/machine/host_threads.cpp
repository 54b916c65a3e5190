#include "app/machine/host_threads.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "app/cli/config_file.hpp"
#include "app/machine/control_group.hpp"
#include "base/error.hpp"

namespace wayfront::app {

namespace {

constexpr const char* kSpinCount = "10000";  // turns of an empty loop in GNU's OpenMP runtime
constexpr std::size_t kMostCores = 4096;
// Beginnings of names.
constexpr std::array<std::string_view, 5> kLaunchers = {"mpirun", "mpiexec", "orte", "prte", "hydra"};

/// The leading number of an environment variable ("16(x2)" is 16); 0 if there is none.
int environment_number(const char* name)
{
    const char* const text = std::getenv(name);
    if (text == nullptr) return 0;
    int value = 0;
    const std::string_view view = text;
    std::from_chars(view.data(), view.data() + view.size(), value);
    return std::max(value, 0);
}

/// The cores that a process may run on (0: this process), as one byte per core; all 0 if the kernel
/// does not say.
std::vector<std::uint8_t> allowed_cores(pid_t process)
{
    std::vector<std::uint8_t> allowed(kMostCores, 0);
    cpu_set_t* const set = CPU_ALLOC(kMostCores);
    const std::size_t bytes = CPU_ALLOC_SIZE(kMostCores);
    if (sched_getaffinity(process, bytes, set) == 0)
        for (std::size_t core = 0; core < kMostCores; ++core) allowed[core] = CPU_ISSET_S(core, bytes, set) ? 1 : 0;
    CPU_FREE(set);
    return allowed;
}

int ranks_of_this_host()
{
    for (const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE"})
        if (const int ranks = environment_number(name); ranks > 0) return ranks;
    return 1;
}

/// The value of an option, before the options are parsed; empty if it is not given.
std::string option_value(int argc, char** argv, std::string_view option)
{
    for (int i = 1; i < argc; ++i) {
        std::string_view word = argv[i];
        if (!word.starts_with(option)) continue;
        word.remove_prefix(option.size());
        if (word.empty() && i + 1 < argc) return argv[i + 1];
        if (word.starts_with('=')) return std::string(word.substr(1));
    }
    return "";
}

/// `threads` of a configuration file; 0 if the file does not set it. Errors in the file are
/// reported when the options are parsed. A pipe is not opened, since it can be read only once.
int configured_threads(const std::string& path, std::string_view subcommand)
{
    std::error_code unknown;
    if (path.empty() || !std::filesystem::is_regular_file(path, unknown)) return 0;
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    try {
        for (const ConfigLine& line : parse_config(text.str(), path))
            if (line.name == "threads" && line.value && (line.section.empty() || line.section == subcommand)) return std::atoi(line.value->c_str());
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

/// The number of threads that an option, the configuration file or OMP_NUM_THREADS sets; 0 if none
/// of them does.
int requested_threads(int argc, char** argv)
{
    if (const std::string threads = option_value(argc, argv, "--threads"); !threads.empty()) return std::atoi(threads.c_str());
    if (const int threads = configured_threads(option_value(argc, argv, "--config"), argc > 1 ? argv[1] : ""); threads > 0) return threads;
    return environment_number("OMP_NUM_THREADS");
}

/// For each core, the number of ranks that may run on it. Collective over the ranks of a host.
std::vector<int> ranks_on_cores(const comm::Communicator& host, const std::vector<std::uint8_t>& own)
{
    std::vector<std::uint8_t> all(static_cast<std::size_t>(host.size()) * own.size());
    host.all_gather(std::span<const std::uint8_t>(own), std::span<std::uint8_t>(all));
    std::vector<int> ranks(own.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) ranks[i % own.size()] += all[i];
    return ranks;
}

/// The number of cores that a process may keep busy: the cores that it may run on, within the
/// control group's limit of CPU time.
double usable_cores(pid_t process)
{
    const auto allowed = std::ranges::count(allowed_cores(process), std::uint8_t{1});
    return std::min(static_cast<double>(allowed), control_group_cores().value_or(kMostCores));
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
        "the ranks of this host may use {} of its {} cores; if mpirun bound them to cores, its option --bind-to none lets them use all", cores,
        usable);
}

/// The number of threads that the kernel lists for this process; 0 if the list cannot be read.
/// The threads of this process; 0 if they cannot be counted, for want of memory or otherwise.
std::ptrdiff_t count_threads() noexcept
{
    try {
        const std::filesystem::directory_iterator tasks("/proc/self/task");
        return std::distance(begin(tasks), end(tasks));
    } catch (const std::exception&) {
        return 0;
    }
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
    constexpr int most_looks = 100;
    for (int look = 0; look < most_looks && count_threads() > threads_before_; ++look) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void ThreadTrial::require_success() const
{
    if (trial_.size() == static_cast<std::size_t>(wanted_)) return;
    throw ResourceError(fmt::format(
        "only {} of {} threads can be created: the number of processes (ulimit -u, or the control group's limit) or the memory is limited; "
        "use fewer with --threads",
        trial_.size() + 1, wanted_ + 1));
}

DefaultThreads default_threads(const comm::Communicator& host)
{
    const std::vector<std::uint8_t> own = allowed_cores(0);
    const std::vector<int> sharers = ranks_on_cores(host, own);
    if (const int threads = environment_number("OMP_NUM_THREADS"); threads > 0) return {threads, ""};
    double share = 0;
    for (std::size_t core = 0; core < own.size(); ++core)
        if (own[core] != 0) share += 1.0 / sharers[core];
    constexpr double rounding = 1e-6;
    share = std::min(share, control_group_cores().value_or(kMostCores) / host.size());
    const auto together = std::ranges::count_if(sharers, [](int ranks) { return ranks > 0; });
    return {std::max(1, static_cast<int>(share + rounding)), binding_note(together)};
}

void choose_how_threads_wait(int argc, char** argv)
{
    // A rank may be bound to some of the cores that the ranks of the host have together; its
    // parent, the launcher, is not.
    const double cores = std::max(usable_cores(0), usable_cores(::getppid()));
    const int ranks = ranks_of_this_host();
    const int requested = requested_threads(argc, argv);
    const int threads = requested > 0 ? requested : std::max(1, static_cast<int>(cores) / ranks);
    const bool crowded = ranks * static_cast<double>(threads) > cores;
    constexpr int keep = 0;
    if (crowded) ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", keep);
    if (threads == 1 || std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    const int failed = crowded ? ::setenv("OMP_WAIT_POLICY", "passive", keep) : ::setenv("GOMP_SPINCOUNT", kSpinCount, keep);
    std::error_code unknown;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    // If this fails, the program continues, only slower.
    if (failed == 0 && !unknown) ::execv(program.c_str(), argv);
}

}  // namespace wayfront::app
