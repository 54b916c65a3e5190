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
#include "gpu/graph/block_memory.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/grid/kernels.hpp"
#include "gpu/sssp/grid/plan.hpp"
#include "gpu/sssp/grid/row_words.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::string_view kAdvice = "use more GPUs or --engine cpu";
constexpr std::size_t kMostBins = 1024;  // of settled edges

template <typename D, typename W>
class GridSteps final : public algo::SsspSteps<D>
{
public:
    GridSteps(const DistributedGraph& graph, GridExchange exchange, const GridStepsPlan<D, W>& plan,
              std::size_t most_bytes);
    ~GridSteps() override
    {
        // Pending work uses memory that is now released. An error of these calls can no longer be
        // reported.
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
    void upload(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan);
    void make_views(const GridStepsPlan<D, W>& plan);

    [[nodiscard]] LaunchPlace place() const { return {stream_, multiprocessors_}; }
    [[nodiscard]] bool folds() const { return sides_.row_chunks > 1; }
    [[nodiscard]] static D from_word(std::uint64_t word)
    {
        return word == ~std::uint64_t{0} ? algo::unreached<D>() : from_ordered<D>(static_cast<OrderedWord<D>>(word));
    }
    /// Sets all counts to those of a round in which nothing has happened. `changed`: the number of
    /// changed slots that kernels will read.
    void begin(std::uint32_t changed = 0);
    /// Waits for the counts.
    [[nodiscard]] const GridCounts& read_counts();
    [[nodiscard]] algo::Choice<D> read_choice();
    /// Makes the improved rows changed slots, of which counts_ are the counts then, unless a piece had
    /// no room; and returns the round's work. `renews_open`: whether the round has made a new list of
    /// open columns or rows.
    algo::RoundWork<D> end_round(bool renews_open);
    /// Sets the room of the pieces for a round that expands `slots` slots of all ranks.
    void set_room(std::uint64_t slots);
    void exchange_pieces();
    /// Sends found distances for which the pieces had no room.
    void send_again();
    std::uint64_t write_results(D bound);

    const DistributedGraph& graph_;
    GridExchange exchange_;
    int device_;
    int multiprocessors_;
    Stream stream_;
    Staging staging_;
    DeviceCsr out_edges_;
    DeviceCsr in_edges_;  // only for pulls, and if they differ from out_edges_
    DeviceArrays weights_;
    DeviceArrays arrays_;
    WeightedBlockView<W> block_;
    BlockSides sides_;
    SsspStateView<D> state_;
    SlotSetsView sets_;
    LocalResults<D> results_;
    std::span<ToldDistance<D>> told_;
    std::span<FoundDistance<D>> sent_;
    std::span<FoundDistance<D>> received_;

    DeviceBuffer<GridCounts> device_counts_;
    // The distances that are sent again to each rank of the grid row, and received again; then the
    // places in sent_.
    DeviceBuffer<std::uint64_t> again_;
    DeviceBuffer<std::uint64_t> bins_;
    DeviceBuffer<std::uint64_t> reached_;
    FoundPieces<D> pieces_;
    PinnedBuffer<GridCounts> host_counts_;
    PinnedBuffer<std::uint64_t> host_again_;
    PinnedBuffer<std::uint64_t> host_bins_;
    Event copied_;

    // Of the current search.
    std::vector<std::uint32_t> sources_;  // local numbers of this rank's sources
    SlotCounts counts_{};                 // after the last commit
    std::size_t expanded_ = 0;            // columns in state_.changed
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
      multiprocessors_(multiprocessors_of(device_)),
      out_edges_(graph.block.out_edges().view(), staging_, stream_),
      weights_(plan.weights),
      arrays_(plan.state),
      device_counts_(1),
      again_(3 * std::size_t{graph.block.row_chunks}),
      bins_(kMostBins),
      reached_(1),
      host_counts_(1),
      host_again_(3 * std::size_t{graph.block.row_chunks}),
      host_bins_(kMostBins)
{
    const CsrBlock& block = graph.block;
    sides_ = {.slots = block.slot_stride,
              .row_chunks = block.row_chunks,
              .own_row_chunk = block.own_row_chunk,
              .first_own_column = block.own_col(0).value,
              .cols = block.cols(),
              .vertices = {}};
    make_views(plan);
    upload(graph, plan);
    RowKernels<D, W>::load();
    PushKernels<D, W>::load();
    if (plan.pulls) PullKernels<D, W>::load();
    stream_.synchronize();
}

template <typename D, typename W>
void GridSteps<D, W>::make_views(const GridStepsPlan<D, W>& plan)
{
    const auto at = [&](const auto& array) { return arrays_[array].data(); };
    const auto if_any = [&](const auto& array) { return array.count > 0 ? arrays_[array].data() : nullptr; };
    const SsspStatePlan<D>& state = plan.state;
    state_ = {.words = at(state.words),
              .parents = at(state.parents),
              .columns = at(state.columns),
              .changed = at(state.changed),
              .active = at(state.active),
              .places = at(state.places),
              .nexts = at(state.nexts),
              .is_open = at(state.is_open),
              .open = at(state.open),
              .still_open = at(state.still_open),
              .improved = at(state.improved),
              .improved_bits = at(state.improved_bits),
              .header = &device_counts_.data()->round,
              .pieces = at(state.pieces)};
    sets_ = {.changed = at(state.changed_slots),
             .changed_bits = if_any(state.changed_bits),
             .chosen = at(state.chosen),
             .waiting = if_any(state.waiting),
             .still_waiting = if_any(state.still_waiting),
             .waiting_bits = if_any(state.waiting_bits),
             .settled = if_any(state.settled),
             .settled_bits = if_any(state.settled_bits),
             .out_degrees = at(state.out_degrees),
             .parents = if_any(state.own_parents),
             .counts = &device_counts_.data()->slots};
    results_ = {.slot_of_local = at(state.slot_of_local),
                .distances = at(state.local_distances),
                .parents = at(state.local_parents),
                .reached = reached_.data(),
                .count = graph_.local_count()};
    pieces_ = {.sent = if_any(state.sent_pieces),
               .received = if_any(state.received_pieces),
               .ranks = sides_.row_chunks,
               .own = sides_.own_row_chunk,
               .room = kLeastRoom};
    told_ = arrays_[state.told];
    sent_ = arrays_[state.sent];
    received_ = arrays_[state.received];
    sides_.vertices = {if_any(state.narrow_vertices), if_any(state.wide_vertices)};
    fill_bytes_async(arrays_[state.improved_bits], 0, stream_);
    fill_bytes_async(arrays_[state.is_open], 0, stream_);
    fill_bytes_async(arrays_[state.changed_bits], 0, stream_);
}

template <typename D, typename W>
void GridSteps<D, W>::upload(const DistributedGraph& graph, const GridStepsPlan<D, W>& plan)
{
    const CsrBlock& block = graph.block;
    const std::span<W> out_weights = weights_[plan.weights.out_weights];
    staging_.to_device(std::get<HostBuffer<W>>(block.out_weights()).span(), out_weights.data(), stream_);
    block_ = {.out_edges = out_edges_.view(),
              .out_weights = out_weights.data(),
              .in_edges = out_edges_.view(),
              .in_weights = out_weights.data(),
              .rows = block.rows(),
              .cols = block.cols(),
              .slots = block.slot_stride,
              .first_own_column = block.own_col(0).value};
    if (plan.pulls && !block.symmetric) {
        const std::span<W> in_weights = weights_[plan.weights.in_weights];
        in_edges_ = DeviceCsr(block.in_edges.view(), staging_, stream_);
        staging_.to_device(std::get<HostBuffer<W>>(block.in_weights).span(), in_weights.data(), stream_);
        block_.in_edges = in_edges_.view();
        block_.in_weights = in_weights.data();
    }
    const SsspStatePlan<D>& state = plan.state;
    staging_.to_device(block.out_degrees.span(), arrays_[state.out_degrees].data(), stream_);
    staging_.to_device(graph.slot_of_local.span(), arrays_[state.slot_of_local].data(), stream_);
    graph.vertex_of_column.visit([&]<typename Id>(std::span<const Id> vertices) {
        if constexpr (sizeof(Id) == sizeof(std::int32_t))
            staging_.to_device(vertices, arrays_[state.narrow_vertices].data(), stream_);
        else
            staging_.to_device(vertices, arrays_[state.wide_vertices].data(), stream_);
    });
}

template <typename D, typename W>
void GridSteps<D, W>::start(std::span<const Vertex> sources)
{
    check(cudaSetDevice(device_));
    window_ = D{0};
    open_ = 0;
    expanded_ = 0;
    counts_ = {};
    pieces_.room = kLeastRoom;
    const std::size_t words = (std::size_t{sides_.slots} + 31) / 32;
    if (std::exchange(has_marks_, false)) fill_bytes_async(std::span(state_.is_open, block_.cols), 0, stream_);
    if (sets_.waiting_bits != nullptr) fill_bytes_async(std::span(sets_.waiting_bits, words), 0, stream_);
    if (sets_.settled_bits != nullptr) fill_bytes_async(std::span(sets_.settled_bits, words), 0, stream_);
    RowKernels<D, W>::reset(block_, state_, place());
    begin();
    sources_.clear();
    std::vector<std::uint32_t> slots;
    for (const Vertex source : sources) {
        if (graph_.partition.owner(source) != graph_.rank) continue;
        sources_.push_back(graph_.partition.local(source));
        const std::uint32_t slot = graph_.slot_of_local[sources_.back()];
        if (slot != sides_.slots) slots.push_back(slot);  // a source without edges is only in the results
    }
    staging_.to_device(std::span<const std::uint32_t>(slots), sets_.changed, stream_);
    SlotKernels<D>::start(sides_, state_, sets_, static_cast<std::uint32_t>(slots.size()), place());
    SlotKernels<D>::sum_changed(sides_, state_, sets_, place());
    counts_ = read_counts().slots;
}

template <typename D, typename W>
void GridSteps<D, W>::begin(std::uint32_t changed)
{
    SlotKernels<D>::begin(state_, sets_, pieces_,
                          {static_cast<std::uint32_t>(open_), changed, counts_.waiting, counts_.settled}, place());
}

template <typename D, typename W>
const GridCounts& GridSteps<D, W>::read_counts()
{
    copy_async(std::span<const GridCounts>(device_counts_.span()), host_counts_.span(), stream_);
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
    SlotKernels<D>::add_waiting(sides_, sets_, place());
    SlotKernels<D>::choose_below(sides_, state_, sets_, window, place());
    std::swap(sets_.waiting, sets_.still_waiting);
    return read_choice();
}

template <typename D, typename W>
void GridSteps<D, W>::add_settled_edges(D window, std::span<std::uint64_t> bins)
{
    const std::span<std::uint64_t> on_device = bins_.span().first(bins.size());
    fill_bytes_async(on_device, 0, stream_);
    SlotKernels<D>::add_settled_edges(sides_, state_, sets_, window, on_device.data(),
                                      static_cast<std::uint32_t>(bins.size()), place());
    const std::span<std::uint64_t> on_host = host_bins_.span().first(bins.size());
    copy_async(std::span<const std::uint64_t>(on_device), on_host, stream_);
    stream_.synchronize();
    for (std::size_t i = 0; i < bins.size(); ++i) bins[i] += on_host[i];
}

template <typename D, typename W>
algo::Choice<D> GridSteps<D, W>::choose_nearest(D window, std::size_t bins, std::size_t all_bins)
{
    begin();
    SlotKernels<D>::choose_nearest(sides_, state_, sets_, window, static_cast<std::uint32_t>(bins),
                                   static_cast<std::uint32_t>(all_bins), place());
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
    const std::uint32_t* const list = slots == algo::Expanded::changed ? sets_.changed : sets_.chosen;
    SlotKernels<D>::tell(sides_, state_, list, counts[own], told_.data() + own * most, place());
    // Pieces of one size: vertices are dealt evenly.
    exchange_.column.all_gather(reinterpret_cast<std::byte*>(told_.data()), most * sizeof(ToldDistance<D>), stream_);
    for (std::size_t r = 0; r < ranks; ++r) {
        SlotKernels<D>::take_told(state_, told_.data() + r * most, counts[r],
                                  static_cast<std::uint32_t>(r) * sides_.slots, expanded_, place());
        expanded_ += counts[r];
    }
}

template <typename D, typename W>
void GridSteps<D, W>::expand_all(int /*round*/)
{
    expanded_ = 0;
    set_room(static_cast<std::uint64_t>(graph_.connected_vertices));
    if (folds()) SlotKernels<D>::copy_distances(sides_, state_, state_.columns + sides_.first_own_column, place());
    exchange_.column.all_gather(reinterpret_cast<std::byte*>(state_.columns), sides_.slots * sizeof(D), stream_);
}

template <typename D, typename W>
void GridSteps<D, W>::refresh_rows(int /*round*/)
{
    if (!folds()) return;
    // No distances are on their way to their owners.
    static_assert(sizeof(FoundDistance<D>) >= sizeof(D));
    D* const distances = reinterpret_cast<D*>(sent_.data());
    SlotKernels<D>::copy_distances(sides_, state_, distances + sides_.first_own_row(), place());
    exchange_.row.all_gather(reinterpret_cast<std::byte*>(distances), sides_.slots * sizeof(D), stream_);
    RowKernels<D, W>::lower_rows(block_, state_, distances, place());
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::end_round(bool renews_open)
{
    if (renews_open) std::swap(state_.open, state_.still_open);
    if (folds())
        exchange_pieces();
    else
        SlotKernels<D>::take_improved(state_, sets_, place());
    SlotKernels<D>::sum_changed(sides_, state_, sets_, place());
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
    // While windows reach the busy vertices, a slot leads to a few new ones.
    constexpr std::uint64_t found_of_a_slot = 4;
    const std::uint64_t wanted = std::bit_ceil(found_of_a_slot * slots / pieces_.ranks);
    pieces_.room = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, kLeastRoom, most_room(pieces_.ranks)));
}

template <typename D, typename W>
void GridSteps<D, W>::exchange_pieces()
{
    SlotKernels<D>::fill_pieces(sides_, state_, pieces_, place());
    exchange_.row.all_to_all(pieces_.sent, pieces_.received, FoundPieces<D>::piece_bytes(pieces_.room), stream_);
    SlotKernels<D>::take_own(sides_, state_, sets_, pieces_, again_.data(), place());
    for (std::uint32_t r = 0; r < pieces_.ranks; ++r)
        if (r != pieces_.own) SlotKernels<D>::take_piece(sides_, state_, sets_, pieces_, r, place());
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::push(algo::PushExtent extent, D bound)
{
    const bool window = extent == algo::PushExtent::window;
    const bool resumes = window && bound != window_ && expanded_ + open_ > 0;
    if (window) window_ = bound;
    if (expanded_ == 0 && !resumes && !folds()) {
        // No distance changes.
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
        PushKernels<D, W>::start_lists(block_, state_, bound, expanded_, place());
    }
    if (resumes) {
        lists += open_;  // at most this many are active now
        PushKernels<D, W>::resume_lists(block_, state_, bound, lists, place());
    }
    if (lists > 0) {
        PushKernels<D, W>::relax(block_, state_, extent, bound, lists, place());
        PushKernels<D, W>::find_parents(block_, state_, extent, bound, lists, place());
    }
    return end_round(resumes);
}

template <typename D, typename W>
algo::RoundWork<D> GridSteps<D, W>::pull(const algo::PullBounds<D>& bounds)
{
    const std::size_t rows = bounds.first ? block_.rows : open_;
    begin();
    algo::Pull<D> pull;
    pull.settled_below = bounds.settled_below;
    pull.least = bounds.least;
    pull.bound = bounds.bound;
    pull.first = bounds.first;
    pull.lists = bounds.lists;
    PullKernels<D, W>::pull(block_, state_, pull, rows, place());
    return end_round(true);
}

template <typename D, typename W>
void GridSteps<D, W>::commit(int /*round*/)
{
    if (counts_.overflows == 0) return;
    send_again();
    fill_bytes_async(std::span(&sets_.counts->overflows, 1), 0, stream_);
    SlotKernels<D>::sum_changed(sides_, state_, sets_, place());
    counts_ = read_counts().slots;
}

template <typename D, typename W>
void GridSteps<D, W>::send_again()
{
    const std::size_t ranks = sides_.row_chunks;
    const std::span<std::uint64_t> counted = host_again_.span();
    copy_async(std::span<const std::uint64_t>(again_.span()).first(2 * ranks), counted.first(2 * ranks), stream_);
    stream_.synchronize();
    const std::span<std::uint64_t> places = counted.subspan(2 * ranks);
    std::exclusive_scan(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(ranks), places.begin(),
                        std::uint64_t{0});
    std::uint64_t* const next = again_.data() + 2 * ranks;
    copy_async(std::span<const std::uint64_t>(places), std::span(next, ranks), stream_);
    SlotKernels<D>::place_found(sides_, state_, again_.data(), next, sent_.data(), place());

    const auto bytes_of_each = [&](std::size_t first) {
        std::vector<std::int64_t> bytes;
        for (const std::uint64_t count : counted.subspan(first, ranks))
            bytes.push_back(static_cast<std::int64_t>(count * sizeof(FoundDistance<D>)));
        return bytes;
    };
    exchange_.row.all_to_all_v(reinterpret_cast<const std::byte*>(sent_.data()), bytes_of_each(0),
                               reinterpret_cast<std::byte*>(received_.data()), bytes_of_each(ranks), stream_);
    const FoundDistance<D>* found = received_.data();
    for (const std::uint64_t count : counted.subspan(ranks, ranks)) {
        SlotKernels<D>::take_found(sides_, state_, sets_, found, count, place());
        found += count;
    }
}

template <typename D, typename W>
bool GridSteps<D, W>::leaves_out_vertices()
{
    begin();
    RowKernels<D, W>::find_left_out(block_, state_, place());
    return read_counts().round.pieces != 0;
}

template <typename D, typename W>
std::span<const D> GridSteps<D, W>::slot_distances()
{
    if (slot_distances_.empty()) slot_distances_ = HostBuffer<D>(sides_.slots);
    D* const distances = reinterpret_cast<D*>(told_.data());
    SlotKernels<D>::copy_distances(sides_, state_, distances, place());
    staging_.to_host(static_cast<const D*>(distances), slot_distances_.span(), stream_);
    return slot_distances_.span();
}

template <typename D, typename W>
std::uint64_t GridSteps<D, W>::write_results(D bound)
{
    fill_bytes_async(reached_.span(), 0, stream_);
    SlotKernels<D>::write_results(sides_, state_, sets_, bound, results_, place());
    std::uint64_t reached = 0;
    copy_async(std::span<const std::uint64_t>(reached_.span()), std::span(&reached, 1), stream_);
    stream_.synchronize();
    return reached;
}

template <typename D, typename W>
HostBuffer<Vertex> GridSteps<D, W>::parents_without_source()
{
    write_results(algo::unreached<D>());
    HostBuffer<Vertex> parents(results_.count);
    staging_.to_host(static_cast<const std::int64_t*>(results_.parents), parents.span(), stream_);
    return parents;
}

template <typename D, typename W>
std::uint64_t GridSteps<D, W>::finish(D bound, std::span<D> /*distances*/, VertexArray& /*parents*/)
{
    // The GPU does not know of sources without edges.
    const auto alone = std::ranges::count_if(
        sources_, [this](std::uint32_t local) { return graph_.slot_of_local[local] == sides_.slots; });
    return write_results(bound) + static_cast<std::uint64_t>(alone);
}

template <typename D, typename W>
void GridSteps<D, W>::fetch(std::span<D> distances, VertexArray& parents)
{
    check(cudaSetDevice(device_));
    staging_.to_host(static_cast<const D*>(results_.distances), distances, stream_);
    parents.visit([&](auto out) {
        using Id = typename decltype(out)::value_type;
        staging_.to_host(static_cast<const std::int64_t*>(results_.parents), out.size(), stream_,
                         [out](std::size_t first, std::span<const std::int64_t> chunk) {
                             parallel_for(chunk.size(), kSerialBelow,
                                          [&](std::size_t i) { out[first + i] = static_cast<Id>(chunk[i]); });
                         });
    });
    for (const std::uint32_t local : sources_) {
        if (graph_.slot_of_local[local] == sides_.slots) distances[local] = D{0};
        // With negative weights a source can have a parent.
        if (parents[local] == kUnreached) parents.set(local, graph_.partition.vertex(graph_.rank, local));
    }
}

/// Calls f.operator()<D, W>() for the types of distances and weights of searches in a block.
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
