#include "app/thread_waiting.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "app/cli/config_file.hpp"
#include "base/error.hpp"
#include "job/host_cores.hpp"

namespace wayfront::app {

namespace {

// Entries of an environment are not constant. The number counts turns of an empty loop in GNU's
// OpenMP runtime.
std::array<char, 24> sleep_at_once{"OMP_WAIT_POLICY=passive"};
std::array<char, 21> spin_shortly{"GOMP_SPINCOUNT=10000"};

// The entry whose place one of these has; null if none.
char* displaced_entry = nullptr;

// Variables that no library reads when it is loaded.
constexpr std::array<std::string_view, 12> kUnreadWhenLoaded = {
    "_=",        "OLDPWD=",  "SHLVL=", "PWD=",  "LS_COLORS=", "MAIL=",
    "HOSTNAME=", "LOGNAME=", "USER=",  "TERM=", "SHELL=",     "HOME="};

int ranks_of_this_host(const char* const* environment)
{
    for (const char* const name :
         {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE"})
        if (const int ranks = job::environment_number(environment, name); ranks > 0) return ranks;
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
            if (line.name == "threads" && line.value && (line.section.empty() || line.section == subcommand))
                return std::atoi(line.value->c_str());
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

/// The number of threads that an option, the configuration file or OMP_NUM_THREADS sets; 0 if none
/// of them does.
int requested_threads(int argc, char** argv, const char* const* environment)
{
    if (const std::string threads = option_value(argc, argv, "--threads"); !threads.empty())
        return std::atoi(threads.c_str());
    if (const int threads = configured_threads(option_value(argc, argv, "--config"), argc > 1 ? argv[1] : "");
        threads > 0)
        return threads;
    return job::environment_number(environment, "OMP_NUM_THREADS");
}

struct Crowd
{
    int threads = 1;        // the threads of this rank
    bool has_cores = true;  // for each thread of the ranks of this host
};

Crowd crowd_of_host(int argc, char** argv, const char* const* environment)
{
    // A rank may be bound to some of the cores that the ranks of the host have together; its
    // parent, the launcher, is not.
    const double cores = std::max(job::usable_cores(0), job::usable_cores(::getppid()));
    const int ranks = ranks_of_this_host(environment);
    const int requested = requested_threads(argc, argv, environment);
    const int threads = requested > 0 ? requested : std::max(1, static_cast<int>(cores) / ranks);
    return {threads, ranks * static_cast<double>(threads) <= cores};
}

}  // namespace

void choose_how_threads_wait(int argc, char** argv, char** environment) noexcept
{
    if (job::environment_value(environment, "OMP_WAIT_POLICY") != nullptr ||
        job::environment_value(environment, "GOMP_SPINCOUNT") != nullptr)
        return;
    char** entry = environment;
    const auto may_be_displaced = [&] {
        return std::ranges::any_of(kUnreadWhenLoaded,
                                   [&](std::string_view name) { return std::string_view(*entry).starts_with(name); });
    };
    while (*entry != nullptr && !may_be_displaced()) ++entry;
    if (*entry == nullptr) return;
    try {
        const Crowd crowd = crowd_of_host(argc, argv, environment);
        if (crowd.threads == 1) return;
        displaced_entry = *entry;
        *entry = crowd.has_cores ? spin_shortly.data() : sleep_at_once.data();
    } catch (...) {
        // Out of memory: the program continues, only slower.
    }
}

void restore_environment() noexcept
{
    if (displaced_entry != nullptr) ::putenv(displaced_entry);
}

void choose_how_ranks_wait(int argc, char** argv)
{
    constexpr int keep = 0;
    if (!crowd_of_host(argc, argv, ::environ).has_cores) ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", keep);
}

}  // namespace wayfront::app
