#include "gpu/sssp/host_driven/engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

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
#include "gpu/sssp/host_driven/kernels.hpp"
#include "gpu/sssp/host_driven/plan.hpp"
#include "gpu/sssp/host_driven/row_words.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::string_view kAdvice = "use more GPUs or --engine cpu";

template <typename D, typename W>
class GridEngine final : public algo::SsspEngine<D>
{
public:
    GridEngine(const CsrBlock& block, SsspEngineTuning tuning) : GridEngine(block, SsspEnginePlan<D, W>(block), tuning)
    {
    }
    ~GridEngine() override
    {
        // Pending work uses memory that is now released. An error of these calls can no longer be
        // reported.
        cudaSetDevice(device_);
        cudaStreamSynchronize(stream_.get());
    }

    [[nodiscard]] std::string_view name() const override { return "gpu"; }
    void begin_search(const algo::SsspMemory<D>& memory) override;
    void launch_push(const algo::Push<D>& push) override;
    void launch_pull(const algo::Pull<D>& pull) override;
    [[nodiscard]] algo::RoundOutcome<D> collect() override;

private:
    /// The rows that collect() takes.
    enum class Taken { none, improved, all };

    GridEngine(const CsrBlock& block, const SsspEnginePlan<D, W>& plan, SsspEngineTuning tuning);

    [[nodiscard]] LaunchPlace place() const { return {stream_, multiprocessors_}; }
    /// Begins a round. `open`: the length of the list of open columns or rows.
    void begin_round(std::size_t open);
    /// Copies changed columns with their distances to the device.
    void bring(std::span<const std::uint32_t> changed);
    void bring_all_columns();
    void bring_rows();
    /// `renews_open`: whether the round has made a new list of open columns or rows.
    void end_round(Taken taken, bool renews_open);
    void take_rows(std::span<const ImprovedRow<D>> rows);
    void take_all_rows();

    int device_;
    int multiprocessors_;
    Stream stream_;
    Staging staging_;
    DeviceCsr out_edges_;
    DeviceCsr in_edges_;  // only for pulls, and if they differ from out_edges_
    DeviceArrays weights_;
    DeviceArrays arrays_;
    WeightedBlockView<W> block_;
    SsspStateView<D> state_;

    PinnedBuffer<RoundHeader> first_header_;  // as rounds begin with it
    PinnedBuffer<std::byte> host_outcome_;    // the header, and the first improved rows
    Event outcome_copied_;
    HostBuffer<std::uint32_t> improved_;         // rows that were taken
    std::atomic<std::size_t> improved_count_{};  // threads take rows together

    algo::SsspMemory<D> memory_;
    Taken taken_ = Taken::none;
    bool renews_open_ = false;
    D window_{};              // the bound of the last push in a window
    std::size_t open_ = 0;    // columns whose lists go on, or rows that may still improve
    bool has_marks_ = false;  // of open columns, from this search or an earlier one
};

template <typename D, typename W>
GridEngine<D, W>::GridEngine(const CsrBlock& block, const SsspEnginePlan<D, W>& plan, SsspEngineTuning tuning)
    : device_(device_with_room(plan.bytes(), tuning.most_bytes, kAdvice)),
      multiprocessors_(multiprocessors_of(device_)),
      out_edges_(block.out_edges().view(), staging_, stream_),
      weights_(plan.weights),
      arrays_(plan.state),
      first_header_(1),
      host_outcome_(sizeof(RoundHeader) +
                    std::min<std::size_t>(block.rows(), tuning.eager_rows) * sizeof(ImprovedRow<D>)),
      improved_(block.rows())
{
    const std::span<W> out_weights = weights_[plan.weights.out_weights];
    staging_.to_device(std::get<HostBuffer<W>>(block.out_weights()).span(), out_weights.data(), stream_);
    block_ = {.out_edges = out_edges_.view(),
              .out_weights = out_weights.data(),
              .in_edges = out_edges_.view(),
              .in_weights = out_weights.data(),
              .rows = block.rows(),
              .cols = block.cols(),
              .slots = block.slot_stride,
              .first_own_row = block.own_row(0).value,
              .first_own_column = block.own_col(0).value};
    if (plan.pulls && !block.symmetric) {
        const std::span<W> in_weights = weights_[plan.weights.in_weights];
        in_edges_ = DeviceCsr(block.in_edges.view(), staging_, stream_);
        staging_.to_device(std::get<HostBuffer<W>>(block.in_weights).span(), in_weights.data(), stream_);
        block_.in_edges = in_edges_.view();
        block_.in_weights = in_weights.data();
    }

    const auto at = [&](const auto& array) { return arrays_[array].data(); };
    const SsspStatePlan<D>& state = plan.state;
    std::byte* const outcome = at(state.outcome);
    state_ = {.words = at(state.words),
              .parents = at(state.parents),
              .columns = at(state.columns),
              .changed = at(state.changed),
              .changed_distances = at(state.changed_distances),
              .active = at(state.active),
              .places = at(state.places),
              .nexts = at(state.nexts),
              .is_open = at(state.is_open),
              .open = at(state.open),
              .still_open = at(state.still_open),
              .improved = at(state.improved),
              .improved_bits = at(state.improved_bits),
              .header = reinterpret_cast<RoundHeader*>(outcome),
              .improved_rows = reinterpret_cast<ImprovedRow<D>*>(outcome + sizeof(RoundHeader)),
              .pieces = at(state.pieces)};
    fill_bytes_async(arrays_[state.improved_bits], 0, stream_);
    fill_bytes_async(arrays_[state.is_open], 0, stream_);
    RowKernels<D, W>::load();
    PushKernels<D, W>::load();
    if (plan.pulls) PullKernels<D, W>::load();
    stream_.synchronize();
}

template <typename D, typename W>
void GridEngine<D, W>::begin_search(const algo::SsspMemory<D>& memory)
{
    check(cudaSetDevice(device_));
    memory_ = memory;
    taken_ = Taken::none;
    window_ = D{0};
    open_ = 0;
    if (std::exchange(has_marks_, false)) fill_bytes_async(std::span(state_.is_open, block_.cols), 0, stream_);
    RowKernels<D, W>::reset(block_, state_, place());
}

template <typename D, typename W>
void GridEngine<D, W>::begin_round(std::size_t open)
{
    RoundHeader& header = *first_header_.data();
    header = {};
    header.next = to_ordered(algo::unreached<D>());
    header.open = static_cast<std::uint32_t>(open);
    copy_async(std::span<const RoundHeader>(first_header_.span()), std::span(state_.header, 1), stream_);
}

template <typename D, typename W>
void GridEngine<D, W>::bring(std::span<const std::uint32_t> changed)
{
    staging_.to_device(changed, state_.changed, stream_);
    staging_.to_device(changed.size(), state_.changed_distances, stream_, [&](std::size_t first, std::span<D> chunk) {
        parallel_for(chunk.size(), kSerialBelow,
                     [&](std::size_t i) { chunk[i] = memory_.col_distances[changed[first + i]]; });
    });
    RowKernels<D, W>::bring(block_, state_, changed.size(), place());
}

/// Copies the distances of all columns to the device, except those that the device writes itself.
template <typename D, typename W>
void GridEngine<D, W>::bring_all_columns()
{
    const auto copy = [this](std::uint32_t first, std::uint32_t last) {
        staging_.to_device(std::span<const D>(memory_.col_distances + first, last - first), state_.columns + first,
                           stream_);
    };
    const std::uint32_t own_end = block_.first_own_column + block_.slots;
    if (!block_.owns_rows()) {
        copy(0, block_.cols);
        return;
    }
    copy(0, block_.first_own_column);
    copy(own_end, block_.cols);
}

/// Copies the rows' distances to the device, if other ranks improve these rows, too.
template <typename D, typename W>
void GridEngine<D, W>::bring_rows()
{
    if (block_.owns_rows()) return;
    // The improved rows of the last round have been taken. Their memory is large enough.
    static_assert(sizeof(ImprovedRow<D>) >= sizeof(D));
    D* const distances = reinterpret_cast<D*>(state_.improved_rows);
    staging_.to_device(std::span<const D>(memory_.row_distances, block_.rows), distances, stream_);
    RowKernels<D, W>::lower_rows(block_, state_, distances, place());
}

template <typename D, typename W>
void GridEngine<D, W>::launch_push(const algo::Push<D>& push)
{
    check(cudaSetDevice(device_));
    const bool window = push.extent == algo::PushExtent::window;
    const std::size_t changed = push.changed.size();
    const bool resumes = window && push.bound != window_ && changed + open_ > 0;
    if (window) window_ = push.bound;
    if (changed == 0 && !resumes) return;
    begin_round(open_);
    bring(push.changed);
    std::size_t lists = changed;
    if (window) {
        has_marks_ = true;
        PushKernels<D, W>::start_lists(block_, state_, push.bound, changed, place());
    }
    if (resumes) {
        lists += open_;  // at most this many are active now
        PushKernels<D, W>::resume_lists(block_, state_, push.bound, lists, place());
    }
    PushKernels<D, W>::relax(block_, state_, push.extent, push.bound, lists, place());
    PushKernels<D, W>::find_parents(block_, state_, push.extent, push.bound, lists, place());
    end_round(Taken::improved, resumes);
}

template <typename D, typename W>
void GridEngine<D, W>::launch_pull(const algo::Pull<D>& pull)
{
    check(cudaSetDevice(device_));
    const std::size_t rows = pull.first ? block_.rows : open_;
    begin_round(open_);
    if (pull.all_changed)
        bring_all_columns();
    else
        bring(pull.changed);
    bring_rows();
    PullKernels<D, W>::pull(block_, state_, pull, rows, place());
    end_round(pull.lists ? Taken::improved : Taken::all, true);
}

template <typename D, typename W>
void GridEngine<D, W>::end_round(Taken taken, bool renews_open)
{
    if (renews_open) std::swap(state_.open, state_.still_open);
    RowKernels<D, W>::gather_improved(block_, state_, place());
    copy_async(std::span<const std::byte>(reinterpret_cast<const std::byte*>(state_.header), host_outcome_.size()),
               host_outcome_.span(), stream_);
    outcome_copied_.record(stream_);
    taken_ = taken;
    renews_open_ = renews_open;
}

template <typename D, typename W>
algo::RoundOutcome<D> GridEngine<D, W>::collect()
{
    algo::RoundOutcome<D> outcome;
    outcome.next = algo::unreached<D>();
    const Taken taken = std::exchange(taken_, Taken::none);
    if (taken == Taken::none) return outcome;
    check(cudaSetDevice(device_));
    outcome_copied_.synchronize();
    const RoundHeader header = *reinterpret_cast<const RoundHeader*>(host_outcome_.data());
    improved_count_ = 0;
    if (taken == Taken::improved) {
        const std::size_t eager = (host_outcome_.size() - sizeof(RoundHeader)) / sizeof(ImprovedRow<D>);
        const std::size_t here = std::min<std::size_t>(header.improved, eager);
        take_rows({reinterpret_cast<const ImprovedRow<D>*>(host_outcome_.data() + sizeof(RoundHeader)), here});
        staging_.to_host(state_.improved_rows + here, header.improved - here, stream_,
                         [this](std::size_t /*first*/, std::span<const ImprovedRow<D>> chunk) { take_rows(chunk); });
        outcome.improved_rows = improved_count_;
    } else {
        take_all_rows();
        outcome.improved_rows = header.improved_rows;
    }
    open_ = renews_open_ ? header.still_open : header.open;
    outcome.improved = improved_.span().first(improved_count_);
    outcome.arcs = header.arcs;
    outcome.next = from_ordered<D>(static_cast<OrderedWord<D>>(header.next));
    outcome.overflow = header.overflow != 0;
    return outcome;
}

/// Takes the rows whose distances are smaller than the host's.
template <typename D, typename W>
void GridEngine<D, W>::take_rows(std::span<const ImprovedRow<D>> rows)
{
    constexpr std::size_t piece = 512;  // rows that are appended to the list together
    parallel_ranges(rows.size(), kSerialBelow, [&](IndexRange range) {
        std::array<std::uint32_t, piece> taken;
        for (std::size_t first = range.first; first < range.last; first += piece) {
            std::size_t count = 0;
            for (const ImprovedRow<D>& row : rows.subspan(first, std::min(piece, range.last - first))) {
                if (!(row.distance < memory_.row_distances[row.row])) continue;
                memory_.row_distances[row.row] = row.distance;
                memory_.row_parents[row.row] = row.parent;
                taken[count++] = row.row;
            }
            std::copy_n(taken.data(), count, improved_.data() + improved_count_.fetch_add(count));
        }
    });
}

template <typename D, typename W>
void GridEngine<D, W>::take_all_rows()
{
    staging_.to_host(state_.words, block_.rows, stream_,
                     [this](std::size_t first, std::span<const std::uint64_t> words) {
                         parallel_for(words.size(), kSerialBelow, [&](std::size_t i) {
                             memory_.row_distances[first + i] = RowWord<D>::distance(words[i]);
                             if constexpr (RowWord<D>::kHasParent)
                                 memory_.row_parents[first + i] = RowWord<D>::parent(words[i]);
                         });
                     });
    if constexpr (!RowWord<D>::kHasParent)
        staging_.to_host(static_cast<const std::uint32_t*>(state_.parents), std::span(memory_.row_parents, block_.rows),
                         stream_);
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

algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspEngineTuning tuning)
{
    return with_types(block, narrow, [&]<typename D, typename W>() -> algo::AnySsspEngine {
        return std::unique_ptr<algo::SsspEngine<D>>(std::make_unique<GridEngine<D, W>>(block, tuning));
    });
}

DeviceBytes sssp_engine_bytes(const CsrBlock& block, bool narrow)
{
    return with_types(block, narrow, [&]<typename D, typename W>() { return SsspEnginePlan<D, W>(block).bytes(); });
}

}  // namespace wayfront::gpu::sssp
