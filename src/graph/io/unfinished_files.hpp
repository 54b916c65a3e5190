// The names of files that are being written, so that a signal that ends the program can remove them.
//
// A signal handler can call little and finds nothing but global variables, so the names are kept in
// a fixed table. A name that finds no free place, or is too long, is not removed by a signal.
#pragma once

#include <string>

namespace wayfront {

class UnfinishedFile
{
public:
    UnfinishedFile() = default;
    explicit UnfinishedFile(const std::string& path) noexcept;
    UnfinishedFile(UnfinishedFile&& other) noexcept;
    UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile();

private:
    int place_ = -1;
};

/// From now on SIGINT, SIGTERM, SIGHUP and SIGXCPU remove the unfinished files of this process
/// before they end it, as they would have ended it anyway. A signal that is ignored stays ignored.
void remove_unfinished_files_on_signals();

}  // namespace wayfront
