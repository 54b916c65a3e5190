#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <sstream>
#include <vector>

#include "base/phase.hpp"
#include "gpu/papers/phases/kernel.hpp"
#include "gpu/papers/phases/search.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/cutoff.hpp"
#include "gpu/sssp/distance.cuh"

namespace wayfront::gpu::sssp {

namespace {

struct PhasePlan : MemoryPlan
{
    PhasePlan(std::size_t slots, std::size_t local_count)
        : states(array<VertexState>("states of vertices", slots)),
          lists{array<std::uint32_t>("list of vertices", slots), array<std::uint32_t>("list of vertices", slots)},
          result_distances(array<std::uint32_t>("distances of vertices", local_count)),
          result_parents(array<std::int32_t>("parents of vertices", local_count)),
          summary(array<PhaseSummary>("summary", 1)),
          barrier(array<GridBarrierState<PhaseCounts>>("barrier", 1)),
          inbox(array<BarrierMessage<PhaseCounts>>("inbox of the barrier", kInboxMessages))
    {
    }

    PlannedArray<VertexState> states;
    std::array<PlannedArray<std::uint32_t>, 2> lists;
    PlannedArray<std::uint32_t> result_distances;
    PlannedArray<std::int32_t> result_parents;
    PlannedArray<PhaseSummary> summary;
    PlannedArray<GridBarrierState<PhaseCounts>> barrier;
    PlannedArray<BarrierMessage<PhaseCounts>> inbox;
};

constexpr const char* kStepNames[] = {"all", "updated", "list"};

/// Largest number of phases of a trial search that tunes the thresholds. A search with long paths
/// would have as many phases as the longest path has vertices.
constexpr std::uint32_t kTrialSteps = 2048;

}  // namespace

struct DevicePhases::State
{
    State(const DistributedGraph& graph, const PhaseTuning& tuning)
        : lists(graph, OwnOutEdges(comm::Communicator::self(), graph), ArcDirections::out, stream),
          plan(lists.view().slots, graph.local_count()),
          memory(plan),
          mode(tuning.mode),
          launch(plan_phase_launch(weight_type(graph.block.out_weights())))
    {
        view.graph = lists.view();
        view.states = memory[plan.states].data();
        for (std::size_t i = 0; i < 2; ++i) view.lists[i] = memory[plan.lists[i]].data();
        view.result_distances = memory[plan.result_distances].data();
        view.result_parents = memory[plan.result_parents].data();
        view.summary = memory[plan.summary].data();
        const std::uint32_t infinity =
            launch.type == WeightType::float32 ? FloatDistance::kInfinity : WholeDistance::kInfinity;
        view.end = tuning.cutoff ? end_of_cutoff(launch.type, *tuning.cutoff, infinity) : infinity;
        view.barrier.state = memory[plan.barrier].data();
        view.barrier.inboxes[0] = memory[plan.inbox].data();
        fill_bytes_async(memory[plan.inbox], 0, stream);
        const auto first = GridBarrierState<PhaseCounts>::first(launch.blocks);
        copy_async(std::span(&first, 1), memory[plan.barrier], stream);
        stream.synchronize();
        if (tuning.thresholds)
            thresholds = *tuning.thresholds;
        else if (mode == PhaseMode::adaptive)
            thresholds = measured_thresholds(graph);
    }

    void run(Vertex source, const PhaseRun& phase_run)
    {
        // Clears the counts only; `steps` is the number of valid records.
        fill_bytes_async(std::span(reinterpret_cast<std::byte*>(view.summary), offsetof(PhaseSummary, records)), 0,
                         stream);
        const auto vertex = static_cast<std::uint32_t>(source);
        launch_phases(view, phase_run, {.local = vertex, .vertex = vertex}, launch, stream);
        stream.synchronize();
    }

    [[nodiscard]] PhaseSummary summary() const { return fetch(view.summary, stream); }

    /// Measures phases of both kinds in searches from a vertex with many edges, and determines
    /// whether changes between the kinds save time.
    [[nodiscard]] PhaseThresholds measured_thresholds(const DistributedGraph& graph)
    {
        if (graph.connected_vertices == 0) return {};
        // Columns are ordered by descending degree, so column 0 has many edges.
        const Vertex source = graph.vertex_of_column[0];
        run(source, {PhaseMode::selection, {}, 16});  // makes the driver load the kernel
        const auto seconds = [&](PhaseMode trial, const PhaseThresholds& at) {
            double least = std::numeric_limits<double>::infinity();
            for (int i = 0; i < 2; ++i) {
                const auto begin = Clock::now();
                run(source, {trial, at, kTrialSteps});
                least = std::min(least, seconds_between(begin, Clock::now()));
            }
            return least;
        };
        const auto cost = [&](PhaseStep step) {
            const PhaseSummary found = summary();
            std::vector<PhaseSample> samples;
            for (std::uint32_t i = 0; i < std::min(found.steps, PhaseSummary::kMostRecords); ++i)
                if (found.records[i].step == step)
                    samples.push_back({static_cast<double>(found.records[i].vertices),
                                       static_cast<double>(found.records[i].nanoseconds)});
            return fit_cost(samples);
        };
        TrialTimes times{};
        times.over_all = seconds(PhaseMode::conventional, {});
        const PhaseCost over_all = cost(PhaseStep::all);
        times.over_updated = seconds(PhaseMode::selection, {});
        const PhaseThresholds tuned = tuned_thresholds(over_all, cost(PhaseStep::updated));
        const bool changes = effective_mode(PhaseMode::adaptive, tuned) == PhaseMode::adaptive;
        times.adaptive = changes ? seconds(PhaseMode::adaptive, tuned) : std::numeric_limits<double>::infinity();
        return thresholds_of_trials(tuned, times);
    }

    Stream stream;
    ArcLists lists;
    PhasePlan plan;
    DeviceArrays memory;
    PhaseView view;
    PhaseMode mode;
    PhaseThresholds thresholds;
    PhaseLaunch launch;
};

DevicePhases::DevicePhases(const DistributedGraph& graph, const PhaseTuning& tuning)
    : state_(std::make_unique<State>(graph, tuning))
{
}

DevicePhases::~DevicePhases() = default;

void DevicePhases::run(Vertex source)
{
    run(source, state_->mode, state_->thresholds);
}

void DevicePhases::run(Vertex source, PhaseMode mode, PhaseThresholds thresholds)
{
    state_->run(source, {.mode = effective_mode(mode, thresholds), .thresholds = thresholds});
}

SsspFacts DevicePhases::facts() const
{
    const PhaseSummary summary = state_->summary();
    SsspFacts facts;
    facts.reached = summary.reached;
    facts.relaxed_arcs = summary.relaxed_arcs;
    facts.steps = summary.steps;
    for (std::uint32_t i = 0; i < std::min(summary.steps, PhaseSummary::kMostRecords); ++i) {
        const PhaseSummary::Record& record = summary.records[i];
        facts.records.push_back(
            {kStepNames[static_cast<std::size_t>(record.step)], record.vertices, record.nanoseconds * 1e-9});
    }
    return facts;
}

bool DevicePhases::overflowed() const
{
    return fetch(&state_->view.summary->overflow, state_->stream) != 0;
}

void DevicePhases::copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const
{
    State& state = *state_;
    copy_async(std::span<const std::uint32_t>(state.memory[state.plan.result_distances]), distances, state.stream);
    copy_async(std::span<const std::int32_t>(state.memory[state.plan.result_parents]), parents, state.stream);
    state.stream.synchronize();
}

std::string DevicePhases::description() const
{
    if (state_->mode == PhaseMode::conventional) return "conventional on the GPU, all vertices in every phase";
    if (state_->mode == PhaseMode::selection) return "selection on the GPU, the updated vertices in every phase";
    const PhaseThresholds& at = state_->thresholds;
    std::ostringstream text;
    text.precision(4);
    text << "adaptive on the GPU, ";
    if (at.up == PhaseThresholds::kNever)
        text << "always the updated vertices";
    else if (at.up == 0 && at.down == 0)
        text << "always all vertices";
    else
        text << "all vertices after phases of more than " << static_cast<double>(at.up) * 1e-3
             << " us, the updated ones after phases of less than " << static_cast<double>(at.down) * 1e-3 << " us";
    return text.str();
}

std::size_t DevicePhases::graph_bytes() const
{
    return state_->lists.bytes();
}

std::size_t DevicePhases::state_bytes() const
{
    return state_->memory.bytes();
}

PhaseThresholds DevicePhases::thresholds() const
{
    return state_->thresholds;
}

}  // namespace wayfront::gpu::sssp
