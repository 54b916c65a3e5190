#include "gpu/sssp/grid/steps.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algo/sssp/distance.hpp"
#include "base/error.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/kernels.hpp"
#include "gpu/sssp/grid/memory.hpp"
#include "gpu/sssp/grid/plan.hpp"
#include "gpu/sssp/grid/row_words.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::string_view kAdvice = "use more GPUs or --engine cpu";

template <typename D, typename W>
class GridSteps final : public algo::SsspSteps<D>
{
public:
    GridSteps(const DistributedGraph& graph, GridExchange exchange, const GridStepsPlan<D, W>& plan,
              std::size_t most_bytes);
    ~GridSteps() override
    {
        // The stream may still use memory that is about to be released. The destructor cannot
        // report errors of these calls.
        cudaSetDevice(device_);
        cudaStreamSynchronize(stream_.get());
    }

    void start(std::span<const Vertex> sources) override;

    algo::SlotFacts<D> changed() override { return {counts_.changed, from_word(counts_.least)}; }
    std::uint64_t out_edges_of_changed() override { return counts_.changed_edges; }
    std::uint64_t settle_changed() override { return counts_.settled_edges; }
    algo::Choice<D> choose_below(D window) override;
    void add_settled_edges(D window, std::span<std::uint64_t> bins) override;
    algo::Choice<D> choose_nearest(D window, std::size_t bins, std::size_t all_bins) override;

    void expand(algo::Expanded slots, const algo::ExpandedCounts& expanded, int round) override;
    void expand_all(int round) override;
    void refresh_rows(int round) override;
    algo::RoundWork<D> push(algo::PushExtent extent, D bound) override;
    algo::RoundWork<D> pull(const algo::PullBounds<D>& bounds) override;
    void commit(int round) override;

    bool leaves_out_vertices() override;
    HostBuffer<Vertex> parents_without_source() override;
    std::span<const D> slot_distances() override;
    std::uint64_t finish(D bound, std::span<D> distances, VertexArray& parents) override;
    void fetch(std::span<D> distances, VertexArray& parents) override;

private:
    [[nodiscard]] bool folds() const { return memory_.sides.row_chunks > 1; }
    [[nodiscard]] static D from_word(std::uint64_t word)
    {
        return word == ~std::uint64_t{0} ? algo::unreached<D>() : from_ordered<D>(static_cast<OrderedWord<D>>(word));
    }
    /// Sets all counts to those of a round without work. `changed`: number of changed slots that
    /// kernels will read.
    void begin(std::uint32_t changed = 0);
    /// Waits for the counts of the kernels.
    [[nodiscard]] const GridCounts& read_counts();
    [[nodiscard]] algo::Choice<D> read_choice();
    /// Commits a round: makes the improved rows the changed slots, and copies their counts to
    /// counts_, unless a piece had no room. Returns the work of the round. `renews_open`: whether
    /// the round has made a new list of open columns or rows.
    algo::RoundWork<D> end_round(bool renews_open);
    /// Sets the capacity (`room`) of the messages to one rank, for a round that expands `slots` slots on all ranks.
    void set_room(std::uint64_t slots);
    void exchange_pieces();
    /// Sends the found distances for which the pieces had no room.
    void resend();
    std::uint64_t write_results(D bound);

    const DistributedGraph& graph_;
    GridExchange exchange_;
    int device_;
    Stream stream_;
    Staging staging_;
    GridMemory<D, W> memory_;
    LaunchPlace place_;
    RowKernels<D, W> rows_{{memory_.block, memory_.state, place_}};
    PushKernels<D, W> pushes_{{memory_.block, memory_.state, place_}};
    PullKernels<D, W> pulls_{{memory_.block, memory_.state, place_}};
    SlotKernels<D> slots_{memory_.sides, memory_.state, memory_.sets, memory_.pieces, place_};

    PinnedBuffer<GridCounts> host_counts_;
    PinnedBuffer<std::uint64_t> host_resend_counts_;
    PinnedBuffer<std::uint64_t> host_bins_;
    Event copied_;

    // State of the current search:
    std::vector<std::uint32_t> sources_;  // local numbers of this rank's sources
    SlotCounts counts_{};                 // after the last commit
    std::size_t expanded_ = 0;            // columns in memory_.state.changed
    D window_{};                          // the bound of the last push in a window
    std::size_t open_ = 0;                // columns whose lists go on, or rows that may still improve
    bool has_marks_ = false;              // of open columns, from this search or an earlier one
    HostBuffer<D> slot_distances_;
};

template <typename D, typename W>
GridSteps<D, W>::GridSteps(const DistributedGraph& graph, GridExchange exchange, const GridStepsPlan<D, W>& plan,
                           std::size_t most_bytes)
    : graph_(graph),
      exchange_(exchange),
      device_(device_with_room(plan.bytes(), most_bytes, kAdvice)),
      memory_(graph, plan, staging_, stream_),
      place_{stream_, multiprocessors_of(device_)},
      host_counts_(1),
      host_resend_counts_(memory_.resend_counts.size()),
      host_bins_(memory_.bins.size())
{
    RowKernels<D, W>::load();
    PushKernels<D, W>::load();
    if (plan.pulls) PullKernels<D, W>::load();
    stream_.synchronize();
}

template <typename D, typename W>
void GridSteps<D, W>::start(std::span<const Vertex> sources)
{
    check(cudaSetDevice(device_));
    window_ = D{0};
    open_ = 0;
    expanded_ = 0;
    counts_ = {};
    memory_.pieces.room = kLeastRoom;
    const std::size_t words = (std::size_t{memory_.sides.slots} + 31) / 32;
    if (std::exchange(has_marks_, false))
        fill_bytes_async(std::span(memory_.state.is_open, memory_.block.cols), 0, stream_);
    if (memory_.sets.waiting_bits != nullptr) fill_bytes_async(std::span(memory_.sets.waiting_bits, words), 0, stream_);
    if (memory_.sets.settled_bits != nullptr) fill_bytes_async(std::span(memory_.sets.settled_bits, words), 0, stream_);
    rows_.reset();
    begin();
    sources_.clear();
    std::vector<std::uint32_t> slots;
    for (const Vertex source : sources) {
        if (graph_.partition.owner(source) != graph_.rank) continue;
        sources_.push_back(graph_.partition.local(source));
        const std::uint32_t slot = graph_.slot_of_local[sources_.back()];
        if (slot != memory_.sides.slots) slots.push_back(slot);  // a source without edges is only in the results
    }
    staging_.to_device(std::span<const std::uint32_t>(slots), memory_.sets.changed, stream_);
    slots_.start(static_cast<std::uint32_t>(slots.size()));
    slots_.sum_changed();
    counts_ = read_counts().slots;
}

template <typename D, typename W>
void GridSteps<D, W>::begin(std::uint32_t changed)
{
    slots_.begin({static_cast<std::uint32_t>(open_), changed, counts_.waiting, counts_.settled});
}

template <typename D, typename W>
const GridCounts& GridSteps<D, W>::read_counts()
{
    copy_async(std::span<const GridCounts>(memory_.counts.span()), host_counts_.span(), stream_);
    copied_.record(stream_);
    copied_.synchronize();
    return *host_counts_.data();
}

template <typename D, typename W>
algo::Choice<D> GridSteps<D, W>::read_choice()
{
    const SlotCounts chosen = read_counts().slots;
    counts_.waiting = chosen.still_waiting;
    return {{chosen.chosen, from_word(chosen.least)}, from_word(chosen.least_left)};
}

template <typename D, typename W>
algo::Choice<D> GridSteps<D, W>::choose_below(D window)
{
    begin(std::exchange(counts_.changed, 0));  // they wait now
    slots_.add_waiting();
    slots_.choose_below(window);
    std::swap(memory_.sets.waiting, memory_.sets.still_waiting);
    return read_choice();
}

template <typename D, typename W>
void GridSteps<D, W>::add_settled_edges(D window, std::span<std::uint64_t> bins)
{
    const std::span<std::uint64_t> on_device = memory_.bins.span().first(bins.size());
    fill_bytes_async(on_device, 0, stream_);
    slots_.add_settled_edges(window, on_device.data(), static_cast<std::uint32_t>(bins.size()));
    const std::span<std::uint64_t> on_host = host_bins_.span().first(bins.size());
    copy_async(std::span<const std::uint64_t>(on_device), on_host, stream_);
    stream_.synchronize();
    for (std::size_t i = 0; i < bins.size(); ++i) bins[i] += on_host[i];
}

template <typename D, typename W>
algo::Choice<D> GridSteps<D, W>::choose_nearest(D window, std::size_t bins, std::size_t all_bins)
{
    begin();
    slots_.choose_nearest(window, static_cast<std::uint32_t>(bins), static_cast<std::uint32_t>(all_bins));
    return read_choice();
}

template <typename D, typename W>
void GridSteps<D, W>::expand(algo::Expanded slots, const algo::ExpandedCounts& expanded, int /*round*/)
{
    const std::span<const std::size_t> counts = expanded.column;
    const std::size_t most = *std::ranges::max_element(counts);
    const std::size_t ranks = counts.size();
    set_room(expanded.all);
    const auto own = static_cast<std::size_t>(exchange_.column.rank());
    expanded_ = 0;
    if (most == 0) return;
    const std::uint32_t* const list = slots == algo::Expanded::changed ? memory_.sets.changed : memory_.sets.chosen;
    slots_.pack_distances(list, counts[own], memory_.gathered.data() + own * most);
    // All pieces have the same size, because vertices are distributed evenly.
    exchange_.column.all_gather(reinterpret_cast<std::byte*>(memory_.gathered.data()), most * sizeof(SentDistance<D>),
                                stream_);
    for (std::size_t r = 0; r < ranks; ++r) {
        slots_.store_received(
            {memory_.gathered.data() + r * most, counts[r], static_cast<std::uint32_t>(r) * memory_.sides.slots},
            expanded_);
        expanded_ += counts[r];
    }
}

template <typename D, typename W>
void GridSteps<D, W>::expand_all(int /*round*/)
{
    expanded_ = 0;
    set_room(static_cast<std::uint64_t>(graph_.connected_vertices));
    if (folds()) slots_.copy_distances(memory_.state.columns + memory_.sides.first_own_column);
    exchange_.column.all_gather(reinterpret_cast<std::byte*>(memory_.state.columns), memory_.sides.slots * sizeof(D),
                                stream_);
}

template <typename D, typename W>
void GridSteps<D, W>::refresh_rows(int /*round*/)
{
    if (!folds()) return;
    // sent_ is free here: no distances are being sent to their owners.
    static_assert(sizeof(FoundDistance<D>) >= sizeof(D));
    D* const distances = reinterpret_cast<D*>(memory_.sent.data());
    slots_.copy_distances(distances + memory_.sides.first_own_row());
    exchange_.row.all_gather(reinterpret_cast<std::byte*>(distances), memory_.sides.slots * sizeof(D), stream_);
    rows_.lower_rows(distances);
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::end_round(bool renews_open)
{
    if (renews_open) std::swap(memory_.state.open, memory_.state.still_open);
    if (folds())
        exchange_pieces();
    else
        slots_.commit_improved();
    slots_.sum_changed();
    const GridCounts& counts = read_counts();
    counts_ = counts.slots;
    const RoundHeader& header = counts.round;
    open_ = renews_open ? header.still_open : header.open;
    const std::uint64_t improved = std::max<std::uint64_t>(header.improved, header.improved_rows);
    return {improved, header.arcs, from_ordered<D>(static_cast<OrderedWord<D>>(header.next)), header.overflow != 0};
}

template <typename D, typename W>
void GridSteps<D, W>::set_room(std::uint64_t slots)
{
    // An estimate: each slot finds up to 4 new vertices while windows reach vertices of large degrees. If more
    // are found, resend() sends the rest.
    constexpr std::uint64_t found_of_a_slot = 4;
    const std::uint64_t wanted = std::bit_ceil(found_of_a_slot * slots / memory_.pieces.ranks);
    memory_.pieces.room =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, kLeastRoom, most_room(memory_.pieces.ranks)));
}

template <typename D, typename W>
void GridSteps<D, W>::exchange_pieces()
{
    slots_.fill_pieces();
    exchange_.row.all_to_all(memory_.pieces.sent, memory_.pieces.received,
                             FoundPieces<D>::piece_bytes(memory_.pieces.room), stream_);
    slots_.commit_own_chunk(memory_.resend_counts.data());
    for (std::uint32_t r = 0; r < memory_.pieces.ranks; ++r)
        if (r != memory_.pieces.own) slots_.commit_piece(r);
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::push(algo::PushExtent extent, D bound)
{
    const bool window = extent == algo::PushExtent::window;
    const bool resumes = window && bound != window_ && expanded_ + open_ > 0;
    if (window) window_ = bound;
    if (expanded_ == 0 && !resumes && !folds()) {
        // The round changes no distance.
        const SlotCounts before = counts_;
        counts_ = {};
        counts_.least = ~std::uint64_t{0};
        counts_.waiting = before.waiting;
        counts_.settled = before.settled;
        return {};
    }
    begin();
    std::size_t lists = expanded_;
    if (window && expanded_ > 0) {
        has_marks_ = true;
        pushes_.start_lists(bound, expanded_);
    }
    if (resumes) {
        lists += open_;  // at most this many are active now
        pushes_.resume_lists(bound, lists);
    }
    if (lists > 0) {
        pushes_.relax(extent, bound, lists);
        pushes_.find_parents(extent, bound, lists);
    }
    return end_round(resumes);
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::pull(const algo::PullBounds<D>& bounds)
{
    const std::size_t rows = bounds.first ? memory_.block.rows : open_;
    begin();
    algo::Pull<D> pull;
    pull.settled_below = bounds.settled_below;
    pull.least = bounds.least;
    pull.bound = bounds.bound;
    pull.first = bounds.first;
    pull.lists = bounds.lists;
    pulls_.pull(pull, rows);
    return end_round(true);
}

template <typename D, typename W>
void GridSteps<D, W>::commit(int /*round*/)
{
    if (counts_.overflows == 0) return;
    resend();
    fill_bytes_async(std::span(&memory_.sets.counts->overflows, 1), 0, stream_);
    slots_.sum_changed();
    counts_ = read_counts().slots;
}

template <typename D, typename W>
void GridSteps<D, W>::resend()
{
    const std::size_t ranks = memory_.sides.row_chunks;
    const std::span<std::uint64_t> counted = host_resend_counts_.span();
    copy_async(std::span<const std::uint64_t>(memory_.resend_counts.span()).first(2 * ranks), counted.first(2 * ranks),
               stream_);
    stream_.synchronize();
    const std::span<std::uint64_t> places = counted.subspan(2 * ranks);
    std::exclusive_scan(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(ranks), places.begin(),
                        std::uint64_t{0});
    std::uint64_t* const next = memory_.resend_counts.data() + 2 * ranks;
    copy_async(std::span<const std::uint64_t>(places), std::span(next, ranks), stream_);
    slots_.pack_found(memory_.resend_counts.data(), next, memory_.sent.data());

    const auto bytes_of_each = [&](std::size_t first) {
        std::vector<std::int64_t> bytes;
        for (const std::uint64_t count : counted.subspan(first, ranks))
            bytes.push_back(static_cast<std::int64_t>(count * sizeof(FoundDistance<D>)));
        return bytes;
    };
    exchange_.row.all_to_all_v(reinterpret_cast<const std::byte*>(memory_.sent.data()), bytes_of_each(0),
                               reinterpret_cast<std::byte*>(memory_.received.data()), bytes_of_each(ranks), stream_);
    const FoundDistance<D>* found = memory_.received.data();
    for (const std::uint64_t count : counted.subspan(ranks, ranks)) {
        slots_.commit_found(found, count);
        found += count;
    }
}

template <typename D, typename W>
bool GridSteps<D, W>::leaves_out_vertices()
{
    begin();
    rows_.find_left_out();
    return read_counts().round.pieces != 0;
}

template <typename D, typename W>
std::span<const D> GridSteps<D, W>::slot_distances()
{
    if (slot_distances_.empty()) slot_distances_ = HostBuffer<D>(memory_.sides.slots);
    D* const distances = reinterpret_cast<D*>(memory_.gathered.data());
    slots_.copy_distances(distances);
    staging_.to_host(static_cast<const D*>(distances), slot_distances_.span(), stream_);
    return slot_distances_.span();
}

template <typename D, typename W>
std::uint64_t GridSteps<D, W>::write_results(D bound)
{
    fill_bytes_async(memory_.reached.span(), 0, stream_);
    slots_.write_results(bound, memory_.results);
    std::uint64_t reached = 0;
    copy_async(std::span<const std::uint64_t>(memory_.reached.span()), std::span(&reached, 1), stream_);
    stream_.synchronize();
    return reached;
}

template <typename D, typename W>
HostBuffer<Vertex> GridSteps<D, W>::parents_without_source()
{
    write_results(algo::unreached<D>());
    HostBuffer<Vertex> parents(memory_.results.count);
    staging_.to_host(static_cast<const std::int64_t*>(memory_.results.parents), parents.span(), stream_);
    return parents;
}

template <typename D, typename W>
std::uint64_t GridSteps<D, W>::finish(D bound, std::span<D> /*distances*/, VertexArray& /*parents*/)
{
    // The GPU does not count sources without edges.
    const auto alone = std::ranges::count_if(
        sources_, [this](std::uint32_t local) { return graph_.slot_of_local[local] == memory_.sides.slots; });
    return write_results(bound) + static_cast<std::uint64_t>(alone);
}

template <typename D, typename W>
void GridSteps<D, W>::fetch(std::span<D> distances, VertexArray& parents)
{
    check(cudaSetDevice(device_));
    staging_.to_host(static_cast<const D*>(memory_.results.distances), distances, stream_);
    parents.visit([&](auto out) {
        using Id = typename decltype(out)::value_type;
        staging_.to_host(static_cast<const std::int64_t*>(memory_.results.parents), out.size(), stream_,
                         [out](std::size_t first, std::span<const std::int64_t> chunk) {
                             parallel_for(chunk.size(), kSerialBelow,
                                          [&](std::size_t i) { out[first + i] = static_cast<Id>(chunk[i]); });
                         });
    });
    for (const std::uint32_t local : sources_) {
        if (graph_.slot_of_local[local] == memory_.sides.slots) distances[local] = D{0};
        // With negative weights a source can have a parent.
        if (parents[local] == kUnreached) parents.set(local, graph_.partition.vertex(graph_.rank, local));
    }
}

/// Calls f.operator()<D, W>() for the types of distances and weights of searches in this block of
/// the matrix.
template <typename F>
auto with_types(const CsrBlock& block, bool narrow, F&& f)
{
    switch (weight_type(block.in_weights)) {
        case WeightType::uint32:
            return narrow ? f.template operator()<std::uint32_t, std::uint32_t>()
                          : f.template operator()<std::int64_t, std::uint32_t>();
        case WeightType::int64:
            return f.template operator()<std::int64_t, std::int64_t>();
        case WeightType::float32:
            return f.template operator()<float, float>();
        case WeightType::float64:
            return f.template operator()<double, double>();
        case WeightType::none:
            break;
    }
    throw InputError("shortest paths need a graph with weights");
}

}  // namespace

algo::AnySsspSteps make_grid_steps(const DistributedGraph& graph, GridExchange exchange, algo::SsspMethod method,
                                   bool narrow, std::size_t most_bytes)
{
    return with_types(graph.block, narrow, [&]<typename D, typename W>() -> algo::AnySsspSteps {
        return std::unique_ptr<algo::SsspSteps<D>>(
            std::make_unique<GridSteps<D, W>>(graph, exchange, GridStepsPlan<D, W>(graph, method), most_bytes));
    });
}

DeviceBytes grid_steps_bytes(const DistributedGraph& graph, algo::SsspMethod method, bool narrow)
{
    return with_types(graph.block, narrow,
                      [&]<typename D, typename W>() { return GridStepsPlan<D, W>(graph, method).bytes(); });
}

}  // namespace wayfront::gpu::sssp
