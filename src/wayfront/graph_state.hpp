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

#include "algo/pairs.hpp"
#include "base/agreed.hpp"
#include "base/failure.hpp"
#include "comm/communicator.hpp"
#include "graph/all_vertices.hpp"
#include "graph/array_edges.hpp"
#include "graph/edge_feed.hpp"
#include "graph/partition.hpp"
#include "job/job.hpp"
#include "job/peer_watch.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/result_file.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "wayfront/call_listener.hpp"
#include "wayfront/edges_on_gpu.hpp"
#include "wayfront/graph.hpp"
#include "wayfront/search.hpp"

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
    if (state == nullptr)
        throw InputError(std::string("a ") + type + " is used whose contents were moved to another one");
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
        if (failed_)
            throw InputError(std::string("a ") + type + " is used whose last search failed; construct another one");
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
    std::shared_ptr<CallListener> listener;  // the listener of the job
    job::Job job;
    std::optional<job::PeerWatch> watch;
};

/// Checks the options, too. Collective.
[[nodiscard]] std::shared_ptr<const Ranks> make_ranks(const LoadOptions& options);

class ReleasableFeed;

struct Graph::State
{
    std::shared_ptr<const Ranks> ranks;
    session::LoadedGraph input;
    std::optional<ArrayEdges> arrays{};          // the edges, instead of those of input.list
    bool double_precision = false;               // whether weights of type float in `arrays` are of type double
    std::unique_ptr<const EdgesOnGpu> on_gpu{};  // the edges, instead of both

    /// The weights of the edges. Pre: `on_gpu` is null.
    [[nodiscard]] WeightSpans weights() const { return arrays ? arrays->weights : spans_of(input.list.weights); }
    /// Whether the weights are floating-point numbers.
    [[nodiscard]] bool has_float_weights() const;
    /// The type with which shortest paths read the weights; none if there are none. Collective.
    [[nodiscard]] WeightType weight_type() const;
    /// Gives a graph that is to be prepared the facts and the edges of `graph`, until they are released. `weighted`:
    /// with the weights of shortest paths, which are 1 if the graph has none. Collective.
    static ReleasableFeed& lend_edges(std::shared_ptr<const State> graph, bool weighted,
                                      session::PreparedGraph& prepared);
    /// A view of the edges, which the state outlives.
    [[nodiscard]] std::unique_ptr<EdgeFeed> feed(WeightType type) const;
    [[nodiscard]] EdgeList copied_edges() const;

    [[nodiscard]] Partition partition() const { return {input.list.vertex_count, ranks->world.size(), 1}; }
};

// The following functions return results of the last search of a Bfs or a ShortestPaths.

/// Throws InputError if `sources` is empty: then there is no result.
void require_result(const Ranks& ranks, std::span<const Vertex> sources);
/// The vertices of the path from the search's source to `target`, with the input's numbers; empty if there is no path.
/// Throws InputError. Collective.
[[nodiscard]] std::vector<Vertex> path_in_tree(const Ranks& ranks, const session::PreparedGraph& prepared,
                                               const VertexArray& parents, Vertex target);
/// Throws an AgreedError. Collective.
void write_tree(const Ranks& ranks, const session::PreparedGraph& prepared, const std::string& path,
                const session::SearchResult& result);

/// The sources of a search from several as numbers of the edge list, ascending and distinct. Throws
/// InputError if there is none, or if the graph does not have one.
[[nodiscard]] std::vector<Vertex> list_numbers(const session::LoadedGraph& input, std::span<const Vertex> sources);
/// Vertices of a search's result with the input's numbers. Pre: `numbers` has as many elements.
void input_numbers(const session::LoadedGraph& input, const VertexArray& vertices, std::span<Vertex> numbers);

/// The rank's share of a graph as Graph::load() reads it; the options of its ranks do not matter. Throws an
/// AgreedError. Collective.
[[nodiscard]] session::LoadedGraph load_input(const job::Job& job, const std::string& graph,
                                              const LoadOptions& options);

/// The input without its edges.
[[nodiscard]] session::LoadedGraph facts_of(const session::LoadedGraph& input);

/// The rank's share of a graph's edges, until they are released. Weights of a graph without weights
/// are 1.
class ReleasableFeed final : public EdgeFeed
{
public:
    /// `feed` reads what `owner` owns. `weighted`: whether it has weights.
    ReleasableFeed(std::shared_ptr<const void> owner, std::unique_ptr<EdgeFeed> feed, bool weighted)
        : vertex_count_(feed->vertex_count()),
          directed_(feed->directed()),
          type_(feed->weight_type()),
          weighted_(weighted),
          owner_(std::move(owner)),
          feed_(std::move(feed))
    {
    }

    void release()
    {
        feed_ = nullptr;
        owner_ = nullptr;
    }

    [[nodiscard]] Vertex vertex_count() const override { return vertex_count_; }
    [[nodiscard]] bool directed() const override { return directed_; }
    [[nodiscard]] EdgeCount size() const override { return feed_ ? feed_->size() : 0; }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> scratch) const override
    {
        return feed().chunk(first, count, scratch);
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override
    {
        const EdgeFeed& edges = feed();
        if (weighted_)
            edges.weights(first, out);
        else
            std::ranges::fill(out, to_ordered(std::uint32_t{1}));
    }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { feed().weights(first, out); }
    [[nodiscard]] const DeviceEdges* device_edges() const override { return feed_ ? feed_->device_edges() : nullptr; }

private:
    [[nodiscard]] const EdgeFeed& feed() const
    {
        if (!feed_) throw std::logic_error("edges that were released are read");
        return *feed_;
    }

    Vertex vertex_count_;
    bool directed_;
    WeightType type_;
    bool weighted_;
    std::shared_ptr<const void> owner_;
    std::unique_ptr<EdgeFeed> feed_;
};

/// The place of an array of a search's result: memory of the caller, or if that is empty, a vector.
template <typename T>
class Output
{
public:
    /// The output has the vertices of all ranks if `gather`, otherwise the vertices of this rank.
    Output(const comm::Communicator& world, const Partition& partition, bool gather, std::span<T> callers,
           std::vector<T>& vector)
        : world_(world), partition_(partition), gathers_(gather && world.size() > 1), callers_(callers), vector_(vector)
    {
    }

    /// Throws InputError if the caller's memory has another length.
    void require_length(const char* name) const
    {
        if (!callers_.empty() && callers_.size() != length())
            throw InputError(std::string(name) + ": expected an array of " + std::to_string(length()) +
                             " elements, found " + std::to_string(callers_.size()));
    }
    /// Allocates, and returns the memory for the values of this rank's vertices.
    [[nodiscard]] std::span<T> own()
    {
        if (callers_.empty()) {
            vector_.resize(length());
            callers_ = vector_;
        }
        if (!gathers_) return callers_;
        share_.resize(own_count());
        return share_;
    }
    /// Exchanges the values if all ranks get them. Collective.
    void gather()
    {
        if (gathers_) gather_vertices(world_, partition_, std::span<const T>(share_), callers_);
    }

private:
    [[nodiscard]] std::size_t own_count() const { return partition_.chunk_size(world_.rank()); }
    [[nodiscard]] std::size_t length() const
    {
        return gathers_ ? static_cast<std::size_t>(partition_.vertex_count()) : own_count();
    }

    const comm::Communicator& world_;
    const Partition& partition_;
    bool gathers_;
    std::span<T> callers_;
    std::vector<T>& vector_;
    std::vector<T> share_;  // this rank's share, until all are gathered
};

/// The pairs in numbers of the edge list. Throws InputError if there is none.
[[nodiscard]] std::vector<algo::VertexPair> list_numbers(const session::LoadedGraph& input,
                                                         std::span<const std::pair<Vertex, Vertex>> pairs);
/// The pairs and the kind of answers that are asked of a PairEngine.
struct PairsQuestion
{
    std::span<const algo::VertexPair> pairs;
    bool with_paths = true;
    bool floats = false;  // the weights
};

/// The answers. `prepared` is the graph of `engine`. If a source reaches a cycle of negative length,
/// `cycle` gets its vertices, and an AgreedError is thrown. Collective.
[[nodiscard]] PairsResult answered(const job::Job& job, session::PairEngine& engine,
                                   const session::PreparedGraph& prepared, const PairsQuestion& question,
                                   std::vector<Vertex>& cycle);

}  // namespace wayfront
