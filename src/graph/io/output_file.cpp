#include "graph/io/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr int kMostNames = 100;
constexpr std::size_t kMostAtOnceBytes = std::size_t{1} << 30;  // Linux writes at most 2 GiB a call

bool is_special(const std::string& path)
{
    struct stat status
    {
    };
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string folder_of(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

/// The file, its two names, and the packing filters. A filter may swallow what its sink throws, so a failure is kept (error_) and thrown again.
class OutputFile::Sink
{
public:
    Sink(std::string path, Compression compression) : path_(std::move(path)), special_(is_special(path_))
    {
        struct stat status
        {
        };
        if (::stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) fail(EISDIR);
        if (special_) {
            file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        } else {
            open_beside();
        }
        if (file_ < 0) fail(errno);
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
        if (error_ != 0) fail(error_);
    }

    void commit()
    {
        if (chain_) {
            chain_->reset();  // writes what the filters hold
            chain_.reset();
        }
        if (error_ != 0) fail(error_);
        if (!special_ && ::fsync(file_) != 0) fail(errno);
        if (::close(std::exchange(file_, -1)) != 0) fail(errno);
        if (special_) return;
        if (::rename(written_path_.c_str(), path_.c_str()) != 0) fail(errno);
        written_path_.clear();
        const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
        if (folder < 0) return;
        ::fsync(folder);  // makes the name last through a power failure; not all file systems can
        ::close(folder);
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

    /// Opens a file of a name that nobody has: another job may be writing the same file, from another host and with the same process number.
    void open_beside()
    {
        const std::string name = path_ + ".part-" + std::to_string(::getpid());
        for (int attempt = 0; attempt < kMostNames; ++attempt) {
            const std::string candidate = attempt == 0 ? name : name + '-' + std::to_string(attempt);
            file_ = ::open(candidate.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
            if (file_ >= 0) written_path_ = candidate;
            if (file_ >= 0 || errno != EEXIST) return;
        }
    }

    void make_chain(Compression compression)
    {
        namespace io = boost::iostreams;
        if (compression == Compression::none) return;
        chain_ = std::make_unique<io::filtering_streambuf<io::output>>();
        if (compression == Compression::gzip) {
            io::zlib_params gzip;
            gzip.window_bits = io::zlib::default_window_bits + 16;  // zlib's way to ask for a gzip header and trailer
            chain_->push(io::zlib_compressor(gzip, kBufferBytes), kBufferBytes);
        }
        if (compression == Compression::xz) chain_->push(io::lzma_compressor(io::lzma_params(), kBufferBytes), kBufferBytes);
        if (compression == Compression::zstd) chain_->push(io::zstd_compressor(io::zstd_params(), kBufferBytes), kBufferBytes);
        chain_->push(Device{this}, kBufferBytes);
    }

    /// Writes to the file; after the first failure, nothing.
    void put(std::string_view text) noexcept
    {
        while (!text.empty() && error_ == 0) {
            const ssize_t written = ::write(file_, text.data(), std::min(text.size(), kMostAtOnceBytes));
            if (written >= 0) {
                text.remove_prefix(static_cast<std::size_t>(written));
            } else if (errno != EINTR) {
                error_ = errno;
            }
        }
    }

    [[noreturn]] void fail(int error) { throw ResourceError(path_ + ": cannot be written: " + std::strerror(error)); }

    /// Gives up: nothing of the file remains.
    void drop() noexcept
    {
        if (error_ == 0) error_ = ECANCELED;  // what the filters still hold goes nowhere
        chain_.reset();
        if (file_ >= 0) ::close(std::exchange(file_, -1));
        if (!special_ && !written_path_.empty()) ::unlink(written_path_.c_str());
    }

    std::string path_;
    bool special_;
    std::string written_path_;  // the name until commit(); empty: nothing to remove
    int file_ = -1;
    int error_ = 0;  // errno of the first failure
    std::unique_ptr<boost::iostreams::filtering_streambuf<boost::iostreams::output>> chain_;
};

OutputFile::OutputFile(std::string path, Compression compression) : sink_(std::make_unique<Sink>(std::move(path), compression)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text)
{
    sink_->write(text);
}

void OutputFile::commit()
{
    sink_->commit();
}

}  // namespace wayfront
