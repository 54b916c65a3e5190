#include "graph/io/file_mapping.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace wayfront {

namespace {

/// The entry of a mapping in the handler's table. If the table is full, further mappings are not
/// guarded.
struct Place
{
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};  // 0: no mapping
    std::atomic<bool> cut_short{false};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "a signal handler may use no others");

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a handler can use globals only
std::array<Place, 64> places;
struct sigaction former_action;
std::uintptr_t page_bytes = 4096;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void replace_missing_pages(int signal, siginfo_t* information, void* /*context*/)
{
    const int error = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
    for (Place& place : places) {
        const std::uintptr_t end = place.end.load(std::memory_order_acquire);
        if (address >= end || address < place.begin.load(std::memory_order_acquire)) continue;
        const std::uintptr_t into_page = address % page_bytes;
        void* const page = static_cast<char*>(information->si_addr) - into_page;
        place.cut_short.store(true);
        constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
        const void* const zeros = ::mmap(page, end - address + into_page, PROT_READ, flags, -1, 0);
        if (zeros == MAP_FAILED) break;
        errno = error;
        return;
    }
    // The access is repeated, and raises the signal again.
    ::sigaction(signal, &former_action, nullptr);
}

void guard_mappings()
{
    static std::once_flag once;
    std::call_once(once, [] {
        page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action
        {
        };
        action.sa_sigaction = replace_missing_pages;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &former_action);
    });
}

}  // namespace

FileMapping::FileMapping(int file, std::size_t bytes)
{
    guard_mappings();
    void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category());
    bytes_ = {static_cast<const char*>(memory), bytes};
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].taken.exchange(true)) continue;
        place_ = static_cast<int>(i);
        const auto begin = reinterpret_cast<std::uintptr_t>(memory);
        places[i].cut_short.store(false);
        places[i].begin.store(begin);
        places[i].end.store(begin + bytes, std::memory_order_release);
        return;
    }
}

FileMapping::~FileMapping()
{
    if (place_ >= 0) {
        Place& place = places.at(static_cast<std::size_t>(place_));
        place.end.store(0);
        place.taken.store(false);
    }
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool FileMapping::cut_short() const noexcept
{
    return place_ >= 0 && places[static_cast<std::size_t>(place_)].cut_short.load();
}

}  // namespace wayfront
