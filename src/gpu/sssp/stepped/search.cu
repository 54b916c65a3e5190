#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/profiler_range.hpp"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/left_out.hpp"
#include "gpu/sssp/pull_rules.hpp"
#include "gpu/sssp/stepped/kernels.hpp"
#include "gpu/sssp/stepped/search.hpp"

namespace wayfront::gpu::sssp {

namespace {

// Expected number of paths per vertex. While windows reach the vertices of large degrees, a vertex finds only a few
// new vertices.
constexpr double kPathsOfVertex = 2;

// Upper limit of a 32-bit count of vertices. Several ranks may each count the same vertex of
// another rank.
constexpr std::uint64_t kMostCounted = ~std::uint32_t{0};

// If some paths of a message had no room, the next message may be kMoreRoom times as large.
constexpr std::uint64_t kMoreRoom = 64;

// Usual number of vertices that the first round of a window reaches, per vertex of the largest
// round of the previous window.
constexpr double kWidening = 8;

/// SsspTuning::busy_slots if the tuning has no value. `slots`: number of slots that pull, equal on
/// all ranks.
[[nodiscard]] std::uint32_t choose_busy_slots(std::uint32_t slots)
{
    // In smaller graphs, the additional message costs as much as it saves.
    constexpr std::uint32_t large = std::uint32_t{1} << 21;
    constexpr std::uint32_t part = 8;
    return slots >= large ? slots / part / kTileSlots * kTileSlots : 0;
}

/// The smallest multiple of `part` that is not less than `number`.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t number, std::uint64_t part)
{
    return (number + part - 1) / part * part;
}

}  // namespace

SteppedPushPull::SteppedPushPull(const comm::Communicator& world, const comm::Communicator& alone,
                                 const SsspInput& input, const Stream& stream, DeviceExchange& exchange)
    : PushPull(world, alone, input, stream, Reach::messages),
      exchange_(exchange),
      plan_(input.lists.slots, input.lists.columns.ranks, launch_.blocks),
      memory_(plan_),
      busy_slots_(std::min(input.tuning.busy_slots.value_or(choose_busy_slots(view_.first_leaf)), view_.first_leaf)),
      most_paths_(std::min(plan_.most_paths, input.tuning.message_room.value_or(plan_.most_paths))),
      usual_changes_(
          std::min(SteppedSsspPlan::kUsualChanges, input.tuning.message_room.value_or(SteppedSsspPlan::kUsualChanges))),
      windows_(kWindows, PathEstimate(kWidening * kPathsOfVertex)),
      rounds_(kPathsOfVertex),
      rounds_of_improved_(kPathsOfVertex),
      results_(stream)
{
    // The two parts of the first pass may each give a block one additional vertex per thread.
    view_.segment += kSsspThreads;
    lay_out_messages();
    store_constant_data();
    if (!choices_.pulls()) return;
    share_lightest_arcs();
    requests_.emplace(view_, exchange_, stream_, results_,
                      MessageRoom{.memory = memory_[plan_.gathered],
                                  .most_items = input.tuning.message_room.value_or(view_.first_leaf)});
}

void SteppedPushPull::lay_out_messages()
{
    SsspMessagesView& view = view_.messages;
    view.offers = memory_[plan_.offers].data();
    for (std::size_t i = 0; i < 2; ++i) view.others.frontiers[i] = memory_[plan_.others[i]].data();
    view.others.sizes = memory_[plan_.sizes].data();
    view.changed = memory_[plan_.changed].data();
    with_distance(type_, [&](auto distance) { view.unknown = kUnknown<decltype(distance)>; });
    view.pull_sizes = memory_[plan_.pull_sizes].data();
    view.totals = memory_[plan_.totals].data();
    const std::span<std::uint32_t> counters = memory_[plan_.counters];
    state_ = {counters.data(), &counters[ranks()], &counters[2 * ranks()], &counters[2 * ranks() + 1]};
    static_assert(PushState::kNothing == ~std::uint64_t{0});
    fill_bytes_async(memory_[plan_.offers], 0xFF, stream_);
    fill_bytes_async(memory_[plan_.changed], 0, stream_);
    fill_bytes_async(counters, 0, stream_);
    const auto none = CountWords<SsspCounts>::none();
    copy_async(std::span(&none, 1), memory_[plan_.totals], stream_);
    stream_.synchronize();
}

/// Sends the LightestArcs of this rank's vertices to all ranks. Collective.
void SteppedPushPull::share_lightest_arcs()
{
    using Words = Pieces<std::uint32_t>;
    // The memory of `gathered` is large enough for these pieces.
    static_assert(PackedBounds::kCount * sizeof(std::uint32_t) < sizeof(PackedBounds));
    const Words pieces{memory_[plan_.gathered].data(), view_.graph.columns.ranks, view_.first_leaf};
    pack_lightest(view_, pieces, stream_);
    exchange_.all_gather(pieces.begin, pieces.piece_bytes(), stream_);
    unpack_lightest(view_, pieces, stream_);
    stream_.synchronize();
}

void SteppedPushPull::run(SsspSource source)
{
    records_.clear();
    has_requested_ = false;
    clear_counts();
    wait_for_cleared_bounds();
    fill_bytes_async(std::span(view_.own.sizes, 1), 0, stream_);
    fill_bytes_async(std::span(view_.messages.others.sizes, 1), 0, stream_);
    with_distance(type_, [&](auto distance) { search<StepKernels<decltype(distance)>>(source); });
    if (may_leave_out_) note_left_out_vertices(view_, stream_);
    clear_for_next_search();
    stream_.synchronize();
}

template <typename Kernels>
void SteppedPushPull::search(const SsspSource& source)
{
    SourceFacts facts{.least = view_.end, .degree = 0};
    const PushProgress push_progress = push<Kernels>(source, facts);
    const std::uint32_t nearest = settle<Kernels>(source, push_progress, facts);
    if (push_progress.nearest != kNoDistance) pull<Kernels>(push_progress, nearest);
    end_record();
    Kernels::write_results(view_, source, stream_);
}

template <typename Kernels>
PushProgress SteppedPushPull::push(const SsspSource& source, SourceFacts& facts)
{
    const ProfilerRange range("pushes");
    record(SsspStep::rounds, 1);
    Kernels::start(view_, source, stream_);
    const auto first = SourceCounts::of(exchange_counts());
    if (first.sources > 0) facts = {static_cast<std::uint32_t>(first.least), first.arcs};
    PushProgress push_progress =
        PushProgress::of_source(static_cast<std::uint32_t>(first.sources), Kernels::end_of_window(view_, facts.least));
    while (!push_progress.ends(view_.pull_from)) {
        const std::uint32_t most = push_progress.most;
        const bool widens = push_progress.widens(view_.pull_from);
        if (widens)
            push_progress.widen(Kernels::end_of_window(view_, static_cast<std::uint32_t>(push_progress.nearest)));
        record(widens ? SsspStep::window : SsspStep::rounds, push_progress.size);
        Kernels::push(view_, push_progress, widens, launch_, stream_);
        PathEstimate& estimate =
            widens ? windows_[std::min<std::size_t>(push_progress.window, windows_.size()) - 1] : rounds_;
        const auto counts = PushCounts<Reach::messages>::of(
            send_paths(frontiers(push_progress.round), estimate, widens ? most : push_progress.size));
        push_progress.pass(counts, static_cast<std::uint32_t>(std::min(counts.improved, kMostCounted)));
    }
    return push_progress;
}

template <typename Kernels>
std::uint32_t SteppedPushPull::settle(const SsspSource& source, const PushProgress& push_progress,
                                      const SourceFacts& facts)
{
    const ProfilerRange range("settle");
    const bool leftovers = push_progress.nearest != kNoDistance;
    record(SsspStep::settle, push_progress.size);
    std::uint32_t near_end = 0;
    if (leftovers) {
        Kernels::find_nearest_of_large(view_, launch_, stream_);
        near_end = end_of_near(LargeCounts::of(exchange_counts()), facts.least);
    }
    Kernels::settle(view_, source, near_end, launch_, stream_);
    if (!choices_.pulls()) return facts.least;
    const auto near = NearCounts::of(send_changes());
    if (!leftovers) return facts.least;
    const bool has_few_near = near_are_few(near_end, near);
    Kernels::relax_near(view_, source, has_few_near, launch_, stream_);
    PathEstimate all(1);
    send_paths(takers(1), all, facts.degree + (has_few_near ? near.arcs : 0));
    Kernels::take_offers(view_, 1, launch_, stream_);
    send_changes();
    return has_few_near ? near_end : facts.least;
}

template <typename Kernels>
void SteppedPushPull::pull(const PushProgress& push_progress, std::uint32_t least)
{
    const ProfilerRange range("pulls");
    record(SsspStep::pull, view_.first_leaf_column);
    const PullLimits first{.least = least, .settled = push_progress.limit};
    SsspCounts of_first_pass = SsspCounts::none();
    for (const SlotRange& slots : {SlotRange{0, busy_slots_}, SlotRange{busy_slots_, view_.first_leaf}}) {
        if (slots.first == slots.end) continue;
        Kernels::pull_all(view_, slots, first, launch_, stream_);
        // If vertices may be left out, all bounds are sent instead: note_left_out_vertices() reads
        // the bounds of vertices that this rank would not request.
        const bool requests = slots.end == view_.first_leaf && !may_leave_out_;
        of_first_pass = sum(of_first_pass, requests ? request_bounds<Kernels>(first) : send_all_bounds(slots));
    }
    auto counts = PullCounts::of(of_first_pass);
    PullProgress progress(push_progress.limit);
    while (PullProgress::goes_on(counts)) {
        if (improved_are_to_push<Kernels>(progress, counts)) {
            push_improved<Kernels>(counts.improved);
            return;
        }
        progress.pass(counts);
        record(SsspStep::pull_again, counts.open);
        Kernels::pull_again(view_, progress.settled, progress.number, launch_, stream_);
        counts = PullCounts::of(send_changes());
    }
}

template <typename Kernels>
SsspCounts SteppedPushPull::request_bounds(const PullLimits& first)
{
    Kernels::request_ends(view_, first, {requests_->begin(), busy_slots_}, launch_, stream_);
    has_requested_ = true;
    return requests_->exchange();
}

template <typename Kernels>
bool SteppedPushPull::improved_are_to_push(const PullProgress& progress, const PullCounts& counts)
{
    if (!progress.may_push(counts, view_)) return false;
    Kernels::count_arcs_of_improved(view_, launch_, stream_);
    return PullProgress::few_arcs(counts, ImprovedCounts::of(exchange_counts()));
}

template <typename Kernels>
void SteppedPushPull::push_improved(std::uint64_t count)
{
    for (std::uint32_t round = kFirstRoundOfImproved; count > 0; ++round) {
        record(SsspStep::push_again, count);
        Kernels::push_improved(view_, round, launch_, stream_);
        count = OfferCounts::of(send_paths(takers(round + 1), rounds_of_improved_, count)).takers;
    }
    // Distances of leaves follow from distances of other ranks' vertices, so all changes are sent
    // once more.
    send_changes();
}

SteppedPushPull::RoundLists SteppedPushPull::frontiers(std::uint32_t round) const
{
    const SsspPeer& others = view_.messages.others;
    return {.own = {view_.own.frontiers[round % 2], &view_.own.sizes->frontier[round % 3]},
            .others = {.listed = {others.frontiers[round % 2], &others.sizes->frontier[round % 3]},
                       .unsent = {others.frontiers[(round + 1) % 2], state_.unsent}}};
}

SteppedPushPull::RoundLists SteppedPushPull::takers(std::uint32_t round) const
{
    RoundLists lists = frontiers(round);
    lists.own.size = &view_.own.sizes->takers[round % 3];
    lists.others.listed.size = &view_.messages.others.sizes->takers[round % 3];
    return lists;
}

SsspCounts SteppedPushPull::send_paths(RoundLists lists, PathEstimate& estimate, std::uint64_t vertices)
{
    // number of pairs of a sending and a receiving rank
    const double pairs = static_cast<double>(ranks()) * static_cast<double>(ranks());
    std::uint64_t wanted = round_up(estimate.paths(vertices, pairs) + 1, SteppedSsspPlan::kLeastPaths);
    std::uint64_t most = most_paths_;
    std::optional<SsspCounts> counts;
    for (;;) {
        const auto room = static_cast<std::uint32_t>(std::min(wanted, most));
        const StepResult result = exchange_paths(lists, room);
        if (!counts) {
            counts = result.counts;
            estimate.learn(vertices, static_cast<double>(result.most_items) * pairs);
        }
        if (result.most_items <= room) return *counts;
        wanted = result.most_items - room;
        most = std::min<std::uint64_t>(kMoreRoom * most, plan_.most_paths);
        std::swap(lists.others.listed, lists.others.unsent);
    }
}

/// Sends the paths for which there is room, and lists the others in `unsent`. Collective.
StepResult SteppedPushPull::exchange_paths(const RoundLists& lists, std::uint32_t room)
{
    using Paths = Pieces<OfferedPath>;
    const auto message = next_message(exchange_, Paths{memory_[plan_.sent].data(), view_.graph.columns.ranks, room},
                                      Paths{memory_[plan_.received].data(), view_.graph.columns.ranks, room});
    pack_offers(view_, lists.others, message.sent, state_, stream_);
    exchange_.all_to_all(message.sent.begin, message.received.begin, message.sent.piece_bytes(), stream_,
                         Paths::used_bytes);
    store_paths(view_, message.received, lists.own, results_.from_kernel(message), stream_);
    return results_.of(message);
}

SsspCounts SteppedPushPull::exchange_counts()
{
    return exchange_paths({.own = {}, .others = {.listed = {}, .unsent = {nullptr, state_.unsent}}}, 0).counts;
}

SsspCounts SteppedPushPull::send_changes()
{
    if (has_requested_) {
        const StepResult result = requests_->send_changes(state_);
        if (!requests_->have_room(result.most_items)) send_all_bounds({0, view_.first_leaf});
        return result.counts;
    }
    const std::span<BoundsUpdate> changes = memory_[plan_.updates];
    const Pieces<BoundsUpdate> in_memory{memory_[plan_.change_pieces].data(), view_.graph.columns.ranks,
                                         usual_changes_};
    const auto message = next_message(exchange_, in_memory, in_memory);
    const Pieces<BoundsUpdate>& usual = message.received;
    pack_changes(view_, {changes.data(), static_cast<std::uint32_t>(changes.size())}, usual, state_, stream_);
    exchange_.all_gather(usual.begin, usual.piece_bytes(), stream_);
    store_changes(view_, usual, results_.from_kernel(message), stream_);
    const StepResult result = results_.of(message);
    if (result.most_items > changes.size())
        send_all_bounds({0, view_.first_leaf});
    else if (result.most_items > usual.room)
        send_listed(usual, static_cast<std::uint32_t>(result.most_items));
    return result.counts;
}

/// Sends all changes in a message of `room` items per rank. `usual` contains the header of this
/// rank. Collective.
void SteppedPushPull::send_listed(const Pieces<BoundsUpdate>& usual, std::uint32_t room)
{
    const std::uint32_t own = view_.graph.columns.rank;
    const Pieces<BoundsUpdate> pieces{memory_[plan_.gathered].data(), view_.graph.columns.ranks, room};
    copy_async(std::span<const PieceHeader>(&usual.header(own), 1), std::span(&pieces.header(own), 1), stream_);
    copy_async(std::span<const BoundsUpdate>(memory_[plan_.updates]).first(room), std::span(pieces.items(own), room),
               stream_);
    exchange_.all_gather(pieces.begin, pieces.piece_bytes(), stream_);
    store_changes(view_, pieces, nullptr, stream_);
}

SsspCounts SteppedPushPull::send_all_bounds(const SlotRange& slots)
{
    constexpr std::uint32_t of_item = PackedBounds::kCount;
    const Pieces<PackedBounds> in_memory{memory_[plan_.gathered].data(), view_.graph.columns.ranks,
                                         (slots.end - slots.first + of_item - 1) / of_item};
    const auto message = next_message(exchange_, in_memory, in_memory);
    const Pieces<PackedBounds>& pieces = message.received;
    pack_bounds(view_, slots, pieces, stream_);
    exchange_.all_gather(pieces.begin, pieces.piece_bytes(), stream_);
    unpack_bounds(view_, slots, pieces, results_.from_kernel(message), stream_);
    return results_.of(message).counts;
}

/// Begins the record of a step. The host does not always wait for the end of a step, so the seconds
/// of a record may include the last kernels of the previous step.
void SteppedPushPull::record(SsspStep step, std::uint64_t vertices)
{
    end_record();
    records_.push_back({step_name(step), vertices, 0});
    record_begin_ = Clock::now();
    sent_before_ = exchange_.sent_bytes();
}

void SteppedPushPull::end_record()
{
    if (records_.empty()) return;
    records_.back().seconds = seconds_between(record_begin_, Clock::now());
    records_.back().sent_bytes = exchange_.sent_bytes() - sent_before_;
}

void SteppedPushPull::add_steps(const SsspSummary& /*summary*/, SsspFacts& facts) const
{
    facts.steps = records_.size();
    facts.records = records_;
}

std::size_t SteppedPushPull::bytes() const
{
    return PushPull::bytes() + memory_.bytes() + (requests_ ? requests_->bytes() : 0);
}

}  // namespace wayfront::gpu::sssp
