#include "session/output/tile_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include <boost/crc.hpp>
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/io/output_target.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::session {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr mode_t kDefaultMode = 0666;

struct TileHeader
{
    std::uint64_t steps;
    std::uint32_t checksum;
    std::uint32_t zero;
};

class Descriptor
{
public:
    Descriptor(const std::string& path, int flags) : file_(::open(path.c_str(), flags | O_CLOEXEC, kDefaultMode)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (file_ >= 0) ::close(file_);
    }

    [[nodiscard]] int get() const { return file_; }

private:
    int file_;
};

/// Calls `transfer`, ::pread or ::pwrite, until all bytes have been transferred. Returns 0, or a
/// value of errno.
template <typename Byte, typename Transfer>
int transfer_all(int file, std::span<Byte> bytes, std::uint64_t position, int error_at_end, Transfer transfer)
{
    while (!bytes.empty()) {
        const ssize_t done = transfer(file, bytes.data(), bytes.size(), static_cast<off_t>(position));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : error_at_end;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        position += static_cast<std::uint64_t>(done);
    }
    return 0;
}

std::size_t block_bytes_of(const algo::TileEngine& engine)
{
    const algo::TileBytes bytes = engine.tile_bytes();
    return sizeof(TileHeader) + bytes.distances + bytes.parents;
}

algo::Panel panel_in(std::byte* block, const algo::TileBytes& bytes)
{
    std::byte* const content = block + sizeof(TileHeader);
    return {{content, bytes.distances}, {content + bytes.distances, bytes.parents}};
}

}  // namespace

TileFile::TileFile(std::string path, algo::TileEngine& engine, const std::string& job)
    : path_(std::move(path)), engine_(engine), block_bytes_(block_bytes_of(engine))
{
    boost::crc_32_type checksum;
    checksum.process_bytes(job.data(), job.size());
    job_checksum_ = checksum.checksum();
}

std::uint64_t TileFile::position(std::size_t row, std::size_t column) const
{
    return (static_cast<std::uint64_t>(row) * engine_.tiles().tiles + column) * block_bytes_;
}

std::uint64_t TileFile::bytes(const algo::TileEngine& engine)
{
    return static_cast<std::uint64_t>(engine.tiles().tiles) * engine.tiles().tiles * block_bytes_of(engine);
}

std::uint32_t TileFile::checksum(std::size_t row, std::size_t column, std::size_t steps, const std::byte* content) const
{
    const std::array<std::uint64_t, 4> head{job_checksum_, row, column, steps};
    boost::crc_32_type checksum;
    checksum.process_bytes(head.data(), sizeof head);
    checksum.process_bytes(content, block_bytes_ - sizeof(TileHeader));
    return checksum.checksum();
}

template <typename F>
bool TileFile::for_each_tile(F&& f) const
{
    const algo::BlockCyclic& tiles = engine_.tiles();
    const std::size_t columns = tiles.local_columns();
    const std::size_t count = tiles.local_rows() * columns;
    constexpr std::size_t most_bytes = std::size_t{256} << 20;  // the most bytes of all threads together
    const std::size_t threads =
        std::clamp<std::size_t>(most_bytes / block_bytes_, 1, static_cast<std::size_t>(thread_count()));
    HostBuffer<std::byte> blocks(block_bytes_ * threads);
    std::atomic<bool> good = true;
    const auto visit = [&](std::size_t i) {
        if (!good) return;
        const std::size_t row =
            i / columns * static_cast<std::size_t>(tiles.shape.rows) + static_cast<std::size_t>(tiles.grid_row);
        const std::size_t column =
            i % columns * static_cast<std::size_t>(tiles.shape.columns) + static_cast<std::size_t>(tiles.grid_column);
        try {
            if (!f(row, column, blocks.data() + block_bytes_ * static_cast<std::size_t>(omp_get_thread_num())))
                good = false;
        } catch (...) {
            good = false;
            throw;
        }
    };
    parallel_items(count, visit, 1, static_cast<int>(threads));
    return good;
}

void TileFile::create() const
{
    const Descriptor file(path_, O_RDWR | O_CREAT);
    if (file.get() < 0) fail_writing(path_, errno);
    const auto size = static_cast<off_t>(bytes(engine_));
    // Reserves the disk space, if the file system can; otherwise a full disk is found later.
    if (size > 0 && ::fallocate(file.get(), 0, 0, size) != 0 && errno == ENOSPC) fail_writing(path_, errno);
    if (::ftruncate(file.get(), size) != 0) fail_writing(path_, errno);
}

void TileFile::write(std::size_t steps) const
{
    const Descriptor file(path_, O_RDWR);
    if (file.get() < 0) fail_writing(path_, errno);
    std::atomic<int> error = 0;
    const bool good = for_each_tile([&](std::size_t row, std::size_t column, std::byte* block) {
        engine_.save_tile(row, column, panel_in(block, engine_.tile_bytes()));
        const TileHeader header{steps, checksum(row, column, steps, block + sizeof(TileHeader)), 0};
        std::memcpy(block, &header, sizeof header);
        const std::span<const std::byte> content(block, block_bytes_);
        const int failure = transfer_all(file.get(), content, position(row, column), ENOSPC, ::pwrite);
        if (failure != 0) error = failure;
        return failure == 0;
    });
    if (!good) fail_writing(path_, error);
    const SignalsToOtherThreads during_this_call;
    if (::fsync(file.get()) != 0) fail_writing(path_, errno);
}

bool TileFile::read(std::size_t steps) const
{
    const Descriptor file(path_, O_RDONLY);
    if (file.get() < 0) return false;
    return for_each_tile([&](std::size_t row, std::size_t column, std::byte* block) {
        if (transfer_all(file.get(), std::span(block, block_bytes_), position(row, column), EIO, ::pread) != 0)
            return false;
        TileHeader header{};
        std::memcpy(&header, block, sizeof header);
        if (header.steps != steps || header.zero != 0 ||
            header.checksum != checksum(row, column, steps, block + sizeof(TileHeader)))
            return false;
        engine_.restore_tile(row, column, panel_in(block, engine_.tile_bytes()));
        return true;
    });
}

}  // namespace wayfront::session
