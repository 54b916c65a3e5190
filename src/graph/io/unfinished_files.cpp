#include "graph/io/unfinished_files.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace wayfront {

namespace {

struct Place
{
    std::atomic<bool> taken{false};
    std::atomic<bool> complete{false};  // the name may be read
    std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use no others");

std::array<Place, 16> places;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): for the handler

void remove_and_end(int signal)
{
    for (const Place& place : places)
        if (place.complete.load(std::memory_order_acquire)) ::unlink(place.path.data());
    std::signal(signal, SIG_DFL);
    ::raise(signal);  // takes effect when the handler returns
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) noexcept
{
    if (path.size() >= PATH_MAX) return;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].taken.exchange(true)) continue;
        place_ = static_cast<int>(i);
        std::memcpy(places[i].path.data(), path.c_str(), path.size() + 1);
        places[i].complete.store(true, std::memory_order_release);
        return;
    }
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept : place_(std::exchange(other.place_, -1)) {}

UnfinishedFile& UnfinishedFile::operator=(UnfinishedFile&& other) noexcept
{
    std::swap(place_, other.place_);
    return *this;
}

UnfinishedFile::~UnfinishedFile()
{
    if (place_ < 0) return;
    Place& place = places.at(static_cast<std::size_t>(place_));
    place.complete.store(false);
    place.taken.store(false);
}

void remove_unfinished_files_on_signals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
        struct sigaction action
        {
        };
        if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = remove_and_end;
        ::sigfillset(&action.sa_mask);
        ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace wayfront
