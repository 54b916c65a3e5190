// Memory of this host: how much is left, and how much a piece of work took at its peak.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/job.hpp"

namespace wayfront::app {

/// Bytes that can still be allocated on this host, as the kernel and the control group tell; nothing where neither does.
std::optional<double> available_bytes();

/// Throws a ResourceError, which names `what`, where a host has not the bytes that it needs.
void require_bytes(double available, double host_bytes, const std::string& what);

/// Throws an AgreedError where `bytes_a_rank` on each rank would not fit the memory that is left on any host; `what` names it. Collective.
void require_memory(const Job& job, double bytes_a_rank, const std::string& what);

/// Measures by how much the process grows, at its peak, from the object's making on.
class PeakMemory
{
public:
    PeakMemory();

    /// Nothing where the kernel does not let the peak be reset.
    [[nodiscard]] std::optional<std::int64_t> grown_bytes() const;

private:
    std::int64_t before_bytes_ = 0;
    bool reset_ = false;
};

}  // namespace wayfront::app
