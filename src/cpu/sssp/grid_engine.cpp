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
#include <array>
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
constexpr std::size_t kWindowArcs = 4;    // a guess of how many edges of a changed column a window has
constexpr std::size_t kPieceRows = 512;
constexpr std::size_t kHeadEdges = 4;
constexpr std::size_t kSerialBelow = 1 << 14;
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
        if (block.list_order != ListOrder::weights) return;
        first_out_weights_ = HostBuffer<D>(block.cols());
        places_ = HostBuffer<Place>(block.cols());
        parallel_for(block.cols(), kSerialBelow, [this](std::size_t i) {
            const auto column = static_cast<std::uint32_t>(i);
            places_[i].waits = false;
            first_out_weights_[i] = out_.degree(column) > 0 ? algo::saturated_sum(D{0}, out_weights_[out_.begin(column)]) : unreached<D>();
        });
        heads_ = HostBuffer<Head>(block.rows());
        parallel_for(block.rows(), kSerialBelow, [this](std::size_t i) { heads_[i] = head_of(static_cast<std::uint32_t>(i)); });
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
    /// The lightest in-edges of a row, or as many as it has and then entries of weight unreached<D>(). A
    /// pull looks at most rows' heads only, and reads them one after the other.
    struct Head
    {
        std::array<std::uint32_t, kHeadEdges> columns;
        std::array<D, kHeadEdges> weights;
    };
    /// A row that pulls, with the best that it has found.
    struct Pulling
    {
        std::uint32_t row;
        std::uint32_t parent;
        D best;
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
    template <typename RowAt>
    void pull_piece(IndexRange range, const algo::Pull<D>& pull, RowAt&& row_at, Worker& worker);
    void try_edge(std::uint32_t column, D weight, Pulling& row) const;
    void pull_tail(D least, Pulling& row, Worker& worker) const;
    [[nodiscard]] bool has_overflow(std::uint32_t row) const;
    void improve(std::uint32_t row, D distance, std::uint32_t parent, Worker& worker);
    [[nodiscard]] std::size_t unfinished_columns() const;
    [[nodiscard]] Head head_of(std::uint32_t row) const;
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
    HostBuffer<std::uint64_t> is_improved_;
    HostBuffer<std::uint32_t> improved_;
    std::size_t improved_count_ = 0;
    // Only if the lists are sorted by weight.
    HostBuffer<D> first_out_weights_;  // of columns; unreached<D>() if the list is empty
    HostBuffer<Place> places_;         // of columns
    HostBuffer<Head> heads_;           // of rows
    D window_{};                       // the bound of the last push in windows

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
        for (const std::uint32_t column : worker.unfinished) places_[column].waits = false;
        worker.unfinished.clear();
        worker.candidates.clear();
    }
    window_ = D{0};
    for (std::size_t i = 0; i < improved_count_; ++i) is_improved_[improved_[i] / kWordBits] = 0;
    improved_count_ = 0;
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
    const D lightest = first_out_weights_[column];
    if (lightest == unreached<D>()) return;
    place.next = algo::saturated_sum(memory_.col_distances[column], lightest);
    ++worker.arcs;
    if (place.next < bound) relax_in_window(column, bound, worker, propose);
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
        // How many edges the window has is not known before. Most columns have few.
        const std::size_t unfinished = push.bound == window_ ? 0 : unfinished_columns();
        if (push.changed.size() * kWindowArcs + unfinished / kWindowArcs >= tuning_.parallel_from_arcs)
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
    if (push.bound == window_) return;
    window_ = push.bound;
    // Columns that other threads put aside wait in their lists.
    for (Worker& owner : workers_) resume_unfinished(push.bound, owner, propose);
}

template <typename D, typename W>
void GridEngine<D, W>::push_in_parallel(const algo::Push<D>& push, int threads)
{
    const std::span<const std::uint32_t> changed = push.changed;
    const bool window = push.extent == PushExtent::window;
    const bool resumes = window && push.bound != window_;
    if (window) window_ = push.bound;
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
        if (resumes) {
            resume_unfinished(push.bound, worker, propose);
#pragma omp barrier
        }
        for (Worker& sender : workers_) {
            std::vector<Proposal>& bin = sender.bins[self];
            for (const Proposal& proposal : bin)
                if (proposal.distance < memory_.row_distances[proposal.row]) improve(proposal.row, proposal.distance, proposal.parent, worker);
            bin.clear();
        }
    }
}

template <typename D, typename W>
typename GridEngine<D, W>::Head GridEngine<D, W>::head_of(std::uint32_t row) const
{
    Head head;
    head.columns.fill(0);
    head.weights.fill(unreached<D>());
    const std::uint64_t begin = in_.begin(row);
    const std::uint64_t edges = std::min<std::uint64_t>(kHeadEdges, in_.end(row) - begin);
    std::copy_n(in_.neighbours + begin, edges, head.columns.data());
    std::copy_n(in_weights_ + begin, edges, head.weights.data());
    return head;
}

/// Pulls for the rows row_at(i) of a range of at most kPieceRows.
template <typename D, typename W>
template <typename RowAt>
void GridEngine<D, W>::pull_piece(IndexRange range, const algo::Pull<D>& pull, RowAt&& row_at, Worker& worker)
{
    // Which rows are settled, improve, or need more than their heads cannot be predicted. So lists
    // of them are made without branches, and each list is worked off with prefetches.
    std::array<Pulling, kPieceRows> rows;
    std::size_t count = 0;
    for (std::size_t i = range.first; i < range.last; ++i) {
        const std::uint32_t row = row_at(i);
        const D distance = memory_.row_distances[row];
        rows[count] = {row, memory_.row_parents[row], std::min(distance, pull.bound)};
        count += distance < pull.settled_below ? 0 : 1;
    }

    std::array<std::uint32_t, kPieceRows> tails;
    std::size_t tail_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i + kAhead < count) __builtin_prefetch(&heads_[rows[i + kAhead].row]);
        const Head& head = heads_[rows[i].row];
        for (std::size_t k = 0; k < kHeadEdges; ++k) try_edge(head.columns[k], head.weights[k], rows[i]);
        tails[tail_count] = static_cast<std::uint32_t>(i);
        tail_count += algo::capped_sum(pull.least, head.weights.back()) < rows[i].best ? 1 : 0;
    }
    worker.arcs += count * kHeadEdges;
    for (std::size_t i = 0; i < tail_count; ++i) {
        if (i + kAhead < tail_count) {
            const std::uint64_t begin = in_.begin(rows[tails[i + kAhead]].row) + kHeadEdges;
            __builtin_prefetch(in_.neighbours + begin);
            __builtin_prefetch(in_weights_ + begin);
        }
        pull_tail(pull.least, rows[tails[i]], worker);
    }

    // What changes from now on is at least at this distance.
    const D below = pull.first ? pull.settled_below : pull.least;
    const std::size_t improved_before = worker.improved.size();
    const std::size_t candidates_before = worker.candidates.size();
    worker.improved.resize(improved_before + count);
    worker.candidates.resize(candidates_before + count);
    std::uint32_t* improved = worker.improved.data() + improved_before;
    std::uint32_t* candidate = worker.candidates.data() + candidates_before;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [row, parent, best] = rows[i];
        if (best == unreached<D>() && has_overflow(row)) worker.overflow = true;
        const D before = memory_.row_distances[row];
        const bool is_improved = best < std::min(before, pull.bound);
        const D distance = is_improved ? best : before;
        std::atomic_ref<D>(memory_.row_distances[row]).store(distance, std::memory_order_relaxed);
        memory_.row_parents[row] = parent;
        *improved = row;
        improved += is_improved ? 1 : 0;
        *candidate = row;
        candidate += algo::capped_sum(below, heads_[row].weights.front()) < best ? 1 : 0;
    }
    worker.improved.resize(static_cast<std::size_t>(improved - worker.improved.data()));
    worker.candidates.resize(static_cast<std::size_t>(candidate - worker.candidates.data()));
}

template <typename D, typename W>
void GridEngine<D, W>::try_edge(std::uint32_t column, D weight, Pulling& row) const
{
    const D sum = algo::capped_sum(relaxed(memory_.col_distances[column]), weight);
    row.parent = sum < row.best ? column : row.parent;
    row.best = sum < row.best ? sum : row.best;
}

/// Continues a pull behind the head.
template <typename D, typename W>
void GridEngine<D, W>::pull_tail(D least, Pulling& row, Worker& worker) const
{
    const std::uint64_t end = in_.end(row.row);
    std::uint64_t e = in_.begin(row.row) + kHeadEdges;
    const std::uint64_t first = e;
    for (; e < end && algo::capped_sum(least, in_weights_[e]) < row.best; ++e) try_edge(in_.neighbours[e], static_cast<D>(in_weights_[e]), row);
    worker.arcs += e - first;
}

/// Whether a neighbour's distance and the edge's weight make a sum that D cannot hold, or that is
/// infinite.
template <typename D, typename W>
bool GridEngine<D, W>::has_overflow(std::uint32_t row) const
{
    for (std::uint64_t e = in_.begin(row); e < in_.end(row); ++e) {
        const D distance = relaxed(memory_.col_distances[in_.neighbours[e]]);
        if (distance != unreached<D>() && algo::capped_sum(distance, in_weights_[e]) == unreached<D>()) return true;
    }
    return false;
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
    const std::size_t pieces = (count + kPieceRows - 1) / kPieceRows;
    const auto pull_number = [&](std::size_t piece, Worker& worker) {
        const IndexRange range{piece * kPieceRows, std::min(count, (piece + 1) * kPieceRows)};
        if (pull.first)
            pull_piece(
                range, pull, [](std::size_t i) { return static_cast<std::uint32_t>(i); }, worker);
        else
            pull_piece(
                range, pull, [this](std::size_t i) { return candidates_[i]; }, worker);
    };
    const auto threads = static_cast<int>(workers_.size());
    if (threads == 1 || count < tuning_.parallel_from_rows) {
        for (std::size_t piece = 0; piece < pieces; ++piece) pull_number(piece, workers_.front());
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::size_t piece = 0; piece < pieces; ++piece) pull_number(piece, workers_[static_cast<std::size_t>(omp_get_thread_num())]);
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
