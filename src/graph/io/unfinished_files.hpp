// The names of files that are being written, so that a signal that ends the program can remove
// them.
//
// A signal handler may call few functions and can use only global variables. The names are
// therefore kept in a fixed table. If the table is full, or if a name is too long, a signal does
// not remove the file.
//
// Any thread may handle a signal while another one writes, and launchers send a signal twice. So
// the handler waits until no thread creates a file, the first thread that handles a signal removes
// the files, and the others wait for it.
#pragma once

#include <csignal>
#include <string>

namespace wayfront {

/// A name in the table. The destructor removes the name from the table.
class UnfinishedFile
{
public:
    UnfinishedFile() = default;
    UnfinishedFile(UnfinishedFile&& other) noexcept;
    UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile();

private:
    friend class UnfinishedFiles;
    int place_ = -1;
};

/// While the object exists, other threads of the process, if there are any, handle its signals. A
/// system call that works on a disk cannot be interrupted by a signal, and may take longer than a
/// launcher waits.
class SignalsToOtherThreads
{
public:
    SignalsToOtherThreads() noexcept;
    SignalsToOtherThreads(const SignalsToOtherThreads&) = delete;
    SignalsToOtherThreads& operator=(const SignalsToOtherThreads&) = delete;
    ~SignalsToOtherThreads();

private:
    sigset_t old_mask_{};
};

/// Locks the table: while the object exists, no signal ends the program between the creation of a
/// file and add(). The constructor never returns after the removal of the files has begun.
class UnfinishedFiles
{
public:
    UnfinishedFiles() noexcept;
    UnfinishedFiles(const UnfinishedFiles&) = delete;
    UnfinishedFiles& operator=(const UnfinishedFiles&) = delete;
    ~UnfinishedFiles();

    UnfinishedFile add(
        const std::string& path) noexcept;  // NOLINT(readability-convert-member-functions-to-static): needs the table

private:
    // Otherwise the handler would wait for the table that its own thread has locked.
    SignalsToOtherThreads signals_;
};

/// Returns at once, or never if the files are being removed: on some file systems the removal waits
/// until the file is no longer written.
void wait_if_ending() noexcept;

/// Removes the unfinished files of this process, which is about to end. After that no thread
/// creates another one. May be called by a signal handler.
void remove_unfinished_files() noexcept;

/// From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGPIPE remove the unfinished files of this
/// process before they end it, as they would have ended it anyway. A signal that is ignored stays
/// ignored.
void remove_unfinished_files_on_signals();

}  // namespace wayfront
