#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <utility>
#include <variant>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/graph/nearest_sources.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/copied_graph.hpp"
#include "gpu/sssp/graph_parts.hpp"
#include "gpu/sssp/near_far.hpp"
#include "gpu/sssp/near_far_parts.hpp"
#include "gpu/sssp/nearest_lengths.hpp"
#include "gpu/sssp/push_pull.hpp"
#include "gpu/sssp/results.cuh"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/search_choices.hpp"
#include "gpu/sssp/search_memory.hpp"
#include "gpu/sssp/stepped/search.hpp"

namespace wayfront::gpu::sssp {

struct DeviceSssp::State
{
    State(const comm::ProcessGrid& process_grid, const DistributedGraph& graph, const SsspTuning& tuning,
          std::shared_ptr<DeviceExchange> ranks_exchange)
        : State(process_grid, copy_graph(process_grid.world(), graph, tuning), tuning, std::move(ranks_exchange))
    {
    }
    State(const comm::ProcessGrid& process_grid, CopiedGraph graph, const SsspTuning& tuning,
          std::shared_ptr<DeviceExchange> ranks_exchange)
        : State(process_grid, std::move(graph.lists), graph.facts, tuning, std::move(ranks_exchange))
    {
    }

    /// Throws if a column does not fit the 31 bits in which parents are stored.
    static ArcLists require_columns(ArcLists lists)
    {
        const ColumnNumbers& columns = lists.view().columns;
        if (std::uint64_t{columns.ranks} * columns.slot_stride >= SlotResult::kVertex)
            throw ResourceError(
                "the vertices with edges are too many for searches on GPUs: there are 2^31 columns or more");
        return lists;
    }

    /// Makes the search by pushes and pulls. Collective.
    std::unique_ptr<PushPull> make_push_pull(const SsspGraph& graph, const SsspTuning& tuning)
    {
        const comm::Communicator& world = grid.world();
        const SsspInput input{lists.view(), graph, tuning};
        if (exchange != nullptr) return std::make_unique<SteppedPushPull>(world, grid.row(), input, stream, *exchange);
        return std::make_unique<ResidentPushPull>(world, input, stream);
    }

    State(const comm::ProcessGrid& process_grid, ArcLists made, const SsspGraph& graph, const SsspTuning& tuning,
          std::shared_ptr<DeviceExchange> ranks_exchange)
        : grid(process_grid),
          type(graph.type),
          lists(require_columns(std::move(made))),
          exchange(std::move(ranks_exchange)),
          push_pull(make_push_pull(graph, tuning))
    {
        // Rounding makes a sum of weights at most twice as large: fl(P + w) <= P + 2 w.
        float_overflow = type == WeightType::float32 &&
                         graph.weight_sum >= static_cast<double>(std::numeric_limits<float>::max()) / 2;
        if (!has_several_ranks()) divide(tuning);
        if (near_far != nullptr) {
            // A round that reads distances from device memory takes longer, so that its windows are
            // narrower: fewer vertices relax their arcs too early.
            const double mean_weights = near_far->layout.shares_distances() ? 10 : 5;
            near_far_width = tuning.width.value_or(mean_weights * push_pull->choices().mean_weight);
        } else {
            push_pull->clear_for_next_search();
        }
    }

    [[nodiscard]] bool has_several_ranks() const { return lists.view().columns.ranks > 1; }

    /// Divides the graph if near-far is to search. If the memory does not suffice for the parts,
    /// push-pull searches, unless the tuning asks for near-far.
    void divide(const SsspTuning& tuning)
    {
        const bool is_asked = tuning.near_far.value_or(false);
        if (!is_asked && (tuning.near_far.has_value() || !push_pull->choices().suits_near_far())) return;
        const NearFarPartsOptions options{.type = type,
                                          .always = is_asked,
                                          .large = is_asked || tuning.expected_searches >= kSearchesOfLargeGraphs,
                                          .in_device_memory = tuning.near_far_in_device_memory};
        try {
            near_far = make_near_far_parts(lists.view(), options, stream);
        } catch (const ResourceError&) {
            if (is_asked) throw;
        }
    }

    /// Searches by near-far. Returns whether each reached vertex has a parent.
    [[nodiscard]] bool search_near_far(SsspSource source) const
    {
        push_pull->clear_counts();
        launch_near_far(near_far_view(), near_far->inboxes.size(), source, type, stream);
        return fetch(&push_pull->view().summary->without_parent, stream) == 0;
    }

    /// The arguments of near-far. Its distances and parents are in the memory that pulls use.
    [[nodiscard]] NearFarView near_far_view() const
    {
        const SsspView& view = push_pull->view();
        NearFarView near_far_args;
        near_far_args.graph = view.graph;
        near_far_args.parts = near_far->parts.view();
        near_far_args.layout = near_far->layout;
        near_far_args.control = near_far->control.data();
        near_far_args.inboxes = near_far->inboxes.data();
        near_far_args.block_words = near_far->block_words.data();
        near_far_args.distances = reinterpret_cast<std::uint32_t*>(view.own.bounds);
        near_far_args.parents = view.own.parents;
        near_far_args.summary = view.summary;
        near_far_args.result_distances = view.result_distances;
        near_far_args.result_parents = view.result_parents;
        near_far_args.width = as_distance(type, near_far_width);
        near_far_args.end = view.end;
        return near_far_args;
    }

    [[nodiscard]] SsspSource source(Vertex vertex) const
    {
        const ColumnNumbers& columns = lists.view().columns;
        return SsspSource::of(vertex, columns.ranks, columns.rank);
    }

    void search(const SsspSource& from)
    {
        if (near_far != nullptr) {
            if (search_near_far(from)) return;
            // Near-far finds no parent for vertices that are reached along arcs of length 0, or
            // along arcs whose weight was lost in a float sum. Such vertices are probable in later
            // searches, too, so push-pull searches from now on.
            near_far.reset();
        }
        push_pull->run(from);
    }

    using Totals = std::array<std::uint64_t, 4>;  // reached vertices, relaxed arcs, pulled arcs, overflows

    [[nodiscard]] static Totals totals_of(const SsspSummary& summary)
    {
        return {summary.reached, summary.relaxed_arcs, summary.pulled_arcs, summary.overflow};
    }

    /// Reads the counts of the last search and sums them over all ranks. Collective.
    void read_totals()
    {
        constexpr std::size_t bytes = PushPull::kCountBytes;
        SsspSummary summary;
        copy_async(std::span<const std::byte>(reinterpret_cast<const std::byte*>(push_pull->view().summary), bytes),
                   std::span(reinterpret_cast<std::byte*>(&summary), bytes), stream);
        stream.synchronize();
        totals = totals_of(summary);
        grid.world().all_reduce(std::span<std::uint64_t>(totals), comm::Reduction::sum);
    }

    const comm::ProcessGrid& grid;
    Stream stream;
    WeightType type;
    ArcLists lists;
    std::shared_ptr<DeviceExchange> exchange;  // null if GPUs exchange no messages
    std::unique_ptr<PushPull> push_pull;
    std::unique_ptr<NearFarParts> near_far;   // null unless near-far searches
    std::unique_ptr<NearestSources> nearest;  // null unless searches start from several vertices
    double near_far_width = 0;                // width of near-far's windows, in units of the weights
    // Whether float distances may be infinite.
    bool float_overflow = false;
    Totals totals{};  // counts of the last search on several GPUs
};

DeviceSssp::DeviceSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
                       std::shared_ptr<DeviceExchange> exchange)
    : state_(std::make_unique<State>(grid, graph, tuning, std::move(exchange)))
{
}

DeviceSssp::DeviceSssp(const comm::ProcessGrid& grid, ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning,
                       std::shared_ptr<DeviceExchange> exchange)
    : state_(std::make_unique<State>(grid, std::move(lists), graph, tuning, std::move(exchange)))
{
}

DeviceSssp::~DeviceSssp() = default;

void DeviceSssp::run(Vertex source)
{
    state_->search(state_->source(source));
}

bool DeviceSssp::starts_from_several() const
{
    return !state_->has_several_ranks();
}

void DeviceSssp::prepare_nearest()
{
    State& state = *state_;
    if (state.has_several_ranks()) throw_one_source();
    if (state.nearest != nullptr) return;
    const ArcListsView& lists = state.lists.view();
    state.nearest = std::make_unique<NearestSources>(
        NearestSources::Graph{lists.local_slots, lists.vertex_of_column, lists.slots, lists.arcs}, state.stream);
}

void DeviceSssp::run_nearest(std::span<const Vertex> sources)
{
    prepare_nearest();
    State& state = *state_;
    state.search(state.nearest->set(sources, state.stream));
    launch_nearest_lengths(*state.nearest, state.push_pull->view(), state.type, state.stream);
    state.stream.synchronize();
}

void DeviceSssp::copy_nearest(std::span<std::int32_t> nearest) const
{
    state_->nearest->copy(nearest, state_->stream);
}

void DeviceSssp::collect()
{
    if (state_->has_several_ranks()) state_->read_totals();
}

SsspFacts DeviceSssp::facts() const
{
    const SsspSummary summary = fetch(state_->push_pull->view().summary, state_->stream);
    const auto [reached, relaxed, pulled, overflows] =
        state_->has_several_ranks() ? state_->totals : State::totals_of(summary);
    SsspFacts facts;
    facts.reached = reached;
    facts.relaxed_arcs = relaxed;
    facts.pulled_arcs = pulled + (pulled > 0 ? state_->push_pull->leaves() : 0);
    state_->push_pull->add_steps(summary, facts);
    return facts;
}

void DeviceSssp::copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const
{
    State& state = *state_;
    const SsspView& view = state.push_pull->view();
    copy_async(std::span<const std::uint32_t>(view.result_distances, distances.size()), distances, state.stream);
    copy_async(std::span<const std::int32_t>(view.result_parents, parents.size()), parents, state.stream);
    state.stream.synchronize();
}

bool DeviceSssp::overflowed() const
{
    if (state_->type != WeightType::uint32) return state_->float_overflow;
    if (state_->has_several_ranks()) return state_->totals[3] != 0;
    return fetch(&state_->push_pull->view().summary->overflow, state_->stream) != 0;
}

bool DeviceSssp::always_overflows() const
{
    return state_->float_overflow;
}

bool DeviceSssp::pulls() const
{
    return state_->push_pull->choices().pulls();
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
    return state_->push_pull->view().result_distances;
}

const std::int32_t* DeviceSssp::device_parents() const
{
    return state_->push_pull->view().result_parents;
}

std::size_t DeviceSssp::state_bytes_for(std::size_t local_count, std::size_t slots, Ranks ranks)
{
    const auto count = static_cast<std::size_t>(ranks.count);
    const std::size_t state = bytes_of(SsspPeerPlan(slots, count), SsspPlan(slots, local_count, slots));
    constexpr std::size_t most_blocks = 1024;  // upper limit of the multiprocessors of a GPU
    return ranks.messages
               ? state + bytes_of(SteppedSsspPlan(slots, count, most_blocks), BoundsRequestsPlan(slots, count))
               : state;
}

std::size_t DeviceSssp::bytes_for(std::size_t local_count, std::size_t least_slots, ListedArcs arcs, Ranks ranks)
{
    const std::size_t align = ranks.count == 1 ? 64 : kTileSlots;
    const std::size_t slots = (least_slots + align - 1) / align * align;
    const std::size_t lists = bytes_of(ArcArraysPlan::most(slots, arcs.out)) +
                              (arcs.in > 0 ? bytes_of(ArcArraysPlan::most(slots, arcs.in)) : 0);
    const ColumnsPlan columns(static_cast<std::size_t>(ranks.count), slots);
    const LocalSlotsPlan locals(local_count, slots);
    // While the graph is copied, the lists and weights are also in memory in the host's form.
    const std::size_t most_arcs = std::max(arcs.out, arcs.in);
    const std::size_t copying = bytes_of(DeviceCsrPlan(static_cast<std::uint32_t>(slots), most_arcs),
                                         PlacingPlan(slots), PlainWeightsPlan(most_arcs));
    return lists + bytes_of(columns, locals) + std::max(copying, state_bytes_for(local_count, slots, ranks)) +
           kDeviceReserveBytes;
}

std::size_t DeviceSssp::most_bytes(Vertex vertices, const ListedArcs& arcs, Ranks ranks)
{
    // Vertices are distributed cyclically, so the shares of ranks are nearly equal in most graphs.
    const double uneven = ranks.count > 1 ? 1.1 : 1;
    const auto share = [&](auto count) {
        return static_cast<std::size_t>(static_cast<double>(count) / ranks.count * uneven) + 1;
    };
    // In a directed graph, each arc may lead to a vertex without out-arcs, which also needs a slot.
    return bytes_for(share(vertices), std::min(share(vertices), share(2 * arcs.out)) + 1,
                     {share(arcs.out), arcs.in > 0 ? share(arcs.in) : 0}, ranks);
}

std::size_t DeviceSssp::most_nearest_bytes(Vertex vertices, const ListedArcs& arcs)
{
    constexpr std::size_t align = 64;
    const auto count = static_cast<std::size_t>(vertices);
    return NearestSources::most_bytes((count + align - 1) / align * align, arcs.out, count);
}

std::string DeviceSssp::description() const
{
    std::ostringstream text;
    text.precision(4);
    const bool near_far = is_near_far();
    const std::string gpus =
        state_->has_several_ranks() ? std::to_string(state_->lists.view().columns.ranks) + " GPUs" : "the GPU";
    const char* const steps = state_->exchange != nullptr ? " that exchange messages" : "";
    const bool in_device_memory = near_far && !state_->near_far->layout.shares_distances();
    const bool long_paths = near_far && state_->push_pull->choices().large_diameter;
    text << (near_far ? "near-far on " : "push-pull on ") << gpus << steps << (long_paths ? " (long paths)" : "")
         << (in_device_memory ? ", distances in device memory" : "") << ", windows of " << width()
         << (pulls() || near_far ? "" : ", nothing pulled");
    return text.str();
}

double DeviceSssp::width() const
{
    return is_near_far() ? state_->near_far_width : state_->push_pull->choices().push_width;
}

std::size_t DeviceSssp::graph_bytes() const
{
    return state_->lists.bytes();
}

std::size_t DeviceSssp::state_bytes() const
{
    return state_->push_pull->bytes() + (is_near_far() ? state_->near_far->bytes() : 0) +
           (state_->nearest != nullptr ? state_->nearest->bytes() : 0);
}

}  // namespace wayfront::gpu::sssp
