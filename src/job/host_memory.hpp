// The memory of this host: how much is available, and how much a piece of work used at its peak.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "job/job.hpp"

namespace wayfront::job {

/// The bytes that can still be allocated on this host, by the kernel and the control groups; no
/// value if neither says.
std::optional<double> available_bytes();

/// Throws a ResourceError, which names `what`, if `host_bytes` are more than `available`.
void require_bytes(double available, double host_bytes, const std::string& what);

/// Throws an AgreedError, which names `what`, if `bytes_a_rank` on each rank exceed the memory that
/// is available on any host. The message ends with advice(), which all ranks call then. Collective.
void require_memory(
    const Job& job, double bytes_a_rank, const std::string& what,
    const std::function<std::string()>& advice = [] { return std::string(); });

/// Gives memory that was freed back to the system, as far as the C library keeps it.
void return_freed_memory();

/// Measures by how many bytes the process grows at its peak, beginning with the construction of the
/// object.
class PeakMemory
{
public:
    PeakMemory();

    /// No value if the kernel does not let the process reset its peak.
    [[nodiscard]] std::optional<std::int64_t> grown_bytes() const;

private:
    std::int64_t before_bytes_ = 0;
    bool reset_ = false;
};

}  // namespace wayfront::job
