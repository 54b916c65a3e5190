#include "comm/shared_memory.hpp"

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wayfront::comm {

namespace {

/// A file in memory. Other processes of the host open it as /proc/PROCESS/fd/DESCRIPTOR, with the numbers of
/// the process that made the file.
class MemoryFile
{
public:
    /// `process` and `descriptor` are the path to the file. `device` and `inode` identify the file: in another
    /// container, the same number may be that of another process.
    struct Place
    {
        std::int64_t process = 0;
        std::int64_t descriptor = -1;  // -1 if there is no file
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
    };

    /// Makes a file of `bytes` bytes. Makes none for 0 bytes, or if the limit of the size of files is smaller:
    /// exceeding this limit ends the program by a signal.
    explicit MemoryFile(std::size_t bytes)
    {
        struct rlimit limit = {};
        if (bytes == 0 || ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < bytes) return;
        descriptor_ = ::memfd_create("wayfront", MFD_CLOEXEC);
        if (descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) close();
    }
    /// Opens the file of another process.
    explicit MemoryFile(const Place& place)
    {
        if (place.descriptor < 0) return;
        const std::string name = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
        struct stat about = {};
        // The check comes before open(), because opening another file, such as a terminal, may have effects.
        if (::stat(name.c_str(), &about) != 0 || about.st_dev != place.device || about.st_ino != place.inode) return;
        descriptor_ = ::open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        const Place found = this->place();
        if (found.device != place.device || found.inode != place.inode) close();
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { close(); }

    [[nodiscard]] Place place() const
    {
        struct stat about = {};
        if (descriptor_ < 0 || ::fstat(descriptor_, &about) != 0) return {};
        return {::getpid(), descriptor_, about.st_dev, about.st_ino};
    }

    /// Empty if the file cannot be mapped.
    [[nodiscard]] std::span<std::byte> map(std::size_t bytes) const
    {
        if (descriptor_ < 0) return {};
        void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (memory == MAP_FAILED) return {};
        ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: a failure is harmless
        return {static_cast<std::byte*>(memory), bytes};
    }

private:
    void close()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

    int descriptor_ = -1;
};

/// Allocates the pages of this rank's part, close to its cores. If a page could not be allocated later, a
/// signal would end the program. Returns false if the allocation fails; true also if the system is too old to
/// allocate pages in advance.
bool touch(std::span<std::byte> bytes, const Communicator& ranks)
{
#ifdef MADV_POPULATE_WRITE
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t pages = (bytes.size() + page - 1) / page;
    const auto part = [&](int rank) {
        return pages * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks.size()) * page;
    };
    const std::size_t first = part(ranks.rank());
    const std::size_t last = part(ranks.rank() + 1);
    return ::madvise(bytes.data() + first, last - first, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
#else
    static_cast<void>(bytes);
    static_cast<void>(ranks);
    return true;
#endif
}

}  // namespace

SharedMemory SharedMemory::among(const Communicator& ranks, std::size_t bytes)
{
    const bool on_one_host = ranks.split_by_host().size() == ranks.size();
    if (!ranks.all(on_one_host && bytes > 0)) return {};
    using Place = MemoryFile::Place;
    const bool makes = ranks.rank() == 0;
    const MemoryFile made(makes ? bytes : 0);
    Place place = made.place();
    ranks.broadcast(std::span<Place>(&place, 1), 0);
    const MemoryFile opened(makes ? Place{} : place);
    SharedMemory memory;
    memory.bytes_ = (makes ? made : opened).map(bytes);
    if (!memory.empty() && !touch(memory.bytes_, ranks)) memory = SharedMemory();
    // Rank 0 keeps the file open until all ranks have opened it.
    if (!ranks.all(!memory.empty())) return {};
    return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept
{
    std::swap(bytes_, other.bytes_);
    return *this;
}

SharedMemory::~SharedMemory()
{
    if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace wayfront::comm
