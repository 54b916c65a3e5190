#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gpu/sssp/cutoff.hpp"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/left_out.hpp"
#include "gpu/sssp/push_pull.hpp"
#include "gpu/sssp/search_kernel.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// Largest number of vertices of a step that a single block takes: such a step is shorter than a
/// step of all blocks with its barrier.
constexpr std::uint32_t kSingleBlockVertices = 256;

/// Number of open vertices per block from which on a pass of pulls takes longer than pushes of the
/// few vertices that improve. On an H200 at scale 24, both take as long.
constexpr std::uint32_t kOpenForPush = 2048;

}  // namespace

PushPull::PushPull(const comm::Communicator& world, const comm::Communicator& peers, const SsspInput& input,
                   const Stream& stream, Reach reach)
    : world_(world),
      stream_(stream),
      type_(input.graph.type),
      choices_(world, input.lists, input.graph, input.tuning),
      launch_(plan_sssp_launch(type_, reach)),
      first_leaf_(choices_.pulls() ? common_first_leaf(world, input.lists) : input.lists.slots),
      peer_plan_(input.lists.slots, input.lists.columns.ranks),
      shared_(peers, peer_plan_.bytes()),
      plan_(input.lists.slots, input.lists.local_slots.count, std::size_t{input.lists.slots} - first_leaf_),
      memory_(plan_)
{
    const auto& [lists, graph, tuning] = input;
    launch_.blocks = std::min(launch_.blocks, std::max(tuning.blocks.value_or(launch_.blocks), 1U));
    // With fetches of 64 bytes from memory, searches with pulls take 5% less time than with 128
    // bytes at scale 27 and above, and as long at scale 24. The search also works on a GPU that has
    // no such limit or cannot change it.
    if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64) != cudaSuccess) cudaGetLastError();
    view_.graph = lists;
    may_leave_out_ = choices_.pulls() && type_ == WeightType::uint32 &&
                     graph.weight_sum >= static_cast<double>(kUnknown<WholeDistance>);
    connect_peers(peers);
    lay_out_lists();
    set_limits(tuning);
    leaves_ = static_cast<std::uint64_t>(std::max<std::int64_t>(graph.connected_vertices - view_.first_leaf_column, 0));
    const auto first = GridBarrierState<SsspCounts>::first(launch_.blocks);
    copy_async(std::span(&first, 1), memory_[plan_.barrier], stream_);
    stream_.synchronize();
}

void PushPull::connect_peers(const comm::Communicator& peers)
{
    fill_bytes_async(shared_.own(), 0, stream_);
    view_.peer_count = static_cast<std::uint32_t>(peers.size());
    const auto own = static_cast<std::uint32_t>(peers.rank());
    view_.barrier = {.state = memory_[plan_.barrier].data(), .inboxes = {}, .ranks = view_.peer_count, .rank = own};
    for (std::size_t peer = 0; peer < view_.peer_count; ++peer) {
        view_.peers[peer] = peer_plan_.at(shared_.base(peer));
        view_.barrier.inboxes[peer] = peer_plan_.inbox.in(shared_.base(peer));
    }
    view_.own = view_.peers[own];
    clear_push_states(view_, stream_);
}

void PushPull::lay_out_lists()
{
    view_.segment = static_cast<std::uint32_t>(segment_capacity(view_.graph.slots, launch_.blocks));
    for (std::size_t i = 0; i < 2; ++i) {
        view_.waiting[i] = memory_[plan_.lists[i]].data();
        view_.listed[i] = view_.waiting[i];  // no step uses both lists
        view_.open[i] = memory_[plan_.open[i]].data();
    }
    view_.reached = memory_[plan_.lists[2]].data();
    view_.progress = memory_[plan_.progress].data();
    view_.result_distances = memory_[plan_.result_distances].data();
    view_.result_parents = memory_[plan_.result_parents].data();
    fill_bytes_async(memory_[plan_.summary], 0, stream_);
    view_.summary = memory_[plan_.summary].data();
    view_.leaves = memory_[plan_.leaves].data();
}

/// Sets the limits of searches in the view. Collective.
void PushPull::set_limits(const SsspTuning& tuning)
{
    view_.hubs = std::min(launch_.hubs, tuning.hubs.value_or(launch_.hubs));
    view_.width = as_distance(type_, choices_.push_width);
    view_.single_block_vertices =
        std::max(tuning.single_block_vertices.value_or(kSingleBlockVertices), 4U);  // a step has one vertex at least
    const std::uint32_t infinity = type_ == WeightType::float32 ? FloatDistance::kInfinity : WholeDistance::kInfinity;
    view_.end = tuning.cutoff ? end_of_cutoff(type_, *tuning.cutoff, infinity) : infinity;
    view_.pull_from = choices_.pulls() ? choices_.pull_from_arcs() : SsspView::kNever;
    const auto blocks = world_.all_reduce(std::uint64_t{launch_.blocks}, comm::Reduction::sum);
    view_.open_for_push = tuning.open_for_push.value_or(kOpenForPush) * blocks;
    view_.mean_degree = static_cast<std::uint32_t>(std::ceil(choices_.degree));
    view_.first_leaf = first_leaf_;
    view_.first_leaf_column = view_.first_leaf * view_.graph.columns.ranks;
}

void PushPull::store_constant_data()
{
    stream_.synchronize();
    // A rank writes to the memory of its peers only after all ranks have cleared their memory.
    world_.barrier();
    if (choices_.pulls()) {
        store_lightest_arcs(view_, type_, stream_);
        collect_sssp_leaves(view_.graph, first_leaf_, memory_[plan_.leaves], stream_);
    }
    stream_.synchronize();
    // A rank searches, and reads the words that its peers store, only after all ranks have stored
    // them.
    world_.barrier();
}

void PushPull::clear_for_next_search()
{
    searched_.record(stream_);
    searched_.block(clearing_stream_);
    clear_bounds(view_, type_, clearing_stream_);
    cleared_.record(clearing_stream_);
    is_cleared_ = true;
}

void PushPull::wait_for_cleared_bounds()
{
    if (std::exchange(is_cleared_, false))
        cleared_.block(stream_);
    else
        clear_bounds(view_, type_, stream_);
}

void PushPull::clear_counts() const
{
    fill_bytes_async(std::span(reinterpret_cast<std::byte*>(view_.summary), kCountBytes), 0, stream_);
}

ResidentPushPull::ResidentPushPull(const comm::Communicator& world, const SsspInput& input, const Stream& stream)
    : PushPull(world, world, input, stream, input.lists.columns.ranks > 1 ? Reach::peers : Reach::single_gpu)
{
    store_constant_data();
}

void ResidentPushPull::launch(SsspSource source)
{
    wait_for_cleared_bounds();
    with_distance(type_, [&](auto distance) {
        using Distance = decltype(distance);
        if (view_.graph.columns.ranks > 1)
            SearchKernel<Distance, Reach::peers>::launch(view_, source, launch_, stream_);
        else
            SearchKernel<Distance, Reach::single_gpu>::launch(view_, source, launch_, stream_);
    });
    if (may_leave_out_) note_left_out_vertices(view_, stream_);
}

void ResidentPushPull::run(SsspSource source)
{
    clear_counts();
    launch(source);
    clear_for_next_search();
    stream_.synchronize();
}

void ResidentPushPull::add_steps(const SsspSummary& summary, SsspFacts& facts) const
{
    facts.steps = std::max(summary.steps, summary.most_rounds);
    const std::uint32_t records = std::min(summary.steps, SsspSummary::kMostRecords);
    const double tick = static_cast<double>(summary.end - summary.begin) * 1e-9 /
                        static_cast<double>(summary.last_tick - summary.first_tick);
    for (std::uint32_t i = 0; i < records; ++i) {
        const SsspSummary::Record& record = summary.records[i];
        const std::int64_t end = i + 1 < records ? summary.records[i + 1].begin : summary.last_tick;
        facts.records.push_back(
            {step_name(record.step), record.vertices, static_cast<double>(end - record.begin) * tick});
    }
}

}  // namespace wayfront::gpu::sssp
