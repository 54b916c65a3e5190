#include "graph/io/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/error.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 16;
constexpr std::size_t kFilterBufferBytes = std::size_t{1} << 18;
// Unpacked bytes per packed byte; determines only the first size of the buffer.
constexpr std::size_t kExpectedRatio = 4;

[[noreturn]] void fail_reading(const std::string& path)
{
    const std::string message = path + ": cannot be read: " + std::strerror(errno);
    if (errno == ENOMEM || errno == EMFILE || errno == ENFILE) throw ResourceError(message);
    throw InputError(message);
}

/// Calls read(destination, most bytes), which returns the number of bytes read, until it returns 0.
/// The buffer grows by half its size each time. If before_memory is set, before_memory(bytes) is
/// called before each allocation, with the most bytes that are filled until the next one.
template <typename Read>
HostBuffer<char> read_all(std::size_t first_bytes, const std::function<void(std::size_t)>& before_memory, Read read)
{
    if (before_memory) before_memory(first_bytes);
    HostBuffer<char> buffer(std::max(first_bytes, kFirstBufferBytes));
    std::size_t used = 0;
    for (;;) {
        if (used == buffer.size()) {
            // While the text is copied, both buffers are in memory; later, only the larger one is.
            const std::size_t larger_bytes = buffer.size() + buffer.size() / 2;
            if (before_memory) before_memory(2 * buffer.size());
            HostBuffer<char> larger(larger_bytes);
            std::memcpy(larger.data(), buffer.data(), used);
            buffer = std::move(larger);
        }
        const std::size_t got = read(buffer.data() + used, buffer.size() - used);
        if (got == 0) break;
        used += got;
    }
    buffer.truncate(used);
    return buffer;
}

/// The packed bytes as a device of Boost.Iostreams, which reports how many of them were read.
class PackedSource
{
public:
    using char_type = char;
    using category = boost::iostreams::source_tag;

    PackedSource(std::string_view bytes, ProgressListener* progress) : bytes_(bytes), progress_(progress) {}

    std::streamsize read(char* to, std::streamsize most)
    {
        const std::size_t count = bytes_.copy(to, static_cast<std::size_t>(most));
        if (count == 0) return -1;  // the end
        bytes_.remove_prefix(count);
        if (progress_ != nullptr) progress_->advance(count);
        return static_cast<std::streamsize>(count);
    }

private:
    std::string_view bytes_;
    ProgressListener* progress_;
};

/// Throws if a frame is not complete. The filter of Boost.Iostreams takes the end of its input for
/// the end of a frame, and would not notice that a file was cut short.
void check_zstd_is_whole(std::string_view packed, const std::string& path)
{
    if (packed.empty()) throw InputError(path + ": the file is empty");
    while (!packed.empty()) {
        const std::size_t frame_bytes = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
        if (ZSTD_isError(frame_bytes) != 0)
            throw InputError(path + ": not a whole zstd file: it is cut short, damaged, or of another kind (" +
                             ZSTD_getErrorName(frame_bytes) + ")");
        packed.remove_prefix(frame_bytes);
    }
}

}  // namespace

InputFile::Descriptor::~Descriptor()
{
    if (number >= 0) ::close(number);
}

InputFile::InputFile(const std::string& path, const std::function<void(std::size_t)>& before_memory)
    : path_(path),
      file_{path == kStandardInput ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)}
{
    if (file_.number < 0) fail_reading(path);
    struct stat status
    {
    };
    if (::fstat(file_.number, &status) != 0) fail_reading(path);
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail_reading(path);
    }
    if (path == kStandardInput || !S_ISREG(status.st_mode)) {
        buffer_ = read_all(kFirstBufferBytes, before_memory, [&](char* to, std::size_t most) {
            ssize_t got = 0;
            while ((got = ::read(file_.number, to, most)) < 0)
                if (errno != EINTR) fail_reading(path);
            return static_cast<std::size_t>(got);
        });
        bytes_ = {buffer_.data(), buffer_.size()};
        return;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return;
    try {
        bytes_ = mapping_.emplace(file_.number, size).bytes();
    } catch (const std::system_error& error) {
        errno = error.code().value();
        fail_reading(path);
    }
}

void InputFile::require_whole() const
{
    if (!mapping_) return;
    struct stat status
    {
    };
    const bool shorter =
        ::fstat(file_.number, &status) == 0 && static_cast<std::size_t>(status.st_size) < bytes_.size();
    if (shorter || mapping_->cut_short()) throw InputError(path_ + ": was cut short while it was read");
}

HostBuffer<char> decompress(std::string_view packed, Compression compression, const std::string& path,
                            const std::function<void(std::size_t)>& before_memory, ProgressListener* progress)
{
    namespace io = boost::iostreams;
    if (packed.empty()) throw InputError(path + ": the file is empty");
    io::filtering_streambuf<io::input> chain;
    const char* kind = "";
    switch (compression) {
        case Compression::none:
            throw InputError(path + ": not a compressed file");
        case Compression::gzip:
            kind = "gzip";
            chain.push(io::gzip_decompressor(io::zlib::default_window_bits, kFilterBufferBytes), kFilterBufferBytes);
            break;
        case Compression::xz:
            kind = "xz";
            chain.push(io::lzma_decompressor(kFilterBufferBytes), kFilterBufferBytes);
            break;
        case Compression::zstd:
            kind = "zstd";
            check_zstd_is_whole(packed, path);
            chain.push(io::zstd_decompressor(kFilterBufferBytes), kFilterBufferBytes);
            break;
    }
    if (progress != nullptr) progress->begin("unpack", packed.size());
    chain.push(PackedSource(packed, progress), kFilterBufferBytes);
    try {
        return read_all(packed.size() * kExpectedRatio, before_memory, [&](char* to, std::size_t most) {
            const auto got = chain.sgetn(to, static_cast<std::streamsize>(std::min<std::size_t>(most, PTRDIFF_MAX)));
            return static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
        });
    } catch (const std::ios_base::failure&) {
        // The message of the filters is not printed: it names codes of zlib and lzma, not causes.
        throw InputError(path + ": not a whole " + kind + " file: it is cut short, damaged, or of another kind");
    }
}

}  // namespace wayfront
