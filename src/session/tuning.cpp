#include "session/tuning.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <string_view>

#include "algo/apsp/rows.hpp"
#include "base/error.hpp"
#include "base/phase.hpp"
#include "comm/agreement.hpp"
#include "gpu/runtime/device.hpp"
#include "job/listener.hpp"
#include "job/progress.hpp"
#include "plan/apsp/plan.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/apsp/row_job.hpp"
#include "session/search_tuning.hpp"

namespace wayfront::session {

namespace {

/// A job that determines one rate.
struct Experiment
{
    const char* rate;
    const char* graph;
    const char* weights;  // empty: none
    const char* method;
    std::size_t sources;            // 0: all
    const char* or_rate = nullptr;  // the rate that the job determines if `rate` has no part in it
    bool rows = false;
    bool parents = false;
    bool prepares = false;  // whether the time includes what is prepared before the first row
};

constexpr const char* kSortArc = "sort_arc";

// Each takes some tenths of a second on one core of 2024. In most of them, one rate dominates.
constexpr Experiment kCoreExperiments[] = {
    {.rate = "search_vertex",
     .graph = "random:20000,30000",
     .weights = "uniform:1..1000",
     .method = "dijkstra",
     .sources = 100},
    {.rate = "search_arc",
     .graph = "random:2000,800000",
     .weights = "uniform:1..1000",
     .method = "dijkstra",
     .sources = 40},
    {.rate = "push_pull_vertex",
     .graph = "rmat:15,ef=2",
     .weights = "uniform:1..255",
     .method = "push-pull",
     .sources = 200},
    {.rate = "push_pull_arc",
     .graph = "random:2000,600000",
     .weights = "uniform:1..255",
     .method = "push-pull",
     .sources = 0},
    {.rate = kSortArc,
     .graph = "random:20000,400000",
     .weights = "uniform:1..255",
     .method = "push-pull",
     .sources = 1,
     .prepares = true},
    {.rate = "relaxation",
     .graph = "random:1500,6000",
     .weights = "uniform:1..100000",
     .method = "floyd-warshall",
     .sources = 0,
     .or_rate = "wide_relaxation"},  // only the relaxations of one kind of vectors run here
    {.rate = "parents_relaxation",
     .graph = "random:1500,6000",
     .weights = "uniform:1..100000",
     .method = "floyd-warshall",
     .sources = 0,
     .rows = true,
     .parents = true},
    {.rate = "set_arc", .graph = "random:20000,160000", .weights = "", .method = "bit-parallel", .sources = 4096},
    {.rate = "elimination_vertex",
     .graph = "path:20000",
     .weights = "uniform:1..1000",
     .method = "elimination",
     .sources = 8192},
    {.rate = "elimination_arc",
     .graph = "grid:100x100",
     .weights = "uniform:1..1000",
     .method = "elimination",
     .sources = 8192},
    {.rate = "row_vertex",
     .graph = "path:20000",
     .weights = "uniform:1..1000",
     .method = "elimination",
     .sources = 1024,
     .rows = true},
    {.rate = "trace_vertex",
     .graph = "path:20000",
     .weights = "uniform:1..1000",
     .method = "elimination",
     .sources = 64,
     .rows = true,
     .parents = true},
    {.rate = "trace_arc",
     .graph = "random:4000,400000",
     .weights = "",
     .method = "bit-parallel",
     .sources = 64,
     .rows = true,
     .parents = true},
};
// Each takes 0.03 to 0.2 s on an H200, an estimate with the rates that these experiments determined there.
constexpr Experiment kGpuExperiments[] = {
    {.rate = "block_element",
     .graph = "random:20000,160000",
     .weights = "uniform:1..1000",
     .method = "block",
     .sources = 0},
    {.rate = "device_block_vertex",
     .graph = "random:200000,400000",
     .weights = "uniform:1..1000",
     .method = "block",
     .sources = 2048},
    {.rate = "device_block_arc",
     .graph = "random:100000,3200000",
     .weights = "uniform:1..1000",
     .method = "block",
     .sources = 2048},
    {.rate = "elimination_element",
     .graph = "grid:200x200",
     .weights = "uniform:1..1000",
     .method = "elimination",
     .sources = 0},
    {.rate = "bit_element", .graph = "random:100000,800000", .weights = "", .method = "bit-parallel", .sources = 0},
    {.rate = "relaxation",
     .graph = "random:8192,32768",
     .weights = "uniform:1..100000",
     .method = "floyd-warshall",
     .sources = 0},
};

/// Searches of a graph from one source after another, which determine one rate.
struct SearchExperiment
{
    const char* rate;
    const char* graph;
    const char* weights = "";  // empty: breadth-first searches
};

constexpr SearchExperiment kCoreSearches[] = {{.rate = "bfs_edge", .graph = "kron:18"},
                                              {.rate = "bfs_deep_vertex", .graph = "grid:500x500"}};
constexpr SearchExperiment kGpuSearches[] = {
    {.rate = "bfs_start", .graph = "random:1000,8000"},
    {.rate = "bfs_vertex", .graph = "random:1000000,32000000"},
    {.rate = "bfs_deep_vertex", .graph = "grid:500x500"},
    {.rate = "sssp_start", .graph = "random:1000,8000", .weights = "uniform:1..255"},
    {.rate = "sssp_vertex", .graph = "random:1000000,8000000", .weights = "uniform:1..255"}};
constexpr int kRepetitions = 3;
constexpr double kLeastShare = 0.05;  // the least share of a job's time that its own rate explains

/// Takes rows and leaves them.
class NoConsumer final : public algo::RowConsumer
{
public:
    void consume(const algo::RowBatch& /*batch*/) override {}
};

/// The names of the rates of cores or of GPUs, and their values without tune.
template <typename Part>
struct NamedRates
{
    std::vector<std::string> names;
    std::vector<double> values;

    NamedRates()
    {
        Part::for_each(Part(), [this](const char* name, double rate) {
            names.emplace_back(name);
            values.push_back(rate);
        });
    }
    [[nodiscard]] std::size_t position(std::string_view name) const
    {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    }
};

template <typename Part>
Part rates_of(std::span<const double> values)
{
    Part rates;
    std::size_t i = 0;
    Part::for_each(rates, [&](const char* /*name*/, double& rate) { rate = values[i++]; });
    return rates;
}

/// The same ranks and threads, without notes.
job::Job silent_job(const job::Job& job)
{
    return {job.world(), job.threads(), std::make_shared<job::NoteForwarder>(nullptr)};
}

/// Runs the job that is planned once.
double seconds_of_rows(const job::Job& job, PreparedPairs& pairs, bool with_preparation)
{
    job::Progress progress(job, "all pairs");
    const Clock::time_point before = Clock::now();
    const auto producer = plan::make_rows(job, pairs.plan, pairs.work, *pairs.whole.graph, nullptr);
    const Clock::time_point begin = with_preparation ? before : Clock::now();
    NoConsumer consumer;
    algo::Summary summary(pairs.sources.size(), pairs.plan.whole);
    RowJob rows{.sources = pairs.sources, .producer = *producer, .progress = progress};
    if (pairs.work.rows)
        rows.consumers.push_back(&consumer);
    else
        rows.summary = &summary;
    run_rows(job, rows);
    return seconds_between(begin, Clock::now());
}

/// The job of an experiment, planned.
void plan_job(const job::Job& job, const Experiment& experiment, const plan::ApspMethodOptions& options,
              PreparedPairs& pairs)
{
    pairs.engine = plan::choose_apsp_engine(job, options);
    GraphOptions graph;
    graph.graph = experiment.graph;
    graph.weights = experiment.weights;
    pairs.input = load_graph(job, graph, true);
    gather_pairs(job, options, pairs);
    construct_pairs(job, pairs);
    release_edges(pairs);
    take_all_sources(pairs);
    if (experiment.sources > 0) pairs.sources.resize(std::min(pairs.sources.size(), experiment.sources));
    plan_pairs(job, options, {.done = {}, .rows = experiment.rows, .parents = experiment.parents}, pairs);
}

template <typename Part>
TimedJob time_job(const job::Job& job, const Experiment& experiment, Engine engine, Part plan::Rates::*part)
{
    const NamedRates<Part> named;
    plan::ApspMethodOptions options;
    options.method = experiment.method;
    options.engine.engine = engine;
    PreparedPairs pairs;
    plan_job(job, experiment, options, pairs);
    TimedJob timed;
    // The part of the estimate that follows from rates that are not measured is negligible here.
    const EstimateParts parts = parts_of_estimate(named.values.size(), [&](std::span<const double> rates) {
        options.rates.*part = rates_of<Part>(rates);
        return plan::estimated_seconds(job, options, pairs.plan, pairs.work, *pairs.whole.graph);
    });
    timed.coefficients = parts.coefficients;
    timed.rate = named.position(experiment.rate);
    if (const std::size_t sort = named.position(kSortArc); !experiment.prepares && sort < named.names.size())
        timed.coefficients[sort] = 0;  // lists are sorted before the first row
    if (timed.coefficients[timed.rate] == 0 && experiment.or_rate != nullptr)
        timed.rate = named.position(experiment.or_rate);
    for (int i = 0; i < kRepetitions; ++i) {
        const double seconds = seconds_of_rows(job, pairs, experiment.prepares);
        timed.seconds = i == 0 ? seconds : std::min(timed.seconds, seconds);
    }
    timed.seconds = std::max(timed.seconds - parts.without_rates, kLeastShare * timed.seconds);
    return timed;
}

template <typename Part>
TimedJob time_searches(const job::Job& job, const SearchExperiment& experiment, Engine engine, Part plan::Rates::*part)
{
    const bool is_bfs = std::string_view(experiment.weights).empty();
    const SearchTimes times =
        is_bfs ? time_bfs(job, experiment.graph, engine) : time_gpu_sssp(job, experiment.graph, experiment.weights);
    const NamedRates<Part> named;
    TimedJob timed;
    timed.seconds = times.search_seconds;
    timed.rate = named.position(experiment.rate);
    timed.coefficients = parts_of_estimate(named.values.size(), [&](std::span<const double> values) {
                             plan::Rates rates;
                             rates.*part = rates_of<Part>(values);
                             return times.estimate(rates);
                         }).coefficients;
    return timed;
}

/// The experiments of cores or of GPUs.
struct Experiments
{
    std::span<const Experiment> pairs;
    std::span<const SearchExperiment> searches;
};

template <typename Part>
Part measure_rates(const job::Job& job, const Experiments& experiments, Engine engine, Part plan::Rates::*part)
{
    std::vector<TimedJob> jobs;
    job::Progress progress(job, "tune", experiments.pairs.size() + experiments.searches.size());
    const job::Job silent = silent_job(job);
    for (const Experiment& experiment : experiments.pairs) {
        jobs.push_back(time_job(silent, experiment, engine, part));
        progress.advance(1);
    }
    for (const SearchExperiment& experiment : experiments.searches) {
        jobs.push_back(time_searches(silent, experiment, engine, part));
        progress.advance(1);
    }
    return rates_of<Part>(fitted_rates(NamedRates<Part>().values, jobs));
}

/// The time to start a GPU that no job has used before, in seconds: the preparation of a first search takes longer by
/// this time than that of a second search of the same graph.
double measure_gpu_start(const job::Job& job)
{
    const job::Job silent = silent_job(job);
    const char* const small = kGpuSearches[0].graph;
    const double first = time_bfs(silent, small, Engine::gpu).preparation_seconds;
    const double second = time_bfs(silent, small, Engine::gpu).preparation_seconds;
    return std::max(first - second, kLeastShare * first);
}

}  // namespace

EstimateParts parts_of_estimate(std::size_t count, const std::function<double(std::span<const double>)>& estimate)
{
    std::vector<double> rates(count, 0);
    EstimateParts parts{.without_rates = estimate(rates), .coefficients = {}};
    for (double& rate : rates) {
        rate = 1;
        parts.coefficients.push_back(estimate(rates) - parts.without_rates);
        rate = 0;
    }
    return parts;
}

std::vector<double> fitted_rates(std::vector<double> rates, std::span<const TimedJob> jobs)
{
    constexpr int rounds = 100;  // each rate follows the others; few rounds suffice
    for (int round = 0; round < rounds; ++round)
        for (const TimedJob& job : jobs) {
            if (job.coefficients[job.rate] == 0) continue;
            double others = 0;
            for (std::size_t i = 0; i < rates.size(); ++i)
                if (i != job.rate) others += job.coefficients[i] * rates[i];
            rates[job.rate] = std::max(job.seconds - others, kLeastShare * job.seconds) / job.coefficients[job.rate];
        }
    return rates;
}

plan::CoreRates measure_core_rates(const job::Job& job)
{
    return measure_rates(job, {kCoreExperiments, kCoreSearches}, Engine::cpu, &plan::Rates::core);
}

bool measure_gpu(const job::Job& job, plan::Rates& rates)
{
    const Clock::time_point begin = Clock::now();
    if (gpu::device_count() == 0) return false;
    const double to_find_gpus = seconds_between(begin, Clock::now());
    try {
        const double start = to_find_gpus + measure_gpu_start(job);
        plan::GpuRates measured = measure_rates(job, {kGpuExperiments, kGpuSearches}, Engine::gpu, &plan::Rates::gpu);
        measured.start = start;
        rates.gpu_machine = run_agreed(job.world(), [] { return gpu::use_device(0); });
        rates.gpu = measured;
        return true;
    } catch (const Error& error) {
        job.note(std::string("the GPU was not measured: ") + error.what());
        return false;
    }
}

std::string processor_name()
{
    std::ifstream processors("/proc/cpuinfo");
    for (std::string line; std::getline(processors, line);)
        if (line.starts_with("model name"))
            if (const std::size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown processor";
}

}  // namespace wayfront::session
