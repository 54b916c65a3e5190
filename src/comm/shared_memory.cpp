#include "comm/shared_memory.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wayfront::comm {

namespace {

/// A file in memory, which other processes of the host open by the number that it has in the
/// process of its maker.
class MemoryFile
{
public:
    /// What other processes need in order to open the file, and to know that it is the right one:
    /// in a container, the same number may be that of another process.
    struct Place
    {
        std::int64_t process = 0;
        std::int64_t descriptor = -1;  // -1 if there is no file
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
    };

    /// A new file of so many bytes; none for 0 bytes.
    explicit MemoryFile(std::size_t bytes) : descriptor_(bytes > 0 ? ::memfd_create("wayfront", MFD_CLOEXEC) : -1)
    {
        if (descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) close();
    }
    /// The file of another process.
    explicit MemoryFile(const Place& place)
    {
        if (place.descriptor < 0) return;
        const std::string name = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
        descriptor_ = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor_ < 0) return;
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

}  // namespace

SharedMemory SharedMemory::among(const Communicator& ranks, std::size_t bytes)
{
    const bool on_one_host = ranks.split_by_host().size() == ranks.size();
    if (!ranks.all(on_one_host && bytes > 0)) return {};
    using Place = MemoryFile::Place;
    const bool makes = ranks.rank() == 0;
    const MemoryFile made(makes ? bytes : 0);
    const Place place = ranks.all_gather(makes ? made.place() : Place{}).front();
    const MemoryFile opened(makes ? Place{} : place);
    SharedMemory memory;
    memory.bytes_ = (makes ? made : opened).map(bytes);
    // Until all have answered, the maker keeps the file, which the others open.
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
