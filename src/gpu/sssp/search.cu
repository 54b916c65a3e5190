#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>
#include <variant>

#include "gpu/exchange/peer_memory.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/cutoff.hpp"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/graph_parts.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/left_out.hpp"
#include "gpu/sssp/near_far.hpp"
#include "gpu/sssp/near_far_parts.hpp"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/search_choices.hpp"
#include "gpu/sssp/search_memory.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// The word of a distance of `units` units; at least the smallest distance above 0.
std::uint32_t as_distance(WeightType type, double units)
{
    if (type == WeightType::float32) return std::max(std::bit_cast<std::uint32_t>(static_cast<float>(units)), 1U);
    const double most = std::numeric_limits<std::uint32_t>::max() - 1.0;
    return static_cast<std::uint32_t>(std::clamp(units, 1.0, most));
}

double sum_of_weights(const CsrBlock& block)
{
    return std::visit(
        [&block](const auto& list) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
                return static_cast<double>(block.in_edges.edges());
            } else {
                double sum = 0;
#pragma omp parallel for reduction(+ : sum)
                for (std::size_t i = 0; i < list.size(); ++i) sum += static_cast<double>(list[i]);
                return sum;
            }
        },
        block.in_weights);
}

/// The type of distances. Without weights they are numbers of arcs.
WeightType distance_type(const CsrBlock& block)
{
    const WeightType type = weight_type(block.in_weights);
    return type == WeightType::none ? WeightType::uint32 : type;
}

constexpr const char* kStepNames[] = {"rounds", "window", "settle", "pull", "pull again", "push again", "near-far"};

/// The most vertices with which a step of one block is shorter than a step of all blocks with their
/// barrier.
constexpr std::uint32_t kFew = 256;

/// The open vertices of a block with which a pass of pulls takes longer than pushes of the few
/// vertices that improve. On an H200 at scale 24, passes are as short.
constexpr std::uint32_t kOpenForPush = 2048;

}  // namespace

struct DeviceSssp::State
{
    State(const comm::ProcessGrid& process_grid, const DistributedGraph& graph, const SsspTuning& tuning)
        : State(process_grid, ArcLists(graph, Stream()),
                {distance_type(graph.block), static_cast<Vertex>(graph.partition.vertex_count()), graph.connected_vertices, graph.directed,
                 process_grid.world().all_reduce(sum_of_weights(graph.block), comm::Reduction::sum)},
                graph.local_count(), tuning)
    {
    }

    /// A parent, which is a column, is stored in 31 bits.
    static ArcLists require_columns(ArcLists lists)
    {
        const ColumnNumbers& columns = lists.view().columns;
        if (std::uint64_t{columns.ranks} * columns.slot_stride >= SlotResult::kVertex)
            throw ResourceError("the vertices with edges are too many for searches on GPUs: there are 2^31 columns or more");
        return lists;
    }

    State(const comm::ProcessGrid& process_grid, ArcLists made, const SsspGraph& graph, std::size_t local_count, const SsspTuning& tuning)
        : grid(process_grid),
          type(graph.type),
          lists(require_columns(std::move(made))),
          first_leaf(common_first_leaf(grid.world(), lists.view())),
          peer_plan(lists.view().slots, lists.view().columns.ranks),
          shared(grid.world(), peer_plan.bytes()),
          plan(lists.view().slots, local_count, std::size_t{lists.view().slots} - first_leaf),
          memory(plan)
    {
        const SearchChoices choices(grid.world(), lists.view(), graph, tuning);
        // Rounding makes a sum at most twice as large, since fl(P + w) <= P + 2 w.
        float_overflow = type == WeightType::float32 && graph.weight_sum >= static_cast<double>(std::numeric_limits<float>::max()) / 2;
        may_leave_out = choices.pulls() && type == WeightType::uint32 && graph.weight_sum >= static_cast<double>(kUnknown<WholeDistance>);
        if (!several() && tuning.near_far.value_or(choices.suits_near_far()))
            near_far = make_near_far_parts(lists.view(), type, tuning.near_far.has_value(), stream);
        push_width = choices.push_width;
        near_far_width = choices.near_far_width;
        prepare(choices, graph.connected_vertices, tuning);
    }

    [[nodiscard]] bool several() const { return lists.view().columns.ranks > 1; }

    void prepare(const SearchChoices& choices, std::int64_t connected_vertices, const SsspTuning& tuning)
    {
        // With fetches of 64 bytes from memory, searches with pulls take 5% less time than with 128
        // at scale 27 and above, and as long at scale 24. If a GPU has no such limit, or cannot
        // change it, searches work without it.
        if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64) != cudaSuccess) cudaGetLastError();
        const ArcListsView& arcs = lists.view();
        const ColumnNumbers& columns = arcs.columns;
        launch = plan_sssp_launch(type, several());
        fill_bytes_async(shared.own(), 0, stream);
        view.graph = arcs;
        view.barrier = {.state = memory[plan.barrier].data(), .inboxes = {}, .ranks = columns.ranks, .rank = columns.rank};
        for (std::size_t peer = 0; peer < columns.ranks; ++peer) {
            view.peers[peer] = peer_plan.at(shared.base(peer));
            view.barrier.inboxes[peer] = peer_plan.inbox.in(shared.base(peer));
        }
        view.own = view.peers[columns.rank];
        clear_push_states(view, stream);
        view.segment = static_cast<std::uint32_t>(segment_capacity(arcs.slots, launch.blocks));
        for (std::size_t i = 0; i < 2; ++i) {
            view.waiting[i] = memory[plan.lists[i]].data();
            view.listed[i] = view.waiting[i];  // no step uses both
            view.open[i] = memory[plan.open[i]].data();
        }
        view.reached = memory[plan.lists[2]].data();
        view.hubs = std::min(launch.hubs, tuning.hubs.value_or(launch.hubs));
        view.progress = memory[plan.progress].data();
        view.result_distances = memory[plan.result_distances].data();
        view.result_parents = memory[plan.result_parents].data();
        fill_bytes_async(memory[plan.summary], 0, stream);
        view.summary = memory[plan.summary].data();
        view.width = as_distance(type, push_width);
        view.few = std::max(tuning.few.value_or(kFew), 4U);  // the first step has one vertex
        const std::uint32_t infinity = type == WeightType::float32 ? FloatDistance::kInfinity : WholeDistance::kInfinity;
        view.end = tuning.cutoff ? end_of_cutoff(type, *tuning.cutoff, infinity) : infinity;
        view.pull_from = choices.pulls() ? choices.pull_from_arcs() : SsspView::kNever;
        const auto blocks = grid.world().all_reduce(std::uint64_t{launch.blocks}, comm::Reduction::sum);
        view.open_for_push = tuning.open_for_push.value_or(kOpenForPush) * blocks;
        view.mean_degree = static_cast<std::uint32_t>(std::ceil(choices.degree));
        view.first_leaf = choices.pulls() ? first_leaf : arcs.slots;
        view.first_leaf_column = view.first_leaf * columns.ranks;
        stream.synchronize();
        // No rank writes to the memory of its peers before all have cleared theirs.
        grid.world().barrier();
        if (choices.pulls()) store_lightest_arcs(view, type, stream);
        collect_sssp_leaves(arcs, first_leaf, memory[plan.leaves], stream);
        view.leaves = memory[plan.leaves].data();
        leaves = static_cast<std::uint64_t>(std::max<std::int64_t>(connected_vertices - view.first_leaf_column, 0));
        const auto first = GridBarrierState<SsspCounts>::first(launch.blocks);
        copy_async(std::span(&first, 1), memory[plan.barrier], stream);
        stream.synchronize();
        // No rank reads what its peers store, or searches, before all ranks have stored it.
        grid.world().barrier();
        if (near_far == nullptr) clear_for_next();
    }

    /// Starts to clear the bounds after the work in the stream. The next search waits for it; other
    /// work in the stream does not.
    void clear_for_next()
    {
        searched.record(stream);
        searched.block(clearing_stream);
        clear_bounds(view, type, clearing_stream);
        cleared.record(clearing_stream);
        is_cleared = true;
    }

    static constexpr std::size_t kCountBytes = offsetof(SsspSummary, records);

    /// Only the counts of the summary are cleared: `steps` is the number of valid records.
    void clear_counts() const { fill_bytes_async(std::span(reinterpret_cast<std::byte*>(view.summary), kCountBytes), 0, stream); }

    /// Distances and parents are in memory that the other search uses for pulls.
    [[nodiscard]] NearFarView near_far_view() const
    {
        NearFarView found;
        found.graph = view.graph;
        found.parts = near_far->parts.view();
        found.layout = near_far->layout;
        found.control = near_far->control.data();
        found.inboxes = near_far->inboxes.data();
        found.distances = reinterpret_cast<std::uint32_t*>(view.own.bounds);
        found.parents = view.own.parents;
        found.summary = view.summary;
        found.result_distances = view.result_distances;
        found.result_parents = view.result_parents;
        found.width = as_distance(type, near_far_width);
        found.end = view.end;
        return found;
    }

    [[nodiscard]] SsspSource source(Vertex vertex) const
    {
        const auto ranks = static_cast<Vertex>(view.graph.columns.ranks);
        const bool own = vertex % ranks == static_cast<Vertex>(view.graph.columns.rank);
        return {.local = own ? static_cast<std::uint32_t>(vertex / ranks) : SsspSource::kElsewhere, .vertex = static_cast<std::uint32_t>(vertex)};
    }

    using Totals = std::array<std::uint64_t, 4>;  // reached vertices, relaxed arcs, pulled arcs, overflows

    [[nodiscard]] static Totals totals_of(const SsspSummary& summary)
    {
        return {summary.reached, summary.relaxed_arcs, summary.pulled_arcs, summary.overflow};
    }

    /// Reads the counts of the last search, and adds up those of all ranks. Collective.
    void read_totals()
    {
        SsspSummary summary;
        copy_async(std::span<const std::byte>(reinterpret_cast<const std::byte*>(view.summary), kCountBytes),
                   std::span(reinterpret_cast<std::byte*>(&summary), kCountBytes), stream);
        stream.synchronize();
        totals = totals_of(summary);
        grid.world().all_reduce(std::span<std::uint64_t>(totals), comm::Reduction::sum);
    }

    const comm::ProcessGrid& grid;
    Stream stream;
    Stream clearing_stream;
    Event searched, cleared;
    // Whether nothing is known of any vertex when `cleared` is done.
    bool is_cleared = false;
    WeightType type;
    ArcLists lists;
    std::uint32_t first_leaf;  // as in SsspView, if anything is pulled
    SsspPeerPlan peer_plan;
    PeerMemory shared;
    SsspPlan plan;
    DeviceArrays memory;
    SsspView view;
    SsspLaunch launch;
    double push_width = 0;
    double near_far_width = 0;
    // The vertices of all ranks that do not pull: each of their arcs is read when results are
    // written.
    std::uint64_t leaves = 0;
    std::unique_ptr<NearFarParts> near_far;  // if near-far searches
    // Whether float distances may be infinite.
    bool float_overflow = false;
    // Whether pulls may leave out vertices whose whole distances do not fit.
    bool may_leave_out = false;
    Totals totals{};  // of the last search on several GPUs
};

DeviceSssp::DeviceSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning)
    : state_(std::make_unique<State>(grid, graph, tuning))
{
}

DeviceSssp::DeviceSssp(const comm::ProcessGrid& grid, ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning)
{
    const std::size_t local_count = lists.view().local_slots.count;
    state_ = std::make_unique<State>(grid, std::move(lists), graph, local_count, tuning);
}

DeviceSssp::~DeviceSssp() = default;

void DeviceSssp::run(Vertex source)
{
    State& state = *state_;
    const SsspSource from = state.source(source);
    if (state.near_far != nullptr) {
        state.clear_counts();
        launch_near_far(state.near_far_view(), state.near_far->inboxes.size(), from, state.type, state.stream);
        if (fetch(&state.view.summary->without_parent, state.stream) == 0) return;
        // Some vertices are reached along arcs of length 0, or along arcs whose weight was lost in
        // a float sum, in this search and probably in the next ones. Near-far finds no parents for
        // them.
        state.near_far.reset();
    }
    // Near-far has used the memory of the bounds.
    if (!state.is_cleared) state.clear_for_next();
    state.cleared.block(state.stream);
    state.is_cleared = false;
    state.clear_counts();
    launch_sssp(state.view, from, state.type, state.launch, state.stream);
    if (state.may_leave_out) note_left_out_vertices(state.view, state.stream);
    state.clear_for_next();
    state.stream.synchronize();
}

void DeviceSssp::collect()
{
    if (state_->several()) state_->read_totals();
}

SsspFacts DeviceSssp::facts() const
{
    const SsspSummary summary = fetch(state_->view.summary, state_->stream);
    const auto [reached, relaxed, pulled, overflows] = state_->several() ? state_->totals : State::totals_of(summary);
    SsspFacts facts;
    facts.reached = reached;
    facts.relaxed_arcs = relaxed;
    facts.pulled_arcs = pulled + (pulled > 0 ? state_->leaves : 0);
    facts.steps = std::max(summary.steps, summary.most_rounds);
    const std::uint32_t records = std::min(summary.steps, SsspSummary::kMostRecords);
    const double tick = static_cast<double>(summary.end - summary.begin) * 1e-9 / static_cast<double>(summary.last_tick - summary.first_tick);
    for (std::uint32_t i = 0; i < records; ++i) {
        const SsspSummary::Record& record = summary.records[i];
        const std::int64_t end = i + 1 < records ? summary.records[i + 1].begin : summary.last_tick;
        facts.records.push_back({kStepNames[static_cast<std::size_t>(record.step)], record.vertices, static_cast<double>(end - record.begin) * tick});
    }
    return facts;
}

void DeviceSssp::copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const
{
    State& state = *state_;
    copy_async(std::span<const std::uint32_t>(state.memory[state.plan.result_distances]), distances, state.stream);
    copy_async(std::span<const std::int32_t>(state.memory[state.plan.result_parents]), parents, state.stream);
    state.stream.synchronize();
}

bool DeviceSssp::overflowed() const
{
    if (state_->type != WeightType::uint32) return state_->float_overflow;
    if (state_->several()) return state_->totals[3] != 0;
    return fetch(&state_->view.summary->overflow, state_->stream) != 0;
}

bool DeviceSssp::always_overflows() const
{
    return state_->float_overflow;
}

bool DeviceSssp::pulls() const
{
    return state_->view.pull_from != SsspView::kNever;
}

bool DeviceSssp::is_near_far() const
{
    return state_->near_far != nullptr;
}

bool DeviceSssp::has_edges(std::uint32_t local) const
{
    return state_->lists.has_edges(local, state_->stream);
}

const std::uint32_t* DeviceSssp::device_distances() const
{
    return state_->view.result_distances;
}

const std::int32_t* DeviceSssp::device_parents() const
{
    return state_->view.result_parents;
}

std::size_t DeviceSssp::state_bytes_for(std::size_t local_count, std::size_t slots, int ranks)
{
    return bytes_of(SsspPeerPlan(slots, static_cast<std::size_t>(ranks)), SsspPlan(slots, local_count, slots));
}

std::size_t DeviceSssp::bytes_for(std::size_t local_count, std::size_t least_slots, std::size_t arcs, int ranks)
{
    const std::size_t align = ranks == 1 ? 64 : kTileSlots;
    const std::size_t slots = (least_slots + align - 1) / align * align;
    const auto lists = ArcArraysPlan::most(slots, arcs);
    const ColumnsPlan columns(static_cast<std::size_t>(ranks), slots);
    const LocalSlotsPlan locals(local_count, slots);
    // The lists and weights in the host's form, which are in memory while the graph is copied.
    const std::size_t copying = bytes_of(DeviceCsrPlan(static_cast<std::uint32_t>(slots), arcs), PlacingPlan(slots), PlainWeightsPlan(arcs));
    // No GPU's shared memory has room for more vertices.
    constexpr std::size_t most_slots_of_parts = std::size_t{8} << 20;
    const bool has_parts = ranks == 1 && arcs < kArcsForNearFar * slots && slots <= most_slots_of_parts;
    const std::size_t parts = has_parts ? NearFarParts::most_bytes(slots, arcs) : 0;
    return bytes_of(lists, columns, locals) + std::max(copying, state_bytes_for(local_count, slots, ranks) + parts) + kDeviceReserveBytes;
}

std::size_t DeviceSssp::most_bytes(Vertex vertices, EdgeCount arcs, int ranks)
{
    // As vertices are dealt in turn, shares are nearly equal in most graphs.
    const double uneven = ranks > 1 ? 1.1 : 1;
    const auto share = [&](std::int64_t count) { return static_cast<std::size_t>(static_cast<double>(count) / ranks * uneven) + 1; };
    return bytes_for(share(vertices), std::min(share(vertices), share(arcs)) + 1, share(arcs), ranks);
}

std::string DeviceSssp::description() const
{
    std::ostringstream text;
    text.precision(4);
    const bool near_far = is_near_far();
    const std::string gpus = state_->several() ? std::to_string(state_->view.graph.columns.ranks) + " GPUs" : "the GPU";
    text << (near_far ? "near-far on " : "push-pull on ") << gpus << ", windows of " << width() << (pulls() || near_far ? "" : ", nothing pulled");
    return text.str();
}

double DeviceSssp::width() const
{
    return state_->near_far != nullptr ? state_->near_far_width : state_->push_width;
}

std::size_t DeviceSssp::graph_bytes() const
{
    return state_->lists.bytes();
}

std::size_t DeviceSssp::state_bytes() const
{
    return state_->shared.bytes() + state_->memory.bytes() + (state_->near_far != nullptr ? state_->near_far->bytes() : 0);
}

}  // namespace wayfront::gpu::sssp
