#include "graph/io/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "graph/io/output_target.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr int kMostNames = 100;
constexpr mode_t kPermissions = 0777;
constexpr mode_t kDefaultMode = 0666;
constexpr std::size_t kMostAtOnceBytes = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call

}  // namespace

/// The file, its two names, and the packing filters. A filter may swallow an exception of its sink,
/// so a failure is stored in error_ and thrown again.
class OutputFile::Sink
{
public:
    Sink(std::string name, Compression compression) : name_(std::move(name)), target_(name_)
    {
        target_.require_permission(name_);
        open();
        if (file_ < 0) fail_writing(name_, errno);
        try {
            make_chain(compression);
        } catch (...) {
            drop();
            throw;
        }
    }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    ~Sink() { drop(); }

    void write(std::string_view text)
    {
        if (chain_) {
            while (!text.empty() && error_ == 0) {
                const std::size_t bytes = std::min(text.size(), kMostAtOnceBytes);
                chain_->sputn(text.data(), static_cast<std::streamsize>(bytes));
                text.remove_prefix(bytes);
            }
        } else {
            put(text);
        }
        if (error_ != 0) fail_writing(name_, error_);
    }

    void complete()
    {
        if (chain_) {
            chain_->reset();  // writes what the filters hold
            chain_.reset();
        }
        if (error_ != 0) fail_writing(name_, error_);
        if (file_ < 0) return;
        if (renamed() && sync() != 0) fail_writing(name_, errno);
        if (!nameless_) close_file();
    }

    void commit()
    {
        complete();
        if (!renamed()) return;
        if (nameless_) {
            if (give_name(file_) != 0) fail_writing(name_, errno);
            close_file();
        }
        if (::rename(written_path_.c_str(), target_.path.c_str()) != 0) fail_writing(name_, errno);
        forget_name();
        sync_folder_of(target_.path);
    }

    void remove_old()
    {
        if (!renamed()) return;
        if (::unlink(target_.path.c_str()) != 0 && errno != ENOENT) fail_writing(name_, errno);
        sync_folder_of(target_.path);
    }

private:
    /// The end of the chain of filters.
    struct Device
    {
        using char_type = char;
        using category = boost::iostreams::sink_tag;
        Sink* sink;

        std::streamsize write(const char* text, std::streamsize bytes) const
        {
            sink->put({text, static_cast<std::size_t>(bytes)});
            return bytes;
        }
    };

    [[nodiscard]] bool renamed() const { return target_.kind == OutputTarget::Kind::renamed; }

    void open()
    {
        if (target_.kind == OutputTarget::Kind::descriptor)
            file_ = ::fcntl(target_.descriptor, F_DUPFD_CLOEXEC, 0);
        else if (target_.kind == OutputTarget::Kind::in_place)
            file_ = ::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC);
        else
            open_beside();
    }

    void open_beside()
    {
        nameless_ = names_can_be_given();
        if (nameless_)
            file_ = open_nameless();
        else
            file_ = under_free_name(
                [this](const char* name) { return ::open(name, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, mode()); });
        if (file_ >= 0) take_over_mode();
    }

    [[nodiscard]] mode_t mode() const { return target_.old ? target_.old->st_mode & kPermissions : kDefaultMode; }

    /// Opens a file that has no name, of which nothing remains however the process ends. -1 if the
    /// file system has no such files.
    [[nodiscard]] int open_nameless() const
    {
        return ::open(folder_of(target_.path).c_str(), O_WRONLY | O_CLOEXEC | O_TMPFILE, mode());
    }

    int give_name(int file)
    {
        const std::string link = "/proc/self/fd/" + std::to_string(file);
        return under_free_name(
            [&](const char* name) { return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW); });
    }

    /// Whether a file without a name can be opened here, and be given one. Tries this with
    /// an empty file, since a failure in commit() would come too late.
    bool names_can_be_given()
    {
        const int trial = open_nameless();
        if (trial < 0) return false;
        const bool named = give_name(trial) == 0;
        ::close(trial);
        if (!named) return false;
        ::unlink(written_path_.c_str());
        forget_name();
        return true;
    }

    /// Calls make(name) with a name that is not taken: another job may be writing the same file,
    /// from another host and with the same process number. Returns what make returns; negative if
    /// make fails.
    template <typename Make>
    int under_free_name(const Make& make)
    {
        const std::string name = target_.path + ".part-" + std::to_string(::getpid());
        UnfinishedFiles unfinished_files;
        for (int attempt = 0; attempt < kMostNames; ++attempt) {
            std::string candidate = attempt == 0 ? name : name + '-' + std::to_string(attempt);
            const int made = make(candidate.c_str());
            if (made < 0 && errno == EEXIST) continue;
            if (made < 0) return made;
            unfinished_ = unfinished_files.add(candidate);
            written_path_ = std::move(candidate);  // without an allocation, which could fail
            return made;
        }
        return -1;
    }

    void forget_name()
    {
        written_path_.clear();
        unfinished_ = {};
    }

    void close_file()
    {
        if (::close(std::exchange(file_, -1)) != 0) fail_writing(name_, errno);
    }

    /// Gives the new file the owner, as far as that is allowed, and the mode of the old one.
    void take_over_mode() const
    {
        if (!target_.old) return;
        const struct stat& old = *target_.old;
        const bool same_owner = ::fchown(file_, old.st_uid, old.st_gid) == 0;
        constexpr mode_t with_special_bits = 07777;
        ::fchmod(file_, old.st_mode & (same_owner ? with_special_bits : kPermissions));
    }

    void make_chain(Compression compression)
    {
        namespace io = boost::iostreams;
        if (compression == Compression::none) return;
        chain_ = std::make_unique<io::filtering_streambuf<io::output>>();
        if (compression == Compression::gzip) {
            io::zlib_params gzip;
            // Zlib's way to ask for a gzip header and trailer.
            gzip.window_bits = io::zlib::default_window_bits + 16;
            chain_->push(io::zlib_compressor(gzip, kBufferBytes), kBufferBytes);
        }
        if (compression == Compression::xz)
            chain_->push(io::lzma_compressor(io::lzma_params(), kBufferBytes), kBufferBytes);
        if (compression == Compression::zstd)
            chain_->push(io::zstd_compressor(io::zstd_params(), kBufferBytes), kBufferBytes);
        chain_->push(Device{this}, kBufferBytes);
    }

    [[nodiscard]] int sync() const noexcept
    {
        const SignalsToOtherThreads during_this_call;
        return ::fsync(file_);
    }

    [[nodiscard]] ssize_t write_some(std::string_view text) const noexcept
    {
        std::optional<SignalsToOtherThreads> during_this_call;
        // A pipe may wait for its reader without end, which a signal must interrupt.
        if (renamed()) {
            wait_if_ending();
            during_this_call.emplace();
        }
        return ::write(file_, text.data(), text.size());
    }

    /// Writes to the file; after the first failure, nothing.
    void put(std::string_view text) noexcept
    {
        while (!text.empty() && error_ == 0) {
            const ssize_t written = write_some(text.substr(0, kMostAtOnceBytes));
            if (written >= 0) {
                text.remove_prefix(static_cast<std::size_t>(written));
            } else if (errno != EINTR) {
                error_ = errno;
            }
        }
    }

    /// Gives up: nothing of the file remains.
    void drop() noexcept
    {
        if (error_ == 0) error_ = ECANCELED;  // the filters then discard the bytes that they still hold
        chain_.reset();
        if (file_ >= 0) ::close(std::exchange(file_, -1));
        if (!written_path_.empty()) ::unlink(written_path_.c_str());
    }

    std::string name_;  // as given, for messages
    OutputTarget target_;
    bool nameless_ = false;     // the file has no name until commit()
    std::string written_path_;  // the name before it is renamed; empty: nothing to remove
    UnfinishedFile unfinished_;
    int file_ = -1;
    int error_ = 0;  // errno of the first failure
    std::unique_ptr<boost::iostreams::filtering_streambuf<boost::iostreams::output>> chain_;
};

OutputFile::OutputFile(std::string path, Compression compression)
    : sink_(std::make_unique<Sink>(std::move(path), compression))
{
}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text)
{
    sink_->write(text);
}

void OutputFile::complete()
{
    sink_->complete();
}

void OutputFile::commit()
{
    sink_->commit();
}

void OutputFile::remove_old()
{
    sink_->remove_old();
}

void OutputFile::require_space(const std::string& path, double bytes)
{
    const OutputTarget target(path);
    if (target.kind != OutputTarget::Kind::renamed) return;
    struct statvfs disk
    {
    };
    // Opening the file will say why.
    if (::statvfs(folder_of(target.path).c_str(), &disk) != 0 || disk.f_blocks == 0) return;
    const double free_bytes = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
    if (bytes <= free_bytes) return;
    throw ResourceError(path + ": cannot be written: at least " + bytes_in_words(bytes) + " are needed, and " +
                        bytes_in_words(free_bytes) + " are free on the disk: " + bytes_in_words(bytes - free_bytes) +
                        " too little");
}

void OutputFile::check(const std::string& path)
{
    const OutputTarget target(path);
    target.require_permission(path);
    if (target.kind == OutputTarget::Kind::renamed) OutputFile{path};
}

}  // namespace wayfront
