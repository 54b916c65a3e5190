#include "gpu/bfs/stepped/search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/phase.hpp"
#include "base/profiler_range.hpp"
#include "gpu/bfs/device_results.hpp"
#include "gpu/bfs/results.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/stepped/kernels.hpp"
#include "gpu/bfs/stepped/level_totals.hpp"
#include "gpu/bfs/stepped/memory.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"

namespace wayfront::gpu::bfs {

namespace {

/// The largest number of out-edges of a small level. Each rank may have to request the heads of all these edges
/// from another rank, in one piece of a list of `requests`, which begins with their number. The sum of a rank's pieces
/// is small, too.
std::uint64_t most_small_edges(std::uint64_t requests, std::uint32_t ranks)
{
    constexpr std::uint64_t most_sent = (std::uint64_t{1} << 20) / sizeof(VisitRequest);
    if (ranks == 1) return kSingleBlockEdges;
    const std::uint64_t of_rank = std::max<std::uint64_t>(std::min(requests, most_sent) / ranks, 1);
    return std::min<std::uint64_t>(kSingleBlockEdges, of_rank - 1);
}

}  // namespace

struct SteppedSearch::State
{
    State(const comm::ProcessGrid& process_grid, const DeviceGraph& device_graph, DeviceExchange& ranks_exchange,
          const DeviceSearchOptions& options, const SteppedOptions& stepped);

    /// Makes the view of the allocated arrays.
    [[nodiscard]] SteppedView make_view(const DeviceGraph& device_graph, const DeviceSearchOptions& options);

    void run(Vertex key, Clock::time_point began);

    /// Runs a step: launches its kernels and exchanges messages. Returns the counts of the step
    /// over all ranks.
    LevelCounts run_step(Step step, SearchKey key);
    void clear();
    LevelCounts start(SearchKey key);
    LevelCounts prepare();
    /// Follows the frontier, or its tail, top-down, in rounds whose size the room for requests limits.
    LevelCounts follow();
    /// Follows the own items [first, last): requests vertices of other ranks, and visits the
    /// vertices that other ranks request.
    void follow_round(std::uint64_t first, std::uint64_t last);
    LevelCounts bottom_up();
    void exchange_requests();
    /// Runs small levels, which are top-down levels of few edges. Returns the step after them.
    Step small_levels();
    /// Runs one small level: finds the next frontier, and makes its work items if they are few. All
    /// ranks know that `out_edges` is an upper limit of all requests, so no rank sends a count first.
    LevelCounts small_level(std::int32_t level, std::uint64_t items, ItemSizes sizes, std::uint64_t out_edges);
    /// Completes a bitmap of all columns in which each rank has its own part.
    void gather(std::uint32_t* columns);
    void gather_bitmap(std::uint32_t* columns);
    /// Whether the level after a bottom-up level is probably bottom-up. If so, its frontier is sent
    /// while the ranks sum its counts.
    [[nodiscard]] bool next_is_bottom_up() const;
    [[nodiscard]] std::uint64_t max_over_ranks(std::uint64_t value) const;
    /// Writes the record of a level whose direction the plan chooses.
    [[nodiscard]] auto recorder()
    {
        return [this](const LevelCounts& counts, bool goes_bottom_up) {
            records.push_back({plan.level, goes_bottom_up, counts.vertices, counts.out_edges});
        };
    }
    /// Sets the duration of a level that has ended.
    void end_record(std::int32_t level);
    [[nodiscard]] std::uint32_t* columns(int bitmap) { return frontiers[static_cast<std::size_t>(bitmap)].data(); }

    [[nodiscard]] std::size_t ranks() const { return graph.ranks; }

    const comm::ProcessGrid& grid;
    DeviceExchange& exchange;
    std::uint64_t round_items;
    PhaseLog* log;
    DeviceResults results;
    const Stream& stream = results.stream;
    SteppedMemoryPlan memory_plan;
    DeviceArrays arrays;
    std::array<std::span<std::uint32_t>, 2> frontiers;
    // The parts of all ranks in a bitmap of all columns, one after the other.
    std::span<std::uint32_t> parts;
    std::span<VisitRequest> requests;
    std::span<VisitRequest> sent;
    // Received requests. At first as large as `sent`, and larger when the rank receives more requests than
    // it sends.
    std::span<VisitRequest> received;
    LevelTotals totals;
    // The number of all requests of a round, then one number for each rank.
    DeviceBuffer<unsigned long long> request_counts;
    DeviceBuffer<unsigned long long> request_places;  // where the requests for each rank are stored
    PinnedBuffer<unsigned long long> host_request_counts;
    SteppedView view;
    const DeviceGraphView& graph = view.graph;
    SteppedKernels kernels;
    SearchForm form;

    // State of the current search:
    SearchPlan plan;
    bool gathered = false;         // whether the frontier's bitmap of all columns is complete
    std::uint64_t item_edges = 0;  // the out-edges of the plan's work items
    std::vector<DeviceLevel> records;
    Clock::time_point record_begin;
};

SteppedSearch::State::State(const comm::ProcessGrid& process_grid, const DeviceGraph& device_graph,
                            DeviceExchange& ranks_exchange, const DeviceSearchOptions& options,
                            const SteppedOptions& stepped)
    : grid(process_grid),
      exchange(ranks_exchange),
      round_items(stepped.round_items),
      log(stepped.log),
      results(DeviceResultsPlan(device_graph.view.local_count, options.levels)),
      memory_plan(device_graph.view, round_items, options.levels),
      arrays(memory_plan),
      frontiers{arrays[memory_plan.frontiers[0]], arrays[memory_plan.frontiers[1]]},
      parts(arrays[memory_plan.parts]),
      requests(arrays[memory_plan.requests]),
      sent(arrays[memory_plan.sent]),
      received(arrays[memory_plan.received]),
      totals(process_grid.world(), stream, log),
      request_counts(device_graph.view.ranks + 1),
      request_places(device_graph.view.ranks),
      host_request_counts(device_graph.view.ranks + 1),
      view(make_view(device_graph, options)),
      kernels(view, options.most_hubs, stream),
      form(SearchForm::stepped(most_small_edges(requests.size(), device_graph.view.ranks)))
{
    for (const std::span<std::uint32_t> bitmap : frontiers) fill_bytes_async(bitmap, 0, stream);
    stream.synchronize();
}

SteppedView SteppedSearch::State::make_view(const DeviceGraph& device_graph, const DeviceSearchOptions& options)
{
    const auto at = [this](const auto& array) { return arrays[array].data(); };
    SteppedView made;
    made.graph = device_graph.view;
    PeerState& state = made.own;
    state.visited = at(memory_plan.visited);
    state.frontier[0] = frontiers[0].data();
    state.frontier[1] = frontiers[1].data();
    state.parents = at(memory_plan.parents);
    state.levels = at(memory_plan.slot_levels);
    made.expanded = at(memory_plan.expanded);
    made.own_frontier = at(memory_plan.own_frontier);
    made.queue = at(memory_plan.queue);
    made.counts = totals.on_device();
    made.result = results.parents.data();
    made.result_levels = results.levels.data();
    made.rule.options = options;
    made.rule.connected = static_cast<std::uint64_t>(device_graph.connected_vertices);
    made.keep_levels = options.levels;
    return made;
}

void SteppedSearch::State::run(Vertex key, Clock::time_point began)
{
    const SearchKey own_key = SearchKey::of(key, graph.ranks, graph.rank);
    plan = {};
    gathered = false;
    records.clear();
    record_begin = began;
    for (Step step = Step::clear; step != Step::end;) {
        if (step == Step::small_levels) {
            step = small_levels();
            continue;
        }
        const LevelCounts counts = run_step(step, own_key);
        const std::int32_t level = plan.level;
        step = plan.after(step, counts, totals.own().queue_items, {.direction = view.rule, .form = form}, recorder());
        if (plan.level != level) end_record(level);
    }
    kernels.finish();
    launch_write_results(view, own_key, stream);
    stream.synchronize();
}

LevelCounts SteppedSearch::State::run_step(Step step, SearchKey key)
{
    switch (step) {
        case Step::clear:
            clear();
            return {};
        case Step::start:
            return start(key);
        case Step::survey:
            kernels.survey();
            return totals.level_counts(plan.level);
        case Step::prepare:
            return prepare();
        case Step::follow:
            return follow();
        case Step::bottom_up:
            return bottom_up();
        case Step::answer:
        case Step::small_levels:
        case Step::end:
            break;
    }
    throw std::logic_error("the stepped search has no such step");
}

void SteppedSearch::State::clear()
{
    fill_bytes_async(arrays[memory_plan.visited], 0, stream);
    fill_bytes_async(arrays[memory_plan.expanded], 0, stream);
    fill_bytes_async(arrays[memory_plan.own_frontier], 0, stream);
    fill_bytes_async(frontiers[1], 0, stream);
    totals.clear();
}

LevelCounts SteppedSearch::State::start(SearchKey key)
{
    if (key.local != SearchKey::kElsewhere) {
        kernels.start(key.local, key.vertex);
        kernels.queue_own_frontier(~std::uint64_t{0});
    }
    const LevelCounts counts = totals.level_counts(plan.level);
    item_edges = totals.own().level.counts().out_edges;
    return counts;
}

LevelCounts SteppedSearch::State::prepare()
{
    // After a bottom-up level, each rank's part of the frontier is already in the bitmap.
    if (plan.publishes) {
        kernels.publish(plan.frontier_location(), plan.frontier);
        gather(columns(plan.frontier));
        gathered = true;
    }
    if (plan.makes_items) {
        const FrontierLocation at = plan.publishes ? FrontierLocation::own_frontier : plan.frontier_location();
        kernels.make_items(at, columns(plan.frontier), plan.tail, plan.item_sizes);
        const LevelCounts frontier = totals.own().level.counts();
        totals.start_copy();
        totals.finish_copy();
        item_edges = totals.own().level.counts().out_edges;
        if (!plan.tail) return totals.sum_over_ranks(plan.level);
        totals.set_own(frontier);  // of which the tail is a part
    }
    return plan.counts;
}

LevelCounts SteppedSearch::State::follow()
{
    const ProfilerRange range("top-down level");
    // If a rank's items have no more edges than there is room for requests, one round takes all items.
    // Otherwise a round takes as many items as have room even if each item has the largest number
    // of edges.
    const std::uint64_t most_edges = plan.item_sizes == ItemSizes::one ? kItemEdges : kLongItemEdges;
    const std::uint64_t fewest_items = std::max<std::uint64_t>(round_items * kItemEdges / most_edges, 1);
    const std::uint64_t items = plan.queue_items;
    const std::uint64_t items_a_round =
        item_edges <= round_items * kItemEdges ? std::max<std::uint64_t>(items, 1) : fewest_items;
    const std::uint64_t own_rounds = (items + items_a_round - 1) / items_a_round;
    const bool all_have_room = plan.edges_known && plan.counts.out_edges <= round_items * kItemEdges;
    const std::uint64_t rounds = all_have_room ? 1 : max_over_ranks(own_rounds);
    for (std::uint64_t round = 0; round < rounds; ++round)
        follow_round(std::min(items, round * items_a_round), std::min(items, (round + 1) * items_a_round));
    if (!plan.tail) return totals.level_counts(plan.level);
    // The rows will also count the vertices that the tail found.
    totals.clear();
    return {};
}

void SteppedSearch::State::follow_round(std::uint64_t first, std::uint64_t last)
{
    fill_bytes_async(request_counts.span(), 0, stream);
    kernels.follow_items({first, last, plan.item_sizes}, columns(plan.frontier ^ 1), plan.level,
                         {requests.data(), request_counts.data()});
    if (ranks() > 1) exchange_requests();
}

LevelCounts SteppedSearch::State::bottom_up()
{
    const ProfilerRange range("bottom-up level");
    if (!gathered) gather(columns(plan.frontier));
    kernels.bottom_up(plan.frontier, plan.frontier ^ 1, plan.level, plan.variant);
    totals.start_copy();
    gathered = next_is_bottom_up();
    if (gathered) gather_bitmap(columns(plan.frontier ^ 1));
    return totals.copied_counts(plan.level);
}

bool SteppedSearch::State::next_is_bottom_up() const
{
    if (ranks() == 1 || !exchange.in_stream()) return false;
    // A frontier after one that was found top-down, or after a large one, is usually large.
    constexpr std::uint64_t large_part = 64;
    return !plan.last_bottom_up || large_part * plan.counts.vertices >= view.rule.connected;
}

void SteppedSearch::State::exchange_requests()
{
    const Phase phase(log, "all-to-all", plan.level);
    kernels.count_requests({requests.data(), request_counts.data()}, request_counts.data() + 1);
    const std::span<unsigned long long> own_counts = host_request_counts.span();
    copy_async(std::span<const unsigned long long>(request_counts.span()), own_counts, stream);
    stream.synchronize();

    std::vector<std::int64_t> send_counts(own_counts.begin() + 1, own_counts.end());
    const unsigned long long own_requests = own_counts[0];
    std::exclusive_scan(send_counts.begin(), send_counts.end(), own_counts.begin(), 0ULL);
    copy_async(std::span<const unsigned long long>(own_counts.first(ranks())), request_places.span(), stream);
    kernels.place_requests(requests.data(), own_requests, request_places.data(), sent.data());

    std::vector<std::int64_t> receive_counts = grid.world().all_to_all(send_counts);
    const auto received_count =
        static_cast<std::size_t>(std::accumulate(receive_counts.begin(), receive_counts.end(), std::int64_t{0}));
    if (received.size() < received_count) {
        // The memory grows in large steps, so that few rounds wait for an allocation.
        const std::size_t capacity = std::max(received_count, received.size() + received.size() / 2);
        received = arrays.replace(memory_plan.received, capacity);
    }
    for (std::int64_t& count : send_counts) count *= sizeof(VisitRequest);
    for (std::int64_t& count : receive_counts) count *= sizeof(VisitRequest);
    exchange.all_to_all_v(reinterpret_cast<const std::byte*>(sent.data()), send_counts,
                          reinterpret_cast<std::byte*>(received.data()), receive_counts, stream);
    kernels.answer_requests(received.data(), received_count, plan.level);
}

Step SteppedSearch::State::small_levels()
{
    const ProfilerRange range("small levels");
    std::int32_t level = plan.level;
    LevelCounts frontier = plan.counts;
    std::uint64_t items = plan.queue_items;
    ItemSizes sizes = plan.item_sizes;
    std::uint64_t passed_vertices = 0;  // number of vertices of the frontiers between the first and the last
    for (;;) {
        frontier = small_level(level, items, sizes, frontier.out_edges);
        end_record(level);
        ++level;
        items = totals.own().queue_items;
        sizes = ItemSizes::one;
        if (frontier.vertices == 0 || level > view.rule.options.max_level) break;
        if (frontier.out_edges > form.small_level_edges) break;
        if (view.rule.bottom_up(false, frontier, plan.reached + passed_vertices + frontier.vertices,
                                plan.failed_switches))
            break;
        records.push_back({level, false, frontier.vertices, frontier.out_edges});
        passed_vertices += frontier.vertices;
    }
    item_edges = totals.own().level.counts().out_edges;
    return plan.left_small_levels({.counts = frontier, .level = level, .reached = passed_vertices}, items,
                                  {.direction = view.rule, .form = form}, recorder());
}

LevelCounts SteppedSearch::State::small_level(std::int32_t level, std::uint64_t items, ItemSizes sizes,
                                              std::uint64_t out_edges)
{
    const RequestList found{requests.data(), request_counts.data()};
    fill_bytes_async(request_counts.span(), 0, stream);
    kernels.follow_items({0, items, sizes}, columns(plan.frontier ^ 1), level, found);
    if (ranks() > 1) {
        const Phase phase(log, "all-to-all", level);
        const std::uint64_t of_piece = out_edges + 1;
        const MessagePieces pieces =
            exchange.message_memory(of_piece * sizeof(VisitRequest), reinterpret_cast<std::byte*>(sent.data()),
                                    reinterpret_cast<std::byte*>(received.data()));
        kernels.fill_pieces(found, {reinterpret_cast<VisitRequest*>(pieces.send), of_piece});
        exchange.all_to_all(pieces.send, pieces.receive, of_piece * sizeof(VisitRequest), stream,
                            RequestPieces::used_bytes);
        kernels.answer_pieces({reinterpret_cast<VisitRequest*>(pieces.receive), of_piece}, level);
    }
    totals.clear();  // the survey counts what was found
    kernels.survey();
    kernels.queue_own_frontier(kQueuedEdges);
    return totals.level_counts(level);
}

void SteppedSearch::State::gather(std::uint32_t* columns)
{
    if (ranks() == 1) return;
    const Phase phase(log, "all-gather", plan.level);
    // Lists take more launches than bitmaps, so they are used only if they are at most half as
    // long.
    const std::size_t longest_list = graph.slot_stride / 32 / 2;
    if (plan.counts.vertices <= ranks() * longest_list) {
        const std::uint64_t most = totals.most_vertices();
        if (most <= longest_list) {
            auto* const lists = reinterpret_cast<std::byte*>(parts.data());
            const MessagePieces pieces = exchange.message_memory(most * sizeof(std::uint32_t), lists, lists);
            auto* const slots = reinterpret_cast<std::uint32_t*>(pieces.receive);
            kernels.pack_list(columns, {slots + graph.rank * most, most}, request_counts.data());
            exchange.all_gather(pieces.receive, most * sizeof(std::uint32_t), stream);
            kernels.unpack_lists(slots, most, columns);
            return;
        }
    }
    gather_bitmap(columns);
}

void SteppedSearch::State::gather_bitmap(std::uint32_t* columns)
{
    const std::size_t words = graph.slot_stride / 32;
    kernels.pack(columns, parts.data() + graph.rank * words);
    exchange.all_gather(reinterpret_cast<std::byte*>(parts.data()), words * sizeof(std::uint32_t), stream);
    kernels.unpack(parts.data(), columns);
}

std::uint64_t SteppedSearch::State::max_over_ranks(std::uint64_t value) const
{
    if (ranks() == 1) return value;
    const Phase phase(log, "all-reduce", plan.level);
    return grid.world().all_reduce(value, comm::Reduction::max);
}

void SteppedSearch::State::end_record(std::int32_t level)
{
    const Clock::time_point now = Clock::now();
    // The last record may already be that of the next level.
    const auto ended = std::ranges::find(records.rbegin(), records.rend(), level, &DeviceLevel::level);
    if (ended != records.rend()) ended->duration = now - record_begin;
    record_begin = now;
}

SteppedSearch::SteppedSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, DeviceExchange& exchange,
                             const DeviceSearchOptions& options, const SteppedOptions& stepped)
    : state_(std::make_unique<State>(grid, graph, exchange, options, stepped))
{
}

SteppedSearch::~SteppedSearch() = default;

void SteppedSearch::search(Vertex key)
{
    state_->run(key, began());
}

const DeviceResults& SteppedSearch::results() const
{
    return state_->results;
}

std::vector<DeviceLevel> SteppedSearch::level_records() const
{
    return state_->records;
}

std::uint64_t SteppedSearch::reached() const
{
    return std::max<std::uint64_t>(1, state_->plan.reached);
}

std::size_t SteppedSearch::state_bytes() const
{
    return state_->arrays.bytes() + state_->results.bytes();
}

std::size_t SteppedSearch::state_bytes_for(const RankNumbers& rank, int ranks, bool levels)
{
    DeviceGraphView numbers;
    numbers.slot_stride = rank.slots;
    numbers.ranks = static_cast<std::uint32_t>(ranks);
    numbers.out.edges = rank.edges;
    return bytes_of(SteppedMemoryPlan(numbers, SteppedOptions::kRoundItems, levels),
                    DeviceResultsPlan(rank.local_count, levels));
}

}  // namespace wayfront::gpu::bfs
