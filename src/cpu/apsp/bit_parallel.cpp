#include "cpu/apsp/bit_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algo/apsp/compensated_sum.hpp"
#include "algo/apsp/converted_row.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/source_set.hpp"

namespace wayfront::cpu {

namespace {

/// Top-down reads and writes two sets per edge, bottom-up reads one.
constexpr std::uint64_t kTopDownCostPerEdge = 2;
/// The number of in-neighbours after which bottom-up checks whether all sources have been found.
constexpr std::uint64_t kNeighboursBetweenChecks = 4;

/// The searches of one thread. Vertices are slots of the block.
template <std::size_t words>
class Search
{
public:
    using Set = SourceSet<words>;

    explicit Search(const DistributedGraph& graph)
        : graph_(graph),
          out_(graph.block.out_edges().view()),
          in_(graph.block.in_edges.view()),
          slots_(graph.block.slot_stride),
          seen_(slots_),
          frontier_(slots_),
          next_(slots_)
    {
    }

    /// Searches from up to Set::kSources sources. Calls found(slot, set) for each vertex that
    /// sources reach in a level, and then end_of_level(depth). During that call frontier() has the
    /// sets of the level.
    template <typename Found, typename EndOfLevel>
    void run(std::span<const Vertex> sources, Found&& found, EndOfLevel&& end_of_level)
    {
        begin(sources);
        for (std::uint32_t depth = 1; !active_.empty(); ++depth) {
            std::uint64_t frontier_edges = 0;
            for (const std::uint32_t slot : active_) frontier_edges += out_.degree(slot);
            if (kTopDownCostPerEdge * frontier_edges > unseen_edges_)
                bottom_up(found);
            else
                top_down(found);
            std::swap(frontier_, next_);
            std::swap(active_, next_active_);
            if (!active_.empty()) end_of_level(depth);
        }
    }

    [[nodiscard]] const HostBuffer<Set>& frontier() const { return frontier_; }
    /// The vertices with a set in the frontier.
    [[nodiscard]] const std::vector<std::uint32_t>& active() const { return active_; }

private:
    void begin(std::span<const Vertex> sources)
    {
        std::fill(seen_.begin(), seen_.end(), Set{});
        std::fill(frontier_.begin(), frontier_.end(), Set{});
        next_is_empty_ = false;
        unseen_edges_ = graph_.block.in_edges.edges();
        all_ = {};
        active_.clear();
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const std::uint32_t slot = graph_.slot_of_local[static_cast<std::size_t>(sources[i])];
            if (slot == slots_) continue;  // the vertex has no edges
            all_.insert(i);
            if (frontier_[slot].empty()) active_.push_back(slot);
            frontier_[slot].insert(i);
            seen_[slot].insert(i);
        }
    }

    template <typename Found>
    void top_down(Found&& found)
    {
        if (!next_is_empty_) std::fill(next_.begin(), next_.end(), Set{});
        next_active_.clear();
        for (const std::uint32_t slot : active_) {
            const Set sources = frontier_[slot];
            for (std::uint64_t edge = out_.begin(slot); edge < out_.end(slot); ++edge) {
                const std::uint32_t neighbour = out_.neighbours[edge];
                const Set fresh = sources.without(seen_[neighbour]);
                if (fresh.empty()) continue;
                if (next_[neighbour].empty()) next_active_.push_back(neighbour);
                next_[neighbour] = next_[neighbour] | fresh;
            }
        }
        for (const std::uint32_t slot : active_) frontier_[slot] = {};
        next_is_empty_ = true;  // the frontier's memory becomes that of the next level
        for (const std::uint32_t slot : next_active_) reach(slot, next_[slot], found);
    }

    template <typename Found>
    void bottom_up(Found&& found)
    {
        next_active_.clear();
        for (std::uint32_t slot = 0; slot < slots_; ++slot) {
            const Set missing = all_.without(seen_[slot]);
            if (missing.empty()) {
                next_[slot] = {};
                continue;
            }
            Set fresh{};
            const std::uint64_t end = in_.end(slot);
            for (std::uint64_t edge = in_.begin(slot); edge < end;) {
                const std::uint64_t pause = std::min(end, edge + kNeighboursBetweenChecks);
                for (; edge < pause; ++edge) fresh = fresh | frontier_[in_.neighbours[edge]];
                if (missing.without(fresh).empty()) break;
            }
            fresh = fresh & missing;
            next_[slot] = fresh;
            if (fresh.empty()) continue;
            next_active_.push_back(slot);
            reach(slot, fresh, found);
        }
        next_is_empty_ = false;
    }

    template <typename Found>
    void reach(std::uint32_t slot, const Set& fresh, Found&& found)
    {
        seen_[slot] = seen_[slot] | fresh;
        if (seen_[slot] == all_) unseen_edges_ -= in_.degree(slot);
        found(slot, fresh);
    }

    Set all_{};  // the sources that have edges
    const DistributedGraph& graph_;
    CsrView out_;
    CsrView in_;
    std::uint32_t slots_;
    HostBuffer<Set> seen_;
    HostBuffer<Set> frontier_;
    HostBuffer<Set> next_;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> next_active_;
    std::uint64_t unseen_edges_ = 0;  // in-edges of the vertices that some source has not reached
    bool next_is_empty_ = false;
};

template <std::size_t words, typename Out>
class BitParallelRows final : public algo::RowProducer
{
public:
    static constexpr std::size_t kSources = SourceSet<words>::kSources;

    explicit BitParallelRows(const DistributedGraph& graph)
        : graph_(graph), columns_(static_cast<std::size_t>(graph.partition.vertex_count()))
    {
        for (int thread = 0; thread < thread_count(); ++thread)
            searches_.push_back(std::make_unique<Search<words>>(graph));
    }

    [[nodiscard]] std::string description() const override
    {
        return "bit-parallel breadth-first search from " + std::to_string(kSources) + " sources at once on each of " +
               std::to_string(searches_.size()) + (searches_.size() == 1 ? " thread" : " threads");
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t batch_rows() const override { return searches_.size() * kSources; }

    void launch(std::span<const Vertex> sources) override { sources_ = sources; }

    [[nodiscard]] algo::RowBatch collect() override
    {
        if (rows_.size() < sources_.size() * columns_) rows_ = HostBuffer<Out>(sources_.size() * columns_);
        std::atomic<std::uint32_t> deepest = 0;
        for_each_search([&](Search<words>& search, IndexRange part) {
            const std::span<Out> rows = rows_.span().subspan(part.first * columns_, part.size() * columns_);
            std::fill(rows.begin(), rows.end(), unreached<Out>());
            for (std::size_t i = 0; i < part.size(); ++i)
                rows[i * columns_ + static_cast<std::size_t>(sources_[part.first + i])] = 0;
            std::uint32_t depth_reached = 0;
            search.run(
                sources_.subspan(part.first, part.size()), [](std::uint32_t, const SourceSet<words>&) {},
                [&](std::uint32_t depth) {
                    write_level(search, depth, rows);
                    depth_reached = depth;
                });
            for (std::uint32_t seen = deepest;
                 seen < depth_reached && !deepest.compare_exchange_weak(seen, depth_reached);) {
            }
        });
        if (deepest > algo::most_whole_distance(type())) algo::fail_to_fit(deepest, type(), true);
        algo::RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns_;
        batch.distances = std::span<const Out>(rows_.data(), sources_.size() * columns_);
        return batch;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        launch(sources);
        std::vector<algo::DistanceHistogram> histograms(searches_.size());
        for_each_search([&](Search<words>& search, IndexRange part) {
            algo::DistanceHistogram& histogram = histograms[static_cast<std::size_t>(omp_get_thread_num())];
            SourceCounts<words> counts;
            std::vector<algo::RowFacts> facts(part.size());
            std::vector<algo::CompensatedSum> inverses(summary.is_full() ? part.size() : 0);
            std::vector<std::uint64_t> in_level(part.size());
            search.run(
                sources.subspan(part.first, part.size()),
                [&](std::uint32_t, const SourceSet<words>& set) { counts.add(set); },
                [&](std::uint32_t depth) {
                    std::ranges::fill(in_level, 0);
                    counts.drain(in_level);
                    std::uint64_t of_all = 0;
                    for (std::size_t i = 0; i < facts.size(); ++i) {
                        if (in_level[i] == 0) continue;
                        facts[i].reached += in_level[i];
                        facts[i].sum += static_cast<double>(in_level[i]) * depth;
                        facts[i].eccentricity = depth;
                        if (!inverses.empty()) inverses[i].add(1.0 / depth, static_cast<double>(in_level[i]));
                        of_all += in_level[i];
                    }
                    histogram.add(depth, of_all);
                });
            for (std::size_t i = 0; i < facts.size(); ++i) {
                if (!inverses.empty()) {
                    facts[i].whole_sum = static_cast<std::int64_t>(facts[i].sum);
                    facts[i].inverse_sum = inverses[i].value();
                }
                summary.set_row(first + part.first + i, facts[i]);
            }
        });
        for (const algo::DistanceHistogram& histogram : histograms) summary.histogram().merge(histogram);
    }
    [[nodiscard]] bool summarises_fully() const override { return true; }

private:
    /// Calls f(search, part of the sources) on all threads.
    template <typename F>
    void for_each_search(F&& f)
    {
        const std::size_t threads = searches_.size();
        parallel_parts(threads, [&](std::size_t thread) {
            if (const IndexRange part = part_of(sources_.size(), thread, threads); part.size() > 0)
                f(*searches_[thread], part);
        });
    }

    /// Writes the distance `depth` for the sets of the frontier, in the order of vertices, so that
    /// each row is written from its beginning to its end.
    void write_level(const Search<words>& search, std::uint32_t depth, std::span<Out> rows) const
    {
        const auto distance = static_cast<Out>(depth);
        const auto write = [&](std::size_t vertex, const SourceSet<words>& set) {
            set.for_each([&](std::size_t i) { rows[i * columns_ + vertex] = distance; });
        };
        constexpr std::size_t sparse = 8;
        if (search.active().size() < columns_ / sparse) {
            for (const std::uint32_t slot : search.active())
                write(static_cast<std::size_t>(graph_.vertex_of_column[slot]), search.frontier()[slot]);
            return;
        }
        for (std::size_t vertex = 0; vertex < columns_; ++vertex)
            if (const std::uint32_t slot = graph_.slot_of_local[vertex]; slot != graph_.block.slot_stride)
                write(vertex, search.frontier()[slot]);
    }

    const DistributedGraph& graph_;
    std::size_t columns_;
    std::vector<std::unique_ptr<Search<words>>> searches_;  // by thread
    std::span<const Vertex> sources_;
    HostBuffer<Out> rows_;
};

template <std::size_t words>
std::unique_ptr<algo::RowProducer> make_rows(const DistributedGraph& graph, algo::DistanceType type)
{
    return algo::with_distance_type(type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        return std::make_unique<BitParallelRows<words, Out>>(graph);
    });
}

}  // namespace

std::unique_ptr<algo::RowProducer> make_bit_parallel_rows(const DistributedGraph& graph,
                                                          const BitParallelOptions& options)
{
    constexpr std::size_t widest = 8;
    constexpr std::size_t middle = 4;
    if (options.sources_a_thread >= widest * 64) return make_rows<widest>(graph, options.type);
    if (options.sources_a_thread >= middle * 64) return make_rows<middle>(graph, options.type);
    return make_rows<1>(graph, options.type);
}

double bit_parallel_bytes(double vertices, std::size_t sources_a_thread)
{
    constexpr double sets = 3;
    constexpr double bits_a_byte = 8;
    constexpr double bytes_of_lists = 8;
    return vertices * (sets * static_cast<double>(sources_a_thread) / bits_a_byte + bytes_of_lists);
}

}  // namespace wayfront::cpu
