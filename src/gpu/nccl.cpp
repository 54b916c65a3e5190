#include "gpu/nccl.hpp"

#include "base/error.hpp"
#include "gpu/peers.hpp"
#include "gpu/runtime/stream.hpp"

#ifdef WAYFRONT_HAVE_NCCL

#include <chrono>
#include <exception>
#include <source_location>
#include <thread>
#include <utility>

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
    decltype(&ncclCommInitRankConfig) comm_init_rank_config;
    decltype(&ncclCommGetAsyncError) comm_get_async_error;
    decltype(&ncclCommFinalize) comm_finalize;
    decltype(&ncclCommDestroy) comm_destroy;
    decltype(&ncclCommAbort) comm_abort;
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
        find(comm_init_rank_config, "ncclCommInitRankConfig");
        find(comm_get_async_error, "ncclCommGetAsyncError");
        find(comm_finalize, "ncclCommFinalize");
        find(comm_destroy, "ncclCommDestroy");
        find(comm_abort, "ncclCommAbort");
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

constexpr std::chrono::minutes kMostToConnect{1};  // it takes seconds

/// What has become by now of a call that NCCL may go on with in a thread of its own, as it does with those that connect ranks.
ncclResult_t progress(ncclComm_t comm, ncclResult_t status)
{
    if (status != ncclInProgress) return status;
    const ncclResult_t asked = Library::get().comm_get_async_error(comm, &status);
    return asked == ncclSuccess ? status : asked;
}

/// What becomes of it in the end.
ncclResult_t outcome(ncclComm_t comm, ncclResult_t status)
{
    while ((status = progress(comm, status)) == ncclInProgress) std::this_thread::yield();
    return status;
}

std::string failure(const std::string& what)
{
    return "NCCL failed: " + what;
}

/// The one place where calls of NCCL are checked; names the caller.
void check(ncclResult_t status, std::source_location where = std::source_location::current())
{
    if (status == ncclSuccess) return;
    throw ResourceError(failure(Library::get().error_string(status)) + " (in " + where.function_name() + ", line " + std::to_string(where.line()) +
                        ")");
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
    /// Waits until all ranks are connected, which began with `status` here. Where one fails or takes too long, none is connected, and all throw the
    /// same ResourceError. Collective.
    void await_all(const comm::Communicator& ranks, ncclResult_t status);

    ncclComm_t comm = nullptr;
    int rank = 0;
    int exceptions = std::uncaught_exceptions();  // in flight when the object was made
};

void NcclRanks::State::await_all(const comm::Communicator& ranks, ncclResult_t status)
{
    enum : std::int64_t { connected, under_way, failed };  // the largest of any rank's is what holds for all
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        status = progress(comm, status);
        const bool late = std::chrono::steady_clock::now() - begin > kMostToConnect;
        const std::int64_t own = status == ncclSuccess ? connected : status == ncclInProgress && !late ? under_way : failed;
        const std::int64_t of_all = ranks.all_reduce(own, comm::Reduction::max);
        if (of_all == connected) return;
        if (of_all == failed) {
            std::string what;  // here
            if (own == failed) what = status == ncclInProgress ? "the ranks were not connected within a minute" : Library::get().error_string(status);
            const std::string first = first_of(ranks, what);
            if (comm != nullptr) Library::get().comm_abort(std::exchange(comm, nullptr));
            throw ResourceError(failure(first));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

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
    state_->rank = ranks.rank();
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;  // a rank that failed would leave the others waiting for it
    state_->await_all(ranks, nccl.comm_init_rank_config(&state_->comm, ranks.size(), first.id, ranks.rank(), &config));
}

NcclRanks::~NcclRanks()
{
    if (std::uncaught_exceptions() > state_->exceptions) return;
    const Library& nccl = Library::get();
    if (outcome(state_->comm, nccl.comm_finalize(state_->comm)) == ncclSuccess) nccl.comm_destroy(state_->comm);
}

void NcclRanks::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    const std::byte* const own = pieces + static_cast<std::size_t>(state_->rank) * piece_bytes;
    check(outcome(state_->comm, Library::get().all_gather(own, pieces, piece_bytes, ncclInt8, state_->comm, stream.get())));
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
    check(outcome(state_->comm, nccl.group_end()));
}

NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    if (ranks.size() == 1) return {};
    if (ranks_share_gpus(ranks)) return {nullptr, "several ranks share a GPU"};
    const std::string missing = first_of(ranks, error_of([] { (void)Library::get(); }));
    if (!missing.empty()) return {nullptr, missing};
    std::shared_ptr<NcclRanks> connected;
    std::string obstacle = error_of([&] { connected = std::make_shared<NcclRanks>(ranks); });  // the same on all ranks
    return {connected, std::move(obstacle)};
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
