#include "graph/io/unfinished_files.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <ctime>
#include <utility>

#include <unistd.h>

namespace wayfront {

namespace {

constexpr int kNoPlace = -1;
constexpr int kMostPauses = 2000;  // the most pauses of the handler, each a millisecond long

// The list that the handler reads. A name is empty if its place is free. Only ListLock and the
// handler change the flags; they are lock-free, as signal handlers need.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a handler can use globals only
std::array<std::array<char, PATH_MAX>, 16> names;
std::atomic_flag list_locked;
std::atomic_flag removing;
std::atomic_flag all_removed;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void pause_shortly()
{
    const timespec millisecond{0, 1'000'000};
    ::nanosleep(&millisecond, nullptr);
}

/// Removes the files of the list. A thread that has locked the list may be stuck in its file
/// system, so that after kMostPauses pauses the list is read without the lock.
void remove_all()
{
    for (int pauses = 0; list_locked.test_and_set(std::memory_order_acquire) && pauses < kMostPauses; ++pauses)
        pause_shortly();
    for (const auto& name : names)
        if (name.front() != '\0') ::unlink(name.data());
    all_removed.test_and_set();
}

void remove_and_end(int signal)
{
    remove_unfinished_files();
    std::signal(signal, SIG_DFL);
    ::raise(signal);  // takes effect when the handler returns
}

}  // namespace

SignalsToOtherThreads::SignalsToOtherThreads() noexcept
{
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old_mask_);
}

SignalsToOtherThreads::~SignalsToOtherThreads()
{
    ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

UnfinishedFiles::UnfinishedFiles() noexcept
{
    while (list_locked.test_and_set(std::memory_order_acquire)) pause_shortly();
}

UnfinishedFiles::~UnfinishedFiles()
{
    list_locked.clear(std::memory_order_release);
}

UnfinishedFile UnfinishedFiles::add(const std::string& path) noexcept
{
    UnfinishedFile file;
    auto* const free = std::ranges::find(names, '\0', [](const auto& name) { return name.front(); });
    if (path.size() >= PATH_MAX || free == names.end()) return file;
    std::ranges::copy(path, free->begin());
    (*free)[path.size()] = '\0';
    file.place_ = static_cast<int>(free - names.begin());
    return file;
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept : place_(std::exchange(other.place_, kNoPlace)) {}

UnfinishedFile& UnfinishedFile::operator=(UnfinishedFile&& other) noexcept
{
    std::swap(place_, other.place_);
    return *this;
}

UnfinishedFile::~UnfinishedFile()
{
    if (place_ == kNoPlace) return;
    const UnfinishedFiles list;
    names[static_cast<std::size_t>(place_)].front() = '\0';
}

void wait_if_ending() noexcept
{
    while (removing.test()) pause_shortly();
}

/// Launchers send a signal twice, and another thread may get the second one. It waits until the
/// first thread has removed the files.
void remove_unfinished_files() noexcept
{
    if (!removing.test_and_set())
        remove_all();
    else
        for (int pauses = 0; !all_removed.test() && pauses < kMostPauses; ++pauses) pause_shortly();
}

void remove_unfinished_files_on_signals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE}) {
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
