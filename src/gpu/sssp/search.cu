#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>
#include <variant>

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
#include "gpu/sssp/search.hpp"

namespace wayfront::gpu {

namespace {

/// The most vertices of a block if `blocks` blocks of kSsspThreads threads take `slots` vertices,
/// one for each thread at a time.
constexpr std::size_t segment_capacity(std::size_t slots, std::size_t blocks)
{
    const std::size_t at_once = kSsspThreads * blocks;
    return (slots + at_once - 1) / at_once * kSsspThreads;
}

/// The most vertices of all blocks, for any number of blocks; GPUs have fewer than 1024
/// multiprocessors.
constexpr std::size_t most_segmented_items(std::size_t slots)
{
    return slots + std::size_t{1024} * kSsspThreads;
}

struct SsspPlan : MemoryPlan
{
    SsspPlan(std::size_t slots, std::size_t local_count, std::size_t leaves)
        : bounds(array<StoredBounds>("bounds of distances", slots)),
          parents(array<std::uint32_t>("parents", slots)),
          pushed(array<PushState>("states of pushes", slots)),
          lists{list(slots), list(slots), list(slots), list(slots), list(slots)},
          open{open_list(slots), open_list(slots)},
          leaf_arcs(array<Arc>("arcs of leaves", leaves)),
          leaf_parents(array<std::uint32_t>("ends of the arcs of leaves", leaves)),
          sizes(array<SsspSizes>("sizes of lists", 1)),
          progress(array<PushProgress>("progress of pushes", 1)),
          result_distances(array<std::uint32_t>("distances of vertices", local_count)),
          result_parents(array<std::int32_t>("parents of vertices", local_count)),
          summary(array<SsspSummary>("summary", 1)),
          barrier(array<GridBarrierState<SsspCounts>>("barrier", 1)),
          inbox(array<BarrierMessage<SsspCounts>>("inbox of the barrier", kInboxMessages))
    {
    }

    PlannedArray<StoredBounds> bounds;
    PlannedArray<std::uint32_t> parents;
    PlannedArray<PushState> pushed;
    std::array<PlannedArray<std::uint32_t>, 5> lists;
    std::array<PlannedArray<OpenVertex>, 2> open;
    PlannedArray<Arc> leaf_arcs;
    PlannedArray<std::uint32_t> leaf_parents;
    PlannedArray<SsspSizes> sizes;
    PlannedArray<PushProgress> progress;
    PlannedArray<std::uint32_t> result_distances;
    PlannedArray<std::int32_t> result_parents;
    PlannedArray<SsspSummary> summary;
    PlannedArray<GridBarrierState<SsspCounts>> barrier;
    PlannedArray<BarrierMessage<SsspCounts>> inbox;

private:
    PlannedArray<OpenVertex> open_list(std::size_t slots) { return array<OpenVertex>("list of open vertices", most_segmented_items(slots)); }
    PlannedArray<std::uint32_t> list(std::size_t slots) { return array<std::uint32_t>("list of vertices", most_segmented_items(slots)); }
};

/// The word of a distance of `units` units; at least the smallest distance above 0.
std::uint32_t as_distance(WeightType type, double units)
{
    if (type == WeightType::float32) return std::max(std::bit_cast<std::uint32_t>(static_cast<float>(units)), 1U);
    const double most = std::numeric_limits<std::uint32_t>::max() - 1.0;
    return static_cast<std::uint32_t>(std::clamp(units, 1.0, most));
}

double sum_of_weights(const BlockWeights& weights)
{
    return std::visit(
        [](const auto& list) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
                return 0;
            } else {
                double sum = 0;
#pragma omp parallel for reduction(+ : sum)
                for (std::size_t i = 0; i < list.size(); ++i) sum += static_cast<double>(list[i]);
                return sum;
            }
        },
        weights);
}

constexpr const char* kStepNames[] = {"rounds", "window", "settle", "pull", "pull again", "near-far"};

/// Near-far searches graphs with fewer arcs a vertex, in which paths are long.
constexpr std::size_t kArcsForNearFar = 8;

/// The most vertices with which a step of one block is shorter than a step of all blocks with their
/// barrier.
constexpr std::uint32_t kFew = 256;

}  // namespace

struct DeviceSssp::State
{
    State(const DistributedGraph& graph, const SsspTuning& tuning)
        : type(weight_type(graph.block.out_weights())), lists(graph, stream), plan(make_plan(lists.view(), graph.local_count())), memory(plan)
    {
        prepare({type, static_cast<Vertex>(graph.local_count()), graph.connected_vertices, graph.directed, sum_of_weights(graph.block.out_weights())},
                tuning);
    }

    State(ArcLists made, const SsspGraph& graph, const SsspTuning& tuning)
        : type(graph.type), lists(std::move(made)), plan(make_plan(lists.view(), static_cast<std::size_t>(graph.vertices))), memory(plan)
    {
        prepare(graph, tuning);
    }

    [[nodiscard]] static std::uint32_t first_leaf(const ArcListsView& arcs)
    {
        constexpr std::uint32_t align = 64;
        return (arcs.first_leaf + align - 1) / align * align;
    }
    [[nodiscard]] static SsspPlan make_plan(const ArcListsView& arcs, std::size_t local_count)
    {
        return {arcs.slots, local_count, std::size_t{arcs.slots} - first_leaf(arcs)};
    }

    void prepare(const SsspGraph& graph, const SsspTuning& tuning)
    {
        // With fetches of 128 bytes from memory, pulls take 1% to 2% less time than with 64; other
        // steps do not change. If a GPU has no such limit, or cannot change it, searches work
        // without it.
        if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128) != cudaSuccess) cudaGetLastError();
        const ArcListsView& arcs = lists.view();
        const double degree = static_cast<double>(arcs.arcs) / std::max<double>(1, static_cast<double>(graph.connected_vertices));
        // Pulls pay if most vertices have several arcs to choose from.
        constexpr double degree_for_pulls = 8;
        constexpr double never = 2;
        const double chosen = tuning.pull_from.value_or(degree >= degree_for_pulls ? 0.5 : never);
        // A pull reads lists of in-edges, and reaches vertices beyond the cutoff.
        const double pull_from = graph.directed || tuning.cutoff ? never : chosen;
        const double mean = graph.weight_sum > 0 ? graph.weight_sum / static_cast<double>(arcs.arcs) : 1;
        float_overflow = type == WeightType::float32 && graph.weight_sum >= static_cast<double>(std::numeric_limits<float>::max());
        may_leave_out = pull_from <= 1 && type == WeightType::uint32 && graph.weight_sum >= static_cast<double>(WholeDistance::kInfinity);
        if (tuning.near_far.value_or(pull_from > 1 && degree < static_cast<double>(kArcsForNearFar)))
            near_far = make_near_far_parts(arcs, type, tuning.near_far.has_value(), stream);
        // With pulls, a window should have so few arcs that vertices in it hardly ever find a
        // shorter path later.
        const double narrow = std::min(0.25 / degree, 20 / std::max(arcs.degree_squares / static_cast<double>(arcs.arcs), 1.0));
        push_width = tuning.width.value_or((pull_from <= 1 ? narrow : 12) * mean);
        near_far_width = tuning.width.value_or(10 * mean);

        const auto clear = [&](auto span, std::uint8_t byte) {
            fill_bytes_async(span, byte, stream);
            return span.data();
        };
        view.graph = arcs;
        view.bounds = memory[plan.bounds].data();
        view.parents = memory[plan.parents].data();
        view.pushed = memory[plan.pushed].data();
        clear_push_states(view, stream);
        const auto list = [&](std::size_t i) { return memory[plan.lists[i]].data(); };
        launch = plan_sssp_launch(type);
        view.segment = static_cast<std::uint32_t>(segment_capacity(arcs.slots, launch.blocks));
        for (std::size_t i = 0; i < 2; ++i) {
            view.frontiers[i] = list(i);
            view.open[i] = memory[plan.open[i]].data();
        }
        for (std::size_t i = 0; i < 2; ++i) {
            view.waiting[i] = list(2 + i);
            view.listed[i] = list(2 + i);
        }
        view.hubs = std::min(launch.hubs, tuning.hubs.value_or(launch.hubs));
        view.reached = list(4);
        view.sizes = clear(memory[plan.sizes], 0);
        view.progress = memory[plan.progress].data();
        view.result_distances = memory[plan.result_distances].data();
        view.result_parents = memory[plan.result_parents].data();
        view.summary = clear(memory[plan.summary], 0);
        view.width = as_distance(type, push_width);
        view.few = std::max(tuning.few.value_or(kFew), 4U);  // the first step has one vertex
        const std::uint32_t infinity = type == WeightType::float32 ? FloatDistance::kInfinity : WholeDistance::kInfinity;
        view.end = tuning.cutoff ? end_of_cutoff(type, *tuning.cutoff, infinity) : infinity;
        view.pull_from = pull_from > 1 ? SsspView::kNever : static_cast<std::uint64_t>(pull_from * static_cast<double>(arcs.arcs));
        view.first_leaf = pull_from > 1 ? arcs.slots : first_leaf(arcs);
        collect_sssp_leaves(arcs, first_leaf(arcs), memory[plan.leaf_arcs], memory[plan.leaf_parents], stream);
        view.leaf_arcs = memory[plan.leaf_arcs].data();
        view.leaf_parents = memory[plan.leaf_parents].data();
        leaves = static_cast<std::uint64_t>(std::max<std::int64_t>(graph.connected_vertices - view.first_leaf, 0));
        view.barrier.state = memory[plan.barrier].data();
        view.barrier.inboxes[0] = clear(memory[plan.inbox], 0);
        const auto first = GridBarrierState<SsspCounts>::first(launch.blocks);
        copy_async(std::span(&first, 1), memory[plan.barrier], stream);
        stream.synchronize();
    }

    /// Only the counts of the summary are cleared: `steps` is the number of valid records.
    void clear_counts() const
    {
        constexpr std::size_t counts = offsetof(SsspSummary, records);
        fill_bytes_async(std::span(reinterpret_cast<std::byte*>(view.summary), counts), 0, stream);
    }

    /// Distances and parents are in memory that the other search uses for pulls.
    [[nodiscard]] NearFarView near_far_view() const
    {
        NearFarView found;
        found.graph = view.graph;
        found.parts = near_far->parts.view();
        found.layout = near_far->layout;
        found.control = near_far->control.data();
        found.inboxes = near_far->inboxes.data();
        found.distances = reinterpret_cast<std::uint32_t*>(view.bounds);
        found.parents = view.parents;
        found.summary = view.summary;
        found.result_distances = view.result_distances;
        found.result_parents = view.result_parents;
        found.width = as_distance(type, near_far_width);
        found.end = view.end;
        return found;
    }

    Stream stream;
    WeightType type;
    ArcLists lists;
    SsspPlan plan;
    DeviceArrays memory;
    SsspView view;
    SsspLaunch launch;
    double push_width = 0;
    double near_far_width = 0;
    // The vertices that do not pull: each of their arcs is read when results are written.
    std::uint64_t leaves = 0;
    std::unique_ptr<NearFarParts> near_far;  // if near-far searches
    // Whether float distances may be infinite.
    bool float_overflow = false;
    // Whether pulls may leave out vertices whose whole distances do not fit.
    bool may_leave_out = false;
};

DeviceSssp::DeviceSssp(const DistributedGraph& graph, const SsspTuning& tuning) : state_(std::make_unique<State>(graph, tuning)) {}

DeviceSssp::DeviceSssp(ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning)
    : state_(std::make_unique<State>(std::move(lists), graph, tuning))
{
}

DeviceSssp::~DeviceSssp() = default;

void DeviceSssp::run(Vertex source)
{
    State& state = *state_;
    const auto vertex = static_cast<std::uint32_t>(source);
    const SsspSource from{.local = vertex, .vertex = vertex};
    if (state.near_far != nullptr) {
        state.clear_counts();
        launch_near_far(state.near_far_view(), state.near_far->inboxes.size(), from, state.type, state.stream);
        if (fetch(&state.view.summary->without_parent, state.stream) == 0) return;
        // Some vertices are reached along arcs of length 0, or along arcs whose weight was lost in
        // a float sum, in this search and probably in the next ones. Near-far finds no parents for
        // them.
        state.near_far.reset();
    }
    state.clear_counts();
    launch_sssp(state.view, from, state.type, state.launch, state.stream);
    if (state.may_leave_out) note_left_out_vertices(state.view, state.stream);
    state.stream.synchronize();
}

SsspFacts DeviceSssp::facts() const
{
    const SsspSummary summary = fetch(state_->view.summary, state_->stream);
    SsspFacts facts;
    facts.reached = summary.reached;
    facts.relaxed_arcs = summary.relaxed_arcs;
    facts.pulled_arcs = summary.pulled_arcs + (summary.pulled_arcs > 0 ? state_->leaves : 0);
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

bool DeviceSssp::has_edges(Vertex v) const
{
    return state_->lists.has_edges(static_cast<std::uint32_t>(v), state_->stream);
}

const std::uint32_t* DeviceSssp::device_distances() const
{
    return state_->view.result_distances;
}

const std::int32_t* DeviceSssp::device_parents() const
{
    return state_->view.result_parents;
}

std::size_t DeviceSssp::state_bytes_for(Vertex vertices, std::size_t slots)
{
    return SsspPlan(slots, static_cast<std::size_t>(vertices), slots).bytes();
}

std::size_t DeviceSssp::most_bytes(Vertex vertices, EdgeCount arcs)
{
    const auto slots = static_cast<std::size_t>(std::min<std::int64_t>(vertices, arcs)) + 64;
    const auto all = static_cast<std::size_t>(arcs);
    const auto lists = ArcArraysPlan::most(slots, all);
    const ColumnsPlan columns(1, slots);
    const LocalSlotsPlan locals(static_cast<std::size_t>(vertices), slots);
    // The lists and weights in the host's form, which are in memory while the graph is copied.
    const std::size_t copying = bytes_of(DeviceCsrPlan(static_cast<std::uint32_t>(slots), all), PlacingPlan(slots), PlainWeightsPlan(all));
    // No GPU's shared memory has room for more vertices.
    constexpr std::size_t most_slots_of_parts = std::size_t{8} << 20;
    const bool has_parts = all < kArcsForNearFar * slots && slots <= most_slots_of_parts;
    const std::size_t parts = has_parts ? NearFarParts::most_bytes(slots, all) : 0;
    return bytes_of(lists, columns, locals) + std::max(copying, state_bytes_for(vertices, slots) + parts) + kDeviceReserveBytes;
}

std::string DeviceSssp::description() const
{
    std::ostringstream text;
    text.precision(4);
    const bool near_far = state_->near_far != nullptr;
    text << (near_far ? "near-far on the GPU, windows of " : "push-pull on the GPU, windows of ") << width()
         << (pulls() || near_far ? "" : ", nothing pulled");
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
    return state_->memory.bytes() + (state_->near_far != nullptr ? state_->near_far->bytes() : 0);
}

}  // namespace wayfront::gpu
