#include "gpu/nccl.hpp"

#include "base/error.hpp"
#include "gpu/peers.hpp"
#include "gpu/runtime/stream.hpp"

#ifdef WAYFRONT_HAVE_NCCL

#include <exception>
#include <source_location>

#include <dlfcn.h>
#include <nccl.h>

namespace wayfront::gpu {

namespace {

/// NCCL's functions, as its header declares them.
class Library
{
public:
    /// Throws ResourceError where there is none.
    static const Library& get()
    {
        static const Library library;
        return library;
    }

    decltype(&ncclGetUniqueId) get_unique_id;
    decltype(&ncclCommInitRank) comm_init_rank;
    decltype(&ncclCommDestroy) comm_destroy;
    decltype(&ncclAllGather) all_gather;
    decltype(&ncclSend) send;
    decltype(&ncclRecv) receive;
    decltype(&ncclGroupStart) group_start;
    decltype(&ncclGroupEnd) group_end;
    decltype(&ncclGetErrorString) error_string;

private:
    Library() : handle_(::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL))
    {
        if (handle_ == nullptr) throw ResourceError("no NCCL: libnccl.so.2 was not found");
        find(get_unique_id, "ncclGetUniqueId");
        find(comm_init_rank, "ncclCommInitRank");
        find(comm_destroy, "ncclCommDestroy");
        find(all_gather, "ncclAllGather");
        find(send, "ncclSend");
        find(receive, "ncclRecv");
        find(group_start, "ncclGroupStart");
        find(group_end, "ncclGroupEnd");
        find(error_string, "ncclGetErrorString");
    }

    template <typename Function>
    void find(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(::dlsym(handle_, name));
        if (function == nullptr) throw ResourceError(std::string("NCCL is too old: it has no ") + name);
    }

    void* handle_;  // stays open: NCCL's threads may outlive any owner
};

/// The one place where calls of NCCL are checked; names the caller.
void check(ncclResult_t status, std::source_location where = std::source_location::current())
{
    if (status == ncclSuccess) return;
    throw ResourceError(std::string("NCCL failed: ") + Library::get().error_string(status) + " (in " + where.function_name() + ", line " +
                        std::to_string(where.line()) + ")");
}

/// The first rank's text that is not empty, on all ranks.
std::string first_of(const comm::Communicator& ranks, const std::string& own)
{
    const std::int64_t none = ranks.size();
    const std::int64_t first = ranks.all_reduce(own.empty() ? none : std::int64_t{ranks.rank()}, comm::Reduction::min);
    return first == none ? "" : ranks.broadcast(own, static_cast<int>(first));
}

template <typename F>
std::string error_of(F&& f)
{
    try {
        f();
    } catch (const comm::CommError&) {
        throw;  // no rank can be asked any more
    } catch (const ResourceError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

struct NcclRanks::State
{
    ncclComm_t comm = nullptr;
    int rank = 0;
    int exceptions = std::uncaught_exceptions();  // in flight when the object was made
};

NcclRanks::NcclRanks(const comm::Communicator& ranks) : state_(std::make_unique<State>())
{
    const Library& nccl = Library::get();
    struct
    {
        ncclUniqueId id;
        ncclResult_t status;
    } first{};
    if (ranks.rank() == 0) first.status = nccl.get_unique_id(&first.id);
    ranks.broadcast(std::span(&first, 1), 0);
    check(first.status);
    ranks.barrier();  // the broadcast has arrived everywhere before NCCL blocks
    state_->rank = ranks.rank();
    check(nccl.comm_init_rank(&state_->comm, ranks.size(), first.id, ranks.rank()));
}

NcclRanks::~NcclRanks()
{
    if (state_->comm != nullptr && std::uncaught_exceptions() <= state_->exceptions) Library::get().comm_destroy(state_->comm);
}

void NcclRanks::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    const std::byte* const own = pieces + static_cast<std::size_t>(state_->rank) * piece_bytes;
    check(Library::get().all_gather(own, pieces, piece_bytes, ncclInt8, state_->comm, stream.get()));
}

void NcclRanks::all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                             std::span<const std::int64_t> receive_bytes, const Stream& stream)
{
    const Library& nccl = Library::get();
    check(nccl.group_start());
    for (std::size_t peer = 0; peer < send_bytes.size(); ++peer) {
        const auto sent = static_cast<std::size_t>(send_bytes[peer]);
        const auto received = static_cast<std::size_t>(receive_bytes[peer]);
        if (sent > 0) check(nccl.send(send, sent, ncclInt8, static_cast<int>(peer), state_->comm, stream.get()));
        if (received > 0) check(nccl.receive(receive, received, ncclInt8, static_cast<int>(peer), state_->comm, stream.get()));
        send += sent;
        receive += received;
    }
    check(nccl.group_end());
}

NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    if (ranks.size() == 1) return {};
    if (ranks_share_gpus(ranks)) return {nullptr, "several ranks share a GPU"};
    const std::string missing = first_of(ranks, error_of([] { (void)Library::get(); }));
    if (!missing.empty()) return {nullptr, missing};
    std::shared_ptr<NcclRanks> connected;
    const std::string failure = first_of(ranks, error_of([&] { connected = std::make_shared<NcclRanks>(ranks); }));
    if (!failure.empty()) return {nullptr, failure};
    return {connected, ""};
}

}  // namespace wayfront::gpu

#else

namespace wayfront::gpu {

struct NcclRanks::State
{
};

namespace {
constexpr const char* kNoHeader = "this wayfront was built without NCCL";
}

NcclRanks::NcclRanks(const comm::Communicator& /*ranks*/)
{
    throw ResourceError(kNoHeader);
}

NcclRanks::~NcclRanks() = default;

void NcclRanks::all_gather(std::byte* /*pieces*/, std::size_t /*piece_bytes*/, const Stream& /*stream*/) {}

void NcclRanks::all_to_all_v(const std::byte* /*send*/, std::span<const std::int64_t> /*send_bytes*/, std::byte* /*receive*/,
                             std::span<const std::int64_t> /*receive_bytes*/, const Stream& /*stream*/)
{
}

NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    return {nullptr, ranks.size() == 1 ? "" : kNoHeader};
}

}  // namespace wayfront::gpu

#endif
