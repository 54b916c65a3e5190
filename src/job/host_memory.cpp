#include "job/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "base/bytes_in_words.hpp"
#include "comm/agreement.hpp"
#include "job/control_group.hpp"

namespace wayfront::job {

namespace {

/// The number after `key` in a file of lines "KEY: NUMBER kB", in bytes; no value if the key is
/// missing.
std::optional<std::int64_t> kernel_figure(const char* path, std::string_view key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        std::int64_t kibibytes = 0;
        if (std::sscanf(line.c_str() + key.size(), " %ld", &kibibytes) == 1) return kibibytes * 1024;
    }
    return std::nullopt;
}

}  // namespace

std::optional<double> available_bytes()
{
    std::optional<double> available;
    if (const auto kernel = kernel_figure("/proc/meminfo", "MemAvailable:")) available = static_cast<double>(*kernel);
    if (const auto left = control_group_bytes()) available = std::min(available.value_or(*left), *left);
    return available;
}

void require_bytes(double available, double host_bytes, const std::string& what)
{
    if (host_bytes <= available) return;
    throw ResourceError(
        fmt::format("{} needs {} on each host, but only {} are available; use more hosts or a smaller graph", what,
                    bytes_in_words(host_bytes), bytes_in_words(available)));
}

void require_memory(const Job& job, double bytes_a_rank, const std::string& what,
                    const std::function<std::string()>& advice)
{
    // An allowance for MPI's message buffers, the stacks of threads and the like, which are
    // allocated when they are first used.
    constexpr double mebibyte = 1 << 20;
    const double runtime_bytes = (job.world().size() > 1 ? 24 : 4) * mebibyte;
    const double host_bytes = job.host().all_reduce(bytes_a_rank + runtime_bytes, comm::Reduction::sum);
    try {
        run_agreed(job.world(), [&] {
            // Reading the available memory takes longer than searching a small graph.
            if (host_bytes < (runtime_bytes + mebibyte) * job.host().size()) return;
            if (const std::optional<double> available = available_bytes()) require_bytes(*available, host_bytes, what);
        });
    } catch (const AgreedError& error) {
        if (error.code() != ExitCode::resources) throw;
        throw AgreedError(error.code(), error.what() + advice());
    }
}

void return_freed_memory()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

PeakMemory::PeakMemory()
{
    std::ofstream reset("/proc/self/clear_refs");
    reset << "5" << std::flush;  // sets the peak to the memory that is resident now
    reset_ = reset.good();
    before_bytes_ = kernel_figure("/proc/self/status", "VmRSS:").value_or(0);
}

std::optional<std::int64_t> PeakMemory::grown_bytes() const
{
    const auto peak = kernel_figure("/proc/self/status", "VmHWM:");
    if (!reset_ || !peak) return std::nullopt;
    return std::max<std::int64_t>(*peak - before_bytes_, 0);
}

}  // namespace wayfront::job
