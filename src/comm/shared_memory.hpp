// Memory of a host that several ranks map, so that each of them reads what the others write.
//
// A read of memory that another rank may be writing is a data race unless both use atomic
// operations. After a function in which each rank gets something from all others, such as barrier()
// or all_gather(), a rank sees what the others wrote before it. The memory is not a window of MPI's,
// whose size Open MPI limits to what /dev/shm holds: a file there that is too large ends the job by
// a signal.
#pragma once

#include <cstddef>
#include <span>

#include "comm/communicator.hpp"

namespace wayfront::comm {

/// Move-only; a rank may end its use before the others do.
class SharedMemory
{
public:
    SharedMemory() noexcept = default;
    /// Memory of `bytes` bytes, all 0, that all ranks share. Empty on all ranks if they are not on one
    /// host, or if the system does not let them share memory. Collective.
    [[nodiscard]] static SharedMemory among(const Communicator& ranks, std::size_t bytes);

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    SharedMemory(const SharedMemory&) = delete;  // one map, one owner
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    /// Begins at a page.
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

}  // namespace wayfront::comm
