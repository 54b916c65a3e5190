#include "gpu/exchange/nccl.hpp"

#include "base/agreed.hpp"
#include "base/error.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

#ifdef WAYFRONT_HAVE_NCCL

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <source_location>
#include <thread>

#include <dlfcn.h>
#include <nccl.h>

namespace wayfront::gpu {

namespace {

/// NCCL's functions, which are looked up in the library at run time.
class Library
{
public:
    /// Throws ResourceError if the library is missing.
    static const Library& get()
    {
        static const Library library;
        return library;
    }

    decltype(&ncclGetUniqueId) get_unique_id;
    decltype(&ncclCommInitRankConfig) comm_init_rank_config;
    decltype(&ncclCommGetAsyncError) comm_get_async_error;
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
        if (handle_ == nullptr) throw ResourceError(std::string("no NCCL: ") + ::dlerror());
        find(get_unique_id, "ncclGetUniqueId");
        find(comm_init_rank_config, "ncclCommInitRankConfig");
        find(comm_get_async_error, "ncclCommGetAsyncError");
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

    void* handle_;  // never closed, because NCCL's threads may outlive any owner
};

// Time limit of a step of a trial. A step normally takes seconds.
constexpr std::chrono::minutes kLongestStep{1};

// The sizes of a trial's messages. A piece is as long as a rank's part of the bitmap of a graph
// that is large enough for GPUs. With many ranks, the total is limited.
constexpr std::size_t kLongestPiece = std::size_t{1} << 20;
constexpr std::size_t kMostTrialBytes = std::size_t{64} << 20;

/// The current status of a call that NCCL may continue in another thread.
ncclResult_t progress(ncclComm_t comm, ncclResult_t status)
{
    if (status != ncclInProgress) return status;
    const ncclResult_t asked = Library::get().comm_get_async_error(comm, &status);
    return asked == ncclSuccess ? status : asked;
}

std::string failure(const std::string& what)
{
    return "NCCL failed: " + what;
}

/// Checks the result of a call of NCCL. All calls of NCCL pass through this function. The message
/// names the caller.
void check(ncclResult_t status, std::source_location where = std::source_location::current())
{
    if (status == ncclSuccess) return;
    throw ResourceError(failure(Library::get().error_string(status)) + " (in " + where.function_name() + ", line " +
                        std::to_string(where.line()) + ")");
}

/// The first text of any rank that is not empty, on all ranks.
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
        throw;  // the ranks cannot communicate any more
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
    // Number of exceptions in flight when the object was constructed.
    int exceptions = std::uncaught_exceptions();
};

namespace {

ncclUniqueId new_id(const comm::Communicator& ranks)
{
    struct
    {
        ncclUniqueId id;
        ncclResult_t status;
    } first{};
    if (ranks.rank() == 0) first.status = Library::get().get_unique_id(&first.id);
    ranks.broadcast(std::span(&first, 1), 0);
    check(first.status);
    return first.id;
}

/// Waits for a step of a trial on all ranks: calls `status_now` until the step has succeeded on all
/// ranks, failed on one, or exceeded the time limit. In the last two cases all ranks throw the same
/// ResourceError. Collective.
template <typename F>
void wait_together(const comm::Communicator& ranks, const std::string& step, F&& status_now)
{
    // The largest value of any rank is valid for all ranks.
    enum : std::int64_t { done, in_progress, failed };
    for (const auto begin = std::chrono::steady_clock::now();;) {
        const ncclResult_t status = status_now();
        const bool timed_out = std::chrono::steady_clock::now() - begin > kLongestStep;
        const std::int64_t own_state = status == ncclSuccess                    ? done
                                       : status == ncclInProgress && !timed_out ? in_progress
                                                                                : failed;
        const std::int64_t most_of_all = ranks.all_reduce(own_state, comm::Reduction::max);
        if (most_of_all == done) return;
        if (most_of_all == failed) {
            std::string what;  // error of this rank
            if (own_state == failed)
                what =
                    status == ncclInProgress ? step + " took more than a minute" : Library::get().error_string(status);
            throw OnAllRanks<ResourceError>(failure(first_of(ranks, what)));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// A trial connection, which the destructor aborts.
class Trial
{
public:
    explicit Trial(const comm::Communicator& ranks) : ranks_(ranks) {}
    Trial(const Trial&) = delete;  // owns NCCL's communicator
    Trial& operator=(const Trial&) = delete;
    ~Trial()
    {
        if (comm_ != nullptr) Library::get().comm_abort(comm_);
        cudaGetLastError();  // clears an error of NCCL, which the next launch would otherwise report
    }

    /// Connects the ranks and sends the kinds of messages that searches send, an all-gather of
    /// large pieces and an all-to-all, because NCCL sets up its transports at their first use.
    /// Throws the same ResourceError on all ranks. Collective.
    void run()
    {
        const Library& nccl = Library::get();
        allocate();
        const ncclUniqueId id = new_id(ranks_);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        step("to connect the ranks", nccl.comm_init_rank_config(&comm_, ranks_.size(), id, ranks_.rank(), &config));
        step("an all-gather", nccl.all_gather(pieces_.data() + piece_ * rank(), pieces_.data(), piece_, ncclInt8, comm_,
                                              stream_->get()));
        step("an all-to-all", all_to_all());
        wait_together(ranks_, "messages between GPUs", [this] {
            if (const ncclResult_t status = progress(comm_, ncclInProgress); status != ncclSuccess) return status;
            bool done = false;
            if (!error_of([&] { done = stream_->done(); }).empty()) return ncclUnhandledCudaError;
            return done ? ncclSuccess : ncclInProgress;
        });
    }

private:
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }

    void allocate()
    {
        const auto count = static_cast<std::size_t>(ranks_.size());
        piece_ = std::max<std::size_t>(1, std::min(kLongestPiece, kMostTrialBytes / count));
        const auto allocate_all = [&] {
            stream_.emplace();
            pieces_ = DeviceBuffer<std::byte>(count * piece_);
            received_ = DeviceBuffer<std::byte>(count);
            fill_bytes_async(pieces_.span(), 0, *stream_);
        };
        const std::string failed = first_of(ranks_, error_of(allocate_all));
        if (!failed.empty()) throw OnAllRanks<ResourceError>(failed);
    }

    void step(const std::string& name, ncclResult_t status)
    {
        wait_together(ranks_, name, [this, status]() mutable { return status = progress(comm_, status); });
    }

    /// Sends a byte from each rank to each rank.
    ncclResult_t all_to_all()
    {
        const Library& nccl = Library::get();
        ncclResult_t status = nccl.group_start();
        for (int peer = 0; peer < ranks_.size() && status == ncclSuccess; ++peer) {
            status = nccl.send(pieces_.data() + peer, 1, ncclInt8, peer, comm_, stream_->get());
            if (status == ncclSuccess || status == ncclInProgress)
                status = nccl.receive(received_.data() + peer, 1, ncclInt8, peer, comm_, stream_->get());
            // The operation is complete only when the group ends.
            if (status == ncclInProgress) status = ncclSuccess;
        }
        const ncclResult_t ended = nccl.group_end();
        return status == ncclSuccess ? ended : status;
    }

    const comm::Communicator& ranks_;
    // Destroyed after the connection, as the memory is, because a message may be stuck.
    std::optional<Stream> stream_;
    std::size_t piece_ = 0;  // bytes of each rank's piece
    DeviceBuffer<std::byte> pieces_;
    DeviceBuffer<std::byte> received_;
    ncclComm_t comm_ = nullptr;
};

}  // namespace

// The final connection is blocking, because each call of a nonblocking one takes 0.1 ms longer. If
// one rank failed while it connected, the other ranks would wait for ever, so a trial comes first.
NcclRanks::NcclRanks(const comm::Communicator& ranks) : state_(std::make_unique<State>())
{
    Trial(ranks).run();
    const ncclUniqueId id = new_id(ranks);
    ranks.barrier();  // all ranks have received the id before NCCL blocks
    state_->rank = ranks.rank();
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    check(Library::get().comm_init_rank_config(&state_->comm, ranks.size(), id, ranks.rank(), &config));
}

NcclRanks::~NcclRanks()
{
    if (std::uncaught_exceptions() > state_->exceptions) return;
    Library::get().comm_destroy(state_->comm);
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
        if (received > 0)
            check(nccl.receive(receive, received, ncclInt8, static_cast<int>(peer), state_->comm, stream.get()));
        send += sent;
        receive += received;
    }
    check(nccl.group_end());
}

void NcclRanks::exchange(std::span<const NcclMessage> messages, const Stream& stream)
{
    const Library& nccl = Library::get();
    check(nccl.group_start());
    for (const NcclMessage& message : messages) {
        if (message.bytes == 0) continue;
        if (message.kind == NcclMessage::Kind::sent)
            check(nccl.send(message.memory, message.bytes, ncclInt8, message.peer, state_->comm, stream.get()));
        else
            check(nccl.receive(message.memory, message.bytes, ncclInt8, message.peer, state_->comm, stream.get()));
    }
    check(nccl.group_end());
}

namespace {

/// Sets NCCL's environment variables for messages between hosts, unless the user has set them. By
/// default, one thread sends and receives over sockets in turn. More than two threads, or several
/// sockets per thread, are no faster (bench/results/gpu-two-hosts-socket-threads.json).
void set_defaults_between_hosts()
{
    constexpr int keep = 0;
    ::setenv("NCCL_SOCKET_NTHREADS", "2", keep);
}

}  // namespace

NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    if (ranks.size() == 1) return {};
    if (ranks_share_gpus(ranks)) return {nullptr, "several ranks share a GPU"};
    if (ranks.split_by_host().size() < ranks.size()) set_defaults_between_hosts();
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

void NcclRanks::all_to_all_v(const std::byte* /*send*/, std::span<const std::int64_t> /*send_bytes*/,
                             std::byte* /*receive*/, std::span<const std::int64_t> /*receive_bytes*/,
                             const Stream& /*stream*/)
{
}

void NcclRanks::exchange(std::span<const NcclMessage> /*messages*/, const Stream& /*stream*/) {}

NcclConnection connect_nccl(const comm::Communicator& ranks)
{
    return {nullptr, ranks.size() == 1 ? "" : kNoHeader};
}

}  // namespace wayfront::gpu

#endif
