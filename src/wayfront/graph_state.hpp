// Parts that the classes of the library share: ranks, a graph's edges, and errors as wayfront.hpp
// documents them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

#include "base/agreed.hpp"
#include "base/failure.hpp"
#include "comm/communicator.hpp"
#include "graph/all_vertices.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "job/job.hpp"
#include "job/peer_watch.hpp"
#include "plan/engine_request.hpp"
#include "session/input/graph_input.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {

/// Restores the calling thread's number of OpenMP threads when it is destroyed.
class ThreadsRestored
{
public:
    ThreadsRestored() = default;
    explicit ThreadsRestored(int threads) { omp_set_num_threads(threads); }
    ThreadsRestored(const ThreadsRestored&) = delete;  // restores once
    ThreadsRestored& operator=(const ThreadsRestored&) = delete;
    ~ThreadsRestored() { omp_set_num_threads(before_); }

private:
    int before_ = omp_get_max_threads();
};

/// Throws InputError unless `value` is one of an enumeration whose last value is `last`.
template <typename Enum>
void require_enumerator(const char* name, Enum value, Enum last)
{
    const auto number = static_cast<std::int64_t>(value);
    if (number < 0 || number > static_cast<std::int64_t>(last))
        throw InputError(std::string(name) + ": expected a value of the enumeration, found " + std::to_string(number));
}

/// Throws InputError if there is no such grid.
void require_grid(const std::optional<Grid>& grid);

/// The state of an object. Throws InputError if another object was made or assigned from it by
/// std::move.
template <typename Pointer>
[[nodiscard]] auto& held(const Pointer& state, const char* type)
{
    if (state == nullptr) throw InputError(std::string("a ") + type + " is used whose contents were moved to another one");
    return *state;
}

/// Throws the exception that the header documents for this code.
[[noreturn]] void throw_documented(ExitCode code, const std::string& message);

/// Returns f(). Exceptions become those that the header documents.
template <typename F>
auto with_documented_errors(const comm::Communicator& world, F&& f)
{
    try {
        return std::forward<F>(f)();
    } catch (...) {
        const Failure failure = describe_current_exception();
        if (world.size() > 1 && !failure.agreed) throw RankFailure(failure.code, failure.message);
        throw_documented(failure.code, failure.message);
    }
}

/// Whether an object can search (again): an error in the middle of a search leaves what the search
/// works on in a state that the next one must not start from.
class Usable
{
public:
    /// Returns search(). Throws InputError if an earlier one failed, unless all ranks threw its
    /// error together at its end.
    template <typename Search>
    auto run(const char* type, Search&& search)
    {
        if (failed_) throw InputError(std::string("a ") + type + " is used whose last search failed; construct another one");
        failed_ = true;
        try {
            auto result = std::forward<Search>(search)();
            failed_ = false;
            return result;
        } catch (const Agreed&) {
            failed_ = false;
            throw;
        }
    }

private:
    bool failed_ = false;
};

/// The ranks over which a graph is distributed. A graph and its searches share this object.
struct Ranks
{
    Ranks(comm::Communicator ranks, const LoadOptions& options);
    /// Ends the watch on all ranks before one of them may end.
    ~Ranks();
    Ranks(const Ranks&) = delete;  // parts refer to each other
    Ranks& operator=(const Ranks&) = delete;

    comm::Communicator world;
    job::Job job;
    std::optional<job::PeerWatch> watch;
};

/// Checks the options, too. Collective.
[[nodiscard]] std::shared_ptr<const Ranks> make_ranks(const LoadOptions& options);

struct Graph::State
{
    std::shared_ptr<const Ranks> ranks;
    session::LoadedGraph input;

    [[nodiscard]] Partition partition() const { return {input.list.vertex_count, ranks->world.size(), 1}; }
};

/// The input without its edges.
[[nodiscard]] session::LoadedGraph facts_of(const session::LoadedGraph& input);

/// The rank's share of a graph's edges, until they are released. Weights of a graph without weights
/// are 1.
class ReleasableFeed final : public EdgeFeed
{
public:
    /// `type`: that of the weights; none if they are not wanted.
    explicit ReleasableFeed(std::shared_ptr<const EdgeList> list, WeightType type = WeightType::none)
        : vertex_count_(list->vertex_count), directed_(list->directed), type_(type), list_(std::move(list))
    {
    }

    void release() { list_ = nullptr; }

    [[nodiscard]] Vertex vertex_count() const override { return vertex_count_; }
    [[nodiscard]] bool directed() const override { return directed_; }
    [[nodiscard]] EdgeCount size() const override { return list_ ? static_cast<EdgeCount>(list_->edges.size()) : 0; }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const override
    {
        return list().chunk(first, count, scratch);
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override
    {
        if (list_ && !list_->weighted())
            std::ranges::fill(out, to_ordered(std::uint32_t{1}));
        else
            list().weights(first, out);
    }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { list().weights(first, out); }

private:
    [[nodiscard]] ListFeed list() const
    {
        if (!list_) throw std::logic_error("edges that were released are read");
        return ListFeed(*list_, type_);
    }

    Vertex vertex_count_;
    bool directed_;
    WeightType type_;
    std::shared_ptr<const EdgeList> list_;
};

/// The values of the vertices of all ranks, in their order.
template <typename T>
std::vector<T> gathered(const comm::Communicator& world, const Partition& partition, const std::vector<T>& own)
{
    if (world.size() == 1) return own;
    std::vector<T> all(static_cast<std::size_t>(partition.vertex_count()));
    gather_vertices(world, partition, std::span<const T>(own), std::span<T>(all));
    return all;
}

}  // namespace wayfront
