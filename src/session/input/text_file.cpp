#include "session/input/text_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "graph/io/contents.hpp"
#include "graph/io/input_file.hpp"

namespace wayfront::session {

namespace {

[[noreturn]] void fail_reading(const std::string& what)
{
    throw InputError(
        fmt::format("{}: {}", what, errno == EISDIR ? "is a directory, not a text file" : std::strerror(errno)));
}

std::string read_all(const std::string& path, const std::string& what)
{
    struct Close
    {
        void operator()(const int* descriptor) const { ::close(*descriptor); }
    };
    const int descriptor =
        path == kStandardInput ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail_reading(what);
    const std::unique_ptr<const int, Close> closed_at_the_end(&descriptor);

    constexpr std::size_t piece_bytes = std::size_t{1} << 16;
    auto piece = std::make_unique<std::array<char, piece_bytes>>();
    std::string text;
    for (;;) {
        const ssize_t got = ::read(descriptor, piece->data(), piece->size());
        if (got > 0) text.append(piece->data(), static_cast<std::size_t>(got));
        if (got == 0) return text;
        if (got < 0 && errno != EINTR) fail_reading(what);
    }
}

}  // namespace

std::string read_text_file(const comm::Communicator& world, const std::string& path, const std::string& what)
{
    return run_on_first(world, [&] {
        const std::string bytes = read_all(path, what);
        std::string other = io::foreign_contents(bytes);
        if (io::compression_of_contents(bytes) != Compression::none) other = "compressed data; unpack it first";
        if (!other.empty()) throw InputError(fmt::format("{}: expected a text, found {}", what, other));
        return std::string(io::without_byte_order_mark(bytes));
    });
}

std::string read_whole_file(const comm::Communicator& world, const std::string& path, const std::string& what)
{
    return run_on_first(world, [&] { return read_all(path, what); });
}

}  // namespace wayfront::session
