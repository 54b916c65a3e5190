// Pushes and pulls without atomic operations.
//
// In a push on several threads, each row belongs to one of them. The threads share the columns; a
// sum that improves a row goes into a bin for the row's thread. When all columns are done, each
// thread applies what is in its bins. So distance and parent change together, for distances of
// every size, and the outcome of a round does not depend on the order in which threads run. A push
// on the calling thread applies improvements at once. In a pull, each row is written by the thread
// that pulls for it; others may read an older distance of it, which is not too small.

#include "cpu/sssp/grid_engine.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <omp.h>

#include "algo/sssp/distance.hpp"
#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::cpu {

namespace {

using algo::PushExtent;
using algo::unreached;

constexpr std::size_t kPieceArcs = 4096;  // of whole lists, that a thread takes at a time
constexpr std::size_t kPieceColumns = 8;  // in a window
constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kAhead = 8;  // columns or rows whose lists are prefetched

/// Reads a value that another thread may be writing.
template <typename T>
[[nodiscard]] T relaxed(const T& value)
{
    return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
}

template <typename D, typename W>
class GridEngine final : public algo::SsspEngine<D>
{
public:
    GridEngine(const CsrBlock& block, SsspTuning tuning)
        : block_(block),
          tuning_(tuning),
          out_(block.out_edges().view()),
          out_weights_(std::get<HostBuffer<W>>(block.out_weights()).data()),
          in_(block.in_edges.view()),
          in_weights_(std::get<HostBuffer<W>>(block.in_weights).data()),
          is_improved_(word_count(block.rows()), 0),
          improved_(block.rows())
    {
        if (block.list_order == ListOrder::weights) places_ = HostBuffer<Place>(block.cols());
    }

    [[nodiscard]] std::string_view name() const override { return "cpu"; }
    void begin_search(const algo::SsspMemory<D>& memory) override;
    void launch_push(const algo::Push<D>& push) override { launched_ = push; }
    void launch_pull(const algo::Pull<D>& pull) override { launched_ = pull; }
    /// Relaxes here and not in launch: the cores that would wait are the cores that relax.
    [[nodiscard]] algo::RoundOutcome<D> collect() override;

private:
    /// How far a column came in its list in this search.
    struct Place
    {
        std::uint32_t pushed;  // entries
        bool waits;            // the column is in the list of a thread
        D next;                // the sum of the next entry
    };
    struct Proposal
    {
        std::uint32_t row;
        std::uint32_t parent;
        D distance;
    };
    /// A thread's part of a round, in cache lines of its own.
    struct alignas(128) Worker
    {
        std::vector<std::vector<Proposal>> bins;  // for each thread
        std::vector<std::uint32_t> improved;
        std::vector<std::uint32_t> unfinished;  // columns that wait for a later window
        std::vector<std::uint32_t> candidates;  // rows that the next pull looks at
        std::uint64_t arcs = 0;
        D next{};
        bool overflow = false;
    };

    void push(const algo::Push<D>& push);
    void push_serially(const algo::Push<D>& push);
    void push_in_parallel(const algo::Push<D>& push, int threads);
    void pull(const algo::Pull<D>& pull);

    template <typename Propose>
    void relax_range(std::uint32_t column, std::uint64_t first, std::uint64_t last, D bound, Worker& worker, Propose&& propose) const;
    template <typename Propose>
    void relax_in_window(std::uint32_t column, D bound, Worker& worker, Propose&& propose);
    template <typename Propose>
    void restart(std::uint32_t column, D bound, Worker& worker, Propose&& propose);
    template <typename Propose>
    void resume_unfinished(D bound, Worker& worker, Propose&& propose);
    void prefetch_list(std::span<const std::uint32_t> columns, std::size_t i) const;
    void pull_row(std::uint32_t row, const algo::Pull<D>& pull, Worker& worker);
    void improve(std::uint32_t row, D distance, std::uint32_t parent, Worker& worker);
    [[nodiscard]] std::size_t unfinished_columns() const;
    [[nodiscard]] algo::RoundOutcome<D> gather();

    const CsrBlock& block_;
    SsspTuning tuning_;
    CsrView out_;
    const W* out_weights_;
    CsrView in_;
    const W* in_weights_;

    algo::SsspMemory<D> memory_;
    std::variant<algo::Push<D>, algo::Pull<D>> launched_;
    std::vector<Worker> workers_;
    std::uint64_t last_arcs_ = 0;  // of the last round
    HostBuffer<std::uint64_t> is_improved_;
    HostBuffer<std::uint32_t> improved_;
    std::size_t improved_count_ = 0;
    HostBuffer<Place> places_;           // of columns
    HostBuffer<std::uint64_t> offsets_;  // of changed columns: the number of edges before each
    HostBuffer<std::uint32_t> candidates_;
};

template <typename D, typename W>
void GridEngine<D, W>::begin_search(const algo::SsspMemory<D>& memory)
{
    memory_ = memory;
    workers_.resize(static_cast<std::size_t>(thread_count()));
    for (Worker& worker : workers_) {
        worker.bins.resize(workers_.size());
        worker.unfinished.clear();
        worker.candidates.clear();
    }
    for (std::size_t i = 0; i < improved_count_; ++i) is_improved_[improved_[i] / kWordBits] = 0;
    improved_count_ = 0;
    last_arcs_ = 0;
    parallel_for(places_.size(), std::size_t{1} << 14, [this](std::size_t i) { places_[i].waits = false; });
}

template <typename D, typename W>
algo::RoundOutcome<D> GridEngine<D, W>::collect()
{
    for (std::size_t i = 0; i < improved_count_; ++i) is_improved_[improved_[i] / kWordBits] = 0;
    for (Worker& worker : workers_) {
        worker.improved.clear();
        worker.arcs = 0;
        worker.next = unreached<D>();
        worker.overflow = false;
    }
    if (const auto* const launched = std::get_if<algo::Push<D>>(&launched_))
        push(*launched);
    else
        pull(std::get<algo::Pull<D>>(launched_));
    return gather();
}

template <typename D, typename W>
algo::RoundOutcome<D> GridEngine<D, W>::gather()
{
    algo::RoundOutcome<D> outcome;
    outcome.next = unreached<D>();
    std::size_t count = 0;
    for (const Worker& worker : workers_) {
        std::ranges::copy(worker.improved, improved_.data() + count);
        count += worker.improved.size();
        outcome.arcs += worker.arcs;
        outcome.next = std::min(outcome.next, worker.next);
        outcome.overflow = outcome.overflow || worker.overflow;
    }
    improved_count_ = count;
    last_arcs_ = outcome.arcs;
    outcome.improved = {improved_.data(), count};
    return outcome;
}

template <typename D, typename W>
void GridEngine<D, W>::improve(std::uint32_t row, D distance, std::uint32_t parent, Worker& worker)
{
    memory_.row_distances[row] = distance;
    memory_.row_parents[row] = parent;
    if (test_bit(is_improved_.data(), row)) return;
    set_bit(is_improved_.data(), row);
    worker.improved.push_back(row);
}

/// Proposes the entries [first, last) of the column's list that improve a row.
template <typename D, typename W>
template <typename Propose>
void GridEngine<D, W>::relax_range(std::uint32_t column, std::uint64_t first, std::uint64_t last, D bound, Worker& worker, Propose&& propose) const
{
    const D distance = memory_.col_distances[column];
    for (std::uint64_t e = first; e < last; ++e) {
        D sum{};
        if (!algo::sum_is_below(distance, out_weights_[e], bound, sum, worker.overflow)) continue;
        const std::uint32_t row = out_.neighbours[e];
        if (sum < memory_.row_distances[row]) propose(row, sum, column);
    }
    worker.arcs += last - first;
}

/// Continues the column's list to the first sum that is not below the bound.
template <typename D, typename W>
template <typename Propose>
void GridEngine<D, W>::relax_in_window(std::uint32_t column, D bound, Worker& worker, Propose&& propose)
{
    Place& place = places_[column];
    const D distance = memory_.col_distances[column];
    const std::uint64_t begin = out_.begin(column);
    const std::uint64_t end = out_.end(column);
    std::uint64_t e = begin + place.pushed;
    const std::uint64_t first = e;
    D sum{};
    for (; e < end && algo::sum_is_below(distance, out_weights_[e], bound, sum, worker.overflow); ++e) {
        const std::uint32_t row = out_.neighbours[e];
        if (sum < memory_.row_distances[row]) propose(row, sum, column);
    }
    worker.arcs += e - first + (e < end ? 1 : 0);
    place.pushed = static_cast<std::uint32_t>(e - begin);
    place.next = e < end ? algo::saturated_sum(distance, out_weights_[e]) : unreached<D>();
}

template <typename D, typename W>
template <typename Propose>
void GridEngine<D, W>::restart(std::uint32_t column, D bound, Worker& worker, Propose&& propose)
{
    Place& place = places_[column];
    place.pushed = 0;
    relax_in_window(column, bound, worker, propose);
    if (place.next == unreached<D>()) return;
    worker.next = std::min(worker.next, place.next);
    if (place.waits) return;
    place.waits = true;
    worker.unfinished.push_back(column);
}

template <typename D, typename W>
template <typename Propose>
void GridEngine<D, W>::resume_unfinished(D bound, Worker& worker, Propose&& propose)
{
    std::size_t kept = 0;
    for (const std::uint32_t column : worker.unfinished) {
        Place& place = places_[column];
        if (place.next < bound) relax_in_window(column, bound, worker, propose);
        place.waits = place.next < unreached<D>();
        worker.next = std::min(worker.next, place.next);
        worker.unfinished[kept] = column;
        kept += place.waits ? 1 : 0;
    }
    worker.unfinished.resize(kept);
}

template <typename D, typename W>
void GridEngine<D, W>::prefetch_list(std::span<const std::uint32_t> columns, std::size_t i) const
{
    if (i + 2 * kAhead < columns.size()) __builtin_prefetch(out_.relative_offsets + columns[i + 2 * kAhead]);
    if (i + kAhead >= columns.size()) return;
    const std::uint64_t begin = out_.begin(columns[i + kAhead]);
    __builtin_prefetch(out_.neighbours + begin);
    __builtin_prefetch(out_weights_ + begin);
}

template <typename D, typename W>
std::size_t GridEngine<D, W>::unfinished_columns() const
{
    std::size_t count = 0;
    for (const Worker& worker : workers_) count += worker.unfinished.size();
    return count;
}

template <typename D, typename W>
void GridEngine<D, W>::push(const algo::Push<D>& push)
{
    const auto threads = static_cast<int>(workers_.size());
    if (threads == 1) {
        push_serially(push);
        return;
    }
    if (push.extent == PushExtent::window) {
        // The edges that a window relaxes are not known before; the last round's are a guess.
        const bool many =
            last_arcs_ >= tuning_.parallel_from_arcs || (push.changed.size() + unfinished_columns() / 4) * 16 >= tuning_.parallel_from_arcs;
        if (many)
            push_in_parallel(push, threads);
        else
            push_serially(push);
        return;
    }
    if (offsets_.empty()) offsets_ = HostBuffer<std::uint64_t>(std::size_t{block_.cols()} + 1);
    std::uint64_t arcs = 0;
    for (std::size_t i = 0; i < push.changed.size(); ++i) {
        offsets_[i] = arcs;
        arcs += out_.degree(push.changed[i]);
    }
    offsets_[push.changed.size()] = arcs;
    if (arcs >= tuning_.parallel_from_arcs)
        push_in_parallel(push, threads);
    else
        push_serially(push);
}

template <typename D, typename W>
void GridEngine<D, W>::push_serially(const algo::Push<D>& push)
{
    Worker& worker = workers_.front();
    const auto propose = [&](std::uint32_t row, D distance, std::uint32_t parent) { improve(row, distance, parent, worker); };
    for (std::size_t i = 0; i < push.changed.size(); ++i) {
        prefetch_list(push.changed, i);
        const std::uint32_t column = push.changed[i];
        if (push.extent == PushExtent::window)
            restart(column, push.bound, worker, propose);
        else
            relax_range(column, out_.begin(column), out_.end(column), push.bound, worker, propose);
    }
    if (push.extent != PushExtent::window) return;
    // Columns that other threads put aside wait in their lists.
    for (Worker& owner : workers_) resume_unfinished(push.bound, owner, propose);
}

template <typename D, typename W>
void GridEngine<D, W>::push_in_parallel(const algo::Push<D>& push, int threads)
{
    const std::span<const std::uint32_t> changed = push.changed;
    const bool window = push.extent == PushExtent::window;
    const std::uint64_t arcs = window ? 0 : offsets_[changed.size()];
    const std::size_t pieces = window ? (changed.size() + kPieceColumns - 1) / kPieceColumns : (arcs + kPieceArcs - 1) / kPieceArcs;
#pragma omp parallel num_threads(threads)
    {
        const auto self = static_cast<std::size_t>(omp_get_thread_num());
        const auto team = static_cast<std::uint32_t>(omp_get_num_threads());
        Worker& worker = workers_[self];
        // A thread owns words of rows, so that it owns words of is_improved_.
        const auto propose = [&](std::uint32_t row, D distance, std::uint32_t parent) {
            worker.bins[(row / kWordBits) % team].push_back({row, parent, distance});
        };
#pragma omp for schedule(dynamic, 1)
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            if (window) {
                for (std::size_t i = piece * kPieceColumns; i < std::min(changed.size(), (piece + 1) * kPieceColumns); ++i) {
                    prefetch_list(changed, i);
                    restart(changed[i], push.bound, worker, propose);
                }
                continue;
            }
            const std::uint64_t last = std::min<std::uint64_t>(arcs, (piece + 1) * kPieceArcs);
            std::uint64_t position = piece * kPieceArcs;
            auto i = static_cast<std::size_t>(std::upper_bound(offsets_.data(), offsets_.data() + changed.size(), position) - offsets_.data()) - 1;
            for (; position < last; ++i) {
                prefetch_list(changed, i);
                const std::uint64_t list_end = std::min(last, offsets_[i + 1]);
                const std::uint64_t begin = out_.begin(changed[i]) - offsets_[i];
                relax_range(changed[i], begin + position, begin + list_end, push.bound, worker, propose);
                position = list_end;
            }
        }
        // Columns that started again wait for a later window now, whichever thread's list they are in.
        if (window) resume_unfinished(push.bound, worker, propose);
#pragma omp barrier
        for (Worker& sender : workers_) {
            std::vector<Proposal>& bin = sender.bins[self];
            for (const Proposal& proposal : bin)
                if (proposal.distance < memory_.row_distances[proposal.row]) improve(proposal.row, proposal.distance, proposal.parent, worker);
            bin.clear();
        }
    }
}

template <typename D, typename W>
void GridEngine<D, W>::pull_row(std::uint32_t row, const algo::Pull<D>& pull, Worker& worker)
{
    D best = memory_.row_distances[row];
    const D before = best;
    std::uint32_t parent = 0;
    const std::uint64_t begin = in_.begin(row);
    const std::uint64_t end = in_.end(row);
    D sum{};
    std::uint64_t e = begin;
    for (; e < end; ++e) {
        const W weight = in_weights_[e];
        const D bound = std::min(best, pull.bound);
        if (!algo::sum_is_below(pull.least, weight, bound, sum, worker.overflow)) {
            ++e;
            break;
        }
        const std::uint32_t column = in_.neighbours[e];
        const D distance = relaxed(memory_.col_distances[column]);
        if constexpr (!std::is_floating_point_v<D>)
            if (distance == unreached<D>()) continue;
        if (!algo::sum_is_below(distance, weight, bound, sum, worker.overflow)) continue;
        best = sum;
        parent = column;
    }
    worker.arcs += e - begin;
    if (best < before) {
        std::atomic_ref<D>(memory_.row_distances[row]).store(best, std::memory_order_relaxed);
        memory_.row_parents[row] = parent;
        worker.improved.push_back(row);
    }
    // What changes from now on is at least at this distance.
    const D below = pull.first ? pull.settled_below : pull.least;
    bool overflow = false;
    if (begin < end && algo::sum_is_below(below, in_weights_[begin], std::min(best, pull.bound), sum, overflow)) worker.candidates.push_back(row);
}

template <typename D, typename W>
void GridEngine<D, W>::pull(const algo::Pull<D>& pull)
{
    std::size_t count = block_.rows();
    if (!pull.first) {
        count = 0;
        for (const Worker& worker : workers_) count += worker.candidates.size();
        if (candidates_.size() < count) candidates_ = HostBuffer<std::uint32_t>(count);
        std::size_t position = 0;
        for (const Worker& worker : workers_) {
            std::ranges::copy(worker.candidates, candidates_.data() + position);
            position += worker.candidates.size();
        }
    }
    for (Worker& worker : workers_) worker.candidates.clear();
    const auto row_at = [&](std::size_t i) { return pull.first ? static_cast<std::uint32_t>(i) : candidates_[i]; };
    const auto pull_range = [&](std::size_t first, std::size_t last, Worker& worker) {
        for (std::size_t i = first; i < last; ++i) {
            const std::uint32_t row = row_at(i);
            if (!(memory_.row_distances[row] < pull.settled_below)) pull_row(row, pull, worker);
        }
    };
    const auto threads = static_cast<int>(workers_.size());
    if (threads == 1 || count < tuning_.parallel_from_rows) {
        pull_range(0, count, workers_.front());
    } else {
        const std::size_t pieces = (count + kPieceRows - 1) / kPieceRows;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (std::size_t piece = 0; piece < pieces; ++piece)
            pull_range(piece * kPieceRows, std::min(count, (piece + 1) * kPieceRows), workers_[static_cast<std::size_t>(omp_get_thread_num())]);
    }
}

template <typename D, typename W>
algo::AnySsspEngine make(const CsrBlock& block, SsspTuning tuning)
{
    return std::unique_ptr<algo::SsspEngine<D>>(std::make_unique<GridEngine<D, W>>(block, tuning));
}

}  // namespace

algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspTuning tuning)
{
    switch (weight_type(block.in_weights)) {
        case WeightType::uint32:
            return narrow ? make<std::uint32_t, std::uint32_t>(block, tuning) : make<std::int64_t, std::uint32_t>(block, tuning);
        case WeightType::int64:
            return make<std::int64_t, std::int64_t>(block, tuning);
        case WeightType::float32:
            return make<float, float>(block, tuning);
        case WeightType::float64:
            return make<double, double>(block, tuning);
        case WeightType::none:
            break;
    }
    throw InputError("shortest paths need a graph with weights");
}

}  // namespace wayfront::cpu
