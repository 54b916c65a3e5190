// The names of files that are being written, so that a signal that ends the program can remove them.
//
// A signal handler can call little and finds nothing but global variables, so the names are kept in
// a fixed table. A name that finds no free place, or is too long, is not removed by a signal.
//
// Any thread may handle a signal while another one writes, and launchers send a signal twice. So the
// handler waits until no thread creates a file, the first thread that handles a signal removes the
// files, and the others wait for it.
#pragma once

#include <csignal>
#include <string>

namespace wayfront {

/// A name in the table. The destructor takes it out.
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

/// While it lives, other threads of the process handle its signals, if there are any. A system call
/// that works on a disk does not let a signal interrupt it, and may take longer than a launcher
/// waits.
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

/// Holds the table: while it lives, no signal ends the program between the creation of a file and
/// add(). The constructor never returns once the files are being removed.
class UnfinishedFiles
{
public:
    UnfinishedFiles() noexcept;
    UnfinishedFiles(const UnfinishedFiles&) = delete;
    UnfinishedFiles& operator=(const UnfinishedFiles&) = delete;
    ~UnfinishedFiles();

    UnfinishedFile add(const std::string& path) noexcept;  // NOLINT(readability-convert-member-functions-to-static): needs the table

private:
    SignalsToOtherThreads signals_;  // the handler would wait for the table that its own thread holds
};

/// Returns at once, or never if the files are being removed: a file system may let a removal wait
/// until the file is no longer written.
void wait_if_ending() noexcept;

/// Removes the unfinished files of this process, which is about to end. After that no thread creates
/// another one. May be called by a signal handler.
void remove_unfinished_files() noexcept;

/// From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGPIPE remove the unfinished files of this
/// process before they end it, as they would have ended it anyway. A signal that is ignored stays
/// ignored.
void remove_unfinished_files_on_signals();

}  // namespace wayfront
