#include "plan/apsp/plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "algo/apsp/converted_rows.hpp"
#include "algo/apsp/row_loop.hpp"
#include "base/bytes_in_words.hpp"
#include "comm/agreement.hpp"
#include "cpu/apsp/traced_parents.hpp"
#include "job/host_memory.hpp"
#include "plan/apsp/choice.hpp"
#include "plan/apsp/core_methods.hpp"
#include "plan/apsp/gpu_methods.hpp"
#include "plan/apsp/types.hpp"

namespace wayfront::plan {

namespace {

using algo::DistanceType;

/// Another --dtype than the option's with which the matrix needs less memory, as advice; empty if
/// there is none.
std::string smaller_type(const ApspMethodOptions& options, const ApspPlan& plan, const ApspWork& work)
{
    if (!options.type) return "";
    const DistanceType smallest =
        plan.whole ? algo::smallest_whole_type(plan.most_distance, work.negative_weights) : DistanceType::float32;
    if (!plan.offer.matrix_has_row_type || bytes_of(smallest) >= bytes_of(plan.type)) return "";
    return fmt::format("; --dtype {} needs less memory", name_of(smallest));
}

/// Throws an AgreedError that proposes a remedy if the memory is too small. Collective.
void require_plan_memory(const job::Job& job, const ApspMethodOptions& options, const ApspPlan& plan,
                         const ApspWork& work)
{
    require_memory(job, plan.offer.bytes, fmt::format("{} of {}", plan.method->name, work.name), [&] {
        std::string help = smaller_type(options, plan, work);
        if ((plan.offer.keeps_matrix || plan.elimination != nullptr) && !work.negative_weights)
            help += fmt::format("; --algorithm {} needs memory for a few rows only",
                                work.weights == WeightType::none ? "bit-parallel" : "dijkstra");
        else if (job.threads() > 1)
            help += "; fewer --threads need less memory";
        return help;
    });
}

/// A GPU for each rank, if there are GPUs, with the memory that the options allow. Collective.
EnginePlan take_gpus(const job::Job& job, const ApspMethodOptions& options, const EngineRequest& request, bool own_gpus)
{
    DeviceRequirements requirements{.transports = {Transport::p2p}, .exchange = false};
    // The estimates are for GPUs of this kind.
    constexpr std::size_t shared_bytes = std::size_t{160} << 10;
    if (own_gpus) requirements.shared_bytes = shared_bytes;
    requirements.own_gpus = own_gpus;
    EnginePlan plan = choose_plan(job, std::nullopt, request, requirements);
    if (options.gpu_memory_limit)
        plan.free_bytes =
            static_cast<std::size_t>(std::min(static_cast<double>(plan.free_bytes), *options.gpu_memory_limit));
    return plan;
}

/// The case of which methods are asked, for a plan that has its engine, machine and distances.
ApspCase case_of(const ApspPlan& plan, const job::Job& job, const ApspMethodOptions& options, const ApspWork& work,
                 const DistributedGraph& graph)
{
    return {.job = job,
            .options = options,
            .work = work,
            .graph = graph,
            .rates = options.rates,
            .machine = plan.machine,
            .distances = plan,
            .shape = search_shape(graph),
            .device_bytes = plan.engine.free_bytes,
            .elimination = plan.elimination,
            .elimination_seconds = plan.elimination_seconds,
            .expected_combination = [&graph] {
                return algo::expected_combination(graph.block.out_edges().view(),
                                                  static_cast<std::uint32_t>(graph.connected_vertices), graph.directed);
            }};
}

/// Completes a plan that has its engine and its machine, and the elimination if that has been made.
ApspPlan completed(ApspPlan plan, const job::Job& job, const ApspMethodOptions& options, const ApspWork& work,
                   const DistributedGraph& graph)
{
    const bool on_device = plan.engine.on_device();
    static_cast<ApspDistances&>(plan) = choose_distances(options, work, graph, on_device);
    ApspCase asked = case_of(plan, job, options, work, graph);
    const NamedMethods on_gpus{.methods = gpu_methods(),
                               .processor = needs_gpu(options.method) ? "" : " --engine gpu",
                               .absent = "it runs on the CPU; on a GPU, block is a search per source"};
    const NamedMethods on_cores{
        .methods = core_methods(), .processor = "", .absent = "it runs on a GPU; add --engine gpu"};
    const NamedMethods& list = on_device ? on_gpus : on_cores;
    ApspChoice choice = options.is_automatic() ? best_method(asked, list.methods) : named_method(asked, list);
    if (choice.method == nullptr)
        throw InputError(
            fmt::format("--engine gpu: no method can do this on a GPU ({}); --engine cpu can", choice.reason));
    plan.method = choice.method;
    plan.offer = std::move(choice.offer);
    plan.reason = std::move(choice.reason);
    const bool eliminates = choice.method->trial != nullptr;
    plan.elimination = eliminates ? asked.elimination : nullptr;
    plan.elimination_seconds = eliminates ? asked.elimination_seconds : 0;
    return plan;
}

/// Whether all ranks have made the same choices. Collective.
bool is_same_on_all(const job::Job& job, const ApspPlan& plan)
{
    const std::span<const ApspMethod> methods = plan.engine.on_device() ? gpu_methods() : core_methods();
    const std::array choices{
        plan.method - methods.data(), static_cast<std::ptrdiff_t>(plan.offer.matrix_grid.has_value()),
        static_cast<std::ptrdiff_t>(plan.offer.tile), static_cast<std::ptrdiff_t>(plan.offer.out_of_core)};
    std::array least = choices;
    job.world().all_reduce(std::span<std::int64_t>(least), comm::Reduction::min);
    return job.world().all(least == choices);
}

/// Whether GPUs are to take over from the cores: they take less time, nothing is out of memory, and
/// sums of floats are rounded in the same order.
bool is_better(const ApspPlan& on_gpus, const ApspPlan& on_cores, const GpuRates& rates)
{
    const bool other_roundings = on_gpus.offer.roundings.in_any_order != on_cores.offer.roundings.in_any_order;
    const bool fits = !on_gpus.offer.out_of_core && on_gpus.offer.bytes < on_gpus.machine.bytes.value_or(1e300);
    return fits && !other_roundings && on_gpus.offer.seconds + rates.start < on_cores.offer.seconds;
}

/// The plan for GPUs, if the options leave the choice of the engine and of the algorithm to the
/// program, and GPUs are expected to take less time than the cores. Collective.
std::optional<ApspPlan> better_plan_on_gpus(const job::Job& job, const ApspMethodOptions& options, const ApspWork& work,
                                            const DistributedGraph& graph, const ApspPlan& on_cores)
{
    constexpr double least_seconds = 1;
    // A checkpoint of floyd-warshall can be resumed with the same engine only.
    const bool is_choice =
        options.engine.engine == Engine::automatic && options.is_automatic() && !work.checkpoint && !work.in_bulk_job;
    // Estimates may differ in their last bits between machines, so all ranks decide together.
    if (!is_choice || job.world().all(on_cores.offer.seconds < least_seconds)) return std::nullopt;
    ApspPlan plan;
    plan.engine = take_gpus(job, options, options.engine, true);
    if (!plan.engine.on_device()) return std::nullopt;
    plan.machine = on_cores.machine;
    plan.elimination = on_cores.elimination;
    plan.elimination_seconds = on_cores.elimination_seconds;
    try {
        plan = run_agreed(job.world(), [&] { return completed(plan, job, options, work, graph); });
    } catch (const AgreedError& error) {
        if (error.code() != ExitCode::bad_input && error.code() != ExitCode::resources) throw;
        return std::nullopt;  // the GPUs cannot do the work
    }
    // GPUs of different kinds may lead to different methods.
    const bool same = is_same_on_all(job, plan);
    if (job.world().all(is_better(plan, on_cores, options.rates.gpu)) && same) return plan;
    return std::nullopt;
}

}  // namespace

std::string ApspPlan::in_words() const
{
    constexpr double short_seconds = 0.1;
    const std::string time = offer.seconds < short_seconds ? "less than 0.1 s" : fmt::format("{:.2g} s", offer.seconds);
    const std::string why = reason.empty() ? "" : ", since " + reason;
    const std::string device =
        offer.device_bytes > 0 ? fmt::format(", {} of its GPU", bytes_in_words(offer.device_bytes)) : "";
    const std::string before =
        elimination != nullptr ? fmt::format("vertices eliminated in {:.2g} s; ", elimination_seconds) : "";
    return fmt::format("{}{}; {}distances as {}; about {} a rank{} and {}", method->name, why, before, name_of(type),
                       bytes_in_words(offer.bytes), device, time);
}

std::string_view ApspPlan::panel_transport() const
{
    if (engine.transport == Transport::p2p) return "p2p";
    return engine.transport == Transport::nccl ? "nccl" : "mpi";
}

EnginePlan choose_apsp_engine(const job::Job& job, const ApspMethodOptions& options)
{
    EngineRequest request = options.engine;
    if (needs_gpu(options.method)) {
        run_agreed(job.world(), [&] { require_gpu_for(fmt::format("--algorithm {}", options.method)); });
        request.engine = Engine::gpu;
    }
    if (request.engine != Engine::gpu) return {};
    return take_gpus(job, options, request, false);
}

ApspPlan plan_apsp(const job::Job& job, const ApspMethodOptions& options, const EnginePlan& engine,
                   const ApspWork& work, const DistributedGraph& graph)
{
    ApspPlan plan;
    plan.engine = engine;
    plan.machine = common_machine(job.world(), own_machine(job));
    plan = run_agreed(job.world(), [&] { return completed(plan, job, options, work, graph); });
    if (!is_same_on_all(job, plan))
        require_alike(job.world(), "the ranks choose different methods; name one with --algorithm",
                      fmt::format("{}{}{}", plan.method->name,
                                  plan.offer.tile > 0 ? fmt::format(" in tiles of {}", plan.offer.tile) : "",
                                  plan.offer.out_of_core ? " out of core" : ""));
    if (std::optional<ApspPlan> better = better_plan_on_gpus(job, options, work, graph, plan))
        plan = std::move(*better);
    if (plan.shares_tiles()) choose_exchange(job, options, plan);
    require_plan_memory(job, options, plan, work);
    return plan;
}

double estimated_seconds(const job::Job& job, const ApspMethodOptions& options, const ApspPlan& plan,
                         const ApspWork& work, const DistributedGraph& graph)
{
    return offer_of(*plan.method, case_of(plan, job, options, work, graph)).seconds;
}

std::vector<MethodTime> method_times(const job::Job& job, const ApspMethodOptions& options, const ApspMachine& machine,
                                     const ApspWork& work, const DistributedGraph& graph)
{
    ApspPlan plan;
    plan.machine = machine;
    static_cast<ApspDistances&>(plan) = choose_distances(options, work, graph, false);
    ApspCase asked = case_of(plan, job, options, work, graph);
    std::vector<MethodTime> times;
    const auto add = [&](const ApspMethod& method) {
        const ApspOffer offer = offer_of(method, asked);
        times.push_back({method.name, offer.seconds, offer.bytes, !machine.bytes || fits(offer, machine),
                         offer.roundings.in_any_order});
    };
    const auto fastest = [&] {
        return times.empty() ? std::optional<double>() : std::ranges::min(times, {}, &MethodTime::seconds).seconds;
    };
    // Trials, which may be given up, come last.
    for (const bool tries : {false, true})
        for (const ApspMethod& method : core_methods()) {
            if (method.of_paper || (method.trial != nullptr) != tries || !method.obstacle(asked).empty()) continue;
            if (!tries || method.trial(asked, fastest()).empty()) add(method);
        }
    std::ranges::sort(times, {}, [](const MethodTime& each) {
        return std::pair(!each.fits, compared_seconds(each.seconds, each.other_roundings));
    });
    return times;
}

std::vector<IndexRange> rows_of_rank(const ApspPlan& plan, const ApspWork& work, std::size_t rank, std::size_t ranks)
{
    const std::vector<IndexRange> left = algo::ranges_between(work.done, work.source_list.size());
    if (!plan.offer.has_whole_rows()) return algo::part_of_ranges(left, rank, ranks);
    std::vector<IndexRange> own;
    for (const IndexRange range : left)
        for (std::size_t position = range.first; position < range.last; ++position)
            if (static_cast<std::size_t>(work.source_list[position]) / plan.offer.tile % ranks == rank)
                own.push_back({position, position + 1});
    return algo::joined_ranges(std::move(own));
}

std::unique_ptr<algo::RowProducer> make_rows(const job::Job& job, const ApspPlan& plan, const ApspWork& work,
                                             const DistributedGraph& graph, ProgressListener* listener)
{
    algo::MatrixRanks ranks;
    if (plan.offer.matrix_grid) {
        const auto count = static_cast<std::size_t>(job.world().size());
        ranks.grid = std::make_shared<comm::ProcessGrid>(job.world(), *plan.offer.matrix_grid);
        for (std::size_t rank = 0; rank < count; ++rank) {
            std::vector<Vertex>& wanted = ranks.wanted.emplace_back();
            for (const IndexRange part : rows_of_rank(plan, work, rank, count))
                std::ranges::copy(work.source_list.subspan(part.first, part.size()), std::back_inserter(wanted));
        }
    }
    const std::shared_ptr<const comm::ProcessGrid> grid = ranks.grid;  // until all ranks have agreed
    return run_agreed(job.world(), [&] {
        auto rows = plan.offer.make(work, graph, {job.world(), plan.engine, std::move(ranks), listener});
        rows = algo::with_distance_type(std::move(rows), plan.type);
        return plan.offer.finds_parents ? std::move(rows) : with_parents(plan, work, graph, std::move(rows));
    });
}

std::unique_ptr<algo::RowProducer> with_parents(const ApspPlan& plan, const ApspWork& work,
                                                const DistributedGraph& graph, std::unique_ptr<algo::RowProducer> rows)
{
    const cpu::Sums sums = plan.offer.roundings.along_paths() ? cpu::Sums::along_paths : cpu::Sums::otherwise;
    return work.parents ? cpu::with_traced_parents(graph, std::move(rows), sums) : std::move(rows);
}

}  // namespace wayfront::plan
