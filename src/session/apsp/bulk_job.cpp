#include "session/apsp/bulk_job.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_text.hpp"
#include "base/lone_threads.hpp"
#include "base/progress_listener.hpp"
#include "comm/agreement.hpp"
#include "plan/apsp/gpu_methods.hpp"

namespace wayfront::session {

namespace {

/// A graph of the job, from loading to its results. After the first failure, nothing more is done with the graph.
struct Item
{
    std::size_t number = 0;
    std::unique_ptr<BulkGraph> graph;
    std::string facts;
    std::vector<Vertex> negative_cycle;
    std::exception_ptr error;
    bool counted = false;  // whether the progress has counted the graph

    template <typename F>
    void attempt(F&& f)
    {
        if (error) return;
        try {
            std::forward<F>(f)();
        } catch (...) {
            error = std::current_exception();
        }
    }
};

/// The listener of the work on one graph, whose steps the progress of the job does not count.
class WithinGraph final : public ProgressListener
{
public:
    explicit WithinGraph(job::Progress& progress) : progress_(progress) {}

    void begin(std::string_view /*step*/, std::uint64_t /*total*/) override { progress_.advance(0); }
    void advance(std::uint64_t /*units*/) override { progress_.advance(0); }

private:
    job::Progress& progress_;
};

bool is_small(const Item& item)
{
    return item.graph->vertices() <= algo::kMostVerticesOfThread;
}

/// Counts a graph.
void count(job::Progress& progress, Item& item)
{
    if (item.counted) return;
    item.counted = true;
    progress.advance(1);
}

/// Loads, computes and describes graphs, all at once. Throws what the listener of the progress throws.
void run_items(const job::Job& job, const BulkJob& bulk, std::span<Item> items)
{
    const auto report = [&bulk] { bulk.progress.advance(0); };
    const auto load = [&](std::size_t i) {
        items[i].attempt([&] {
            items[i].graph = bulk.make(items[i].number);
            items[i].graph->load();
            if (is_small(items[i])) items[i].graph->prepare(1);
        });
    };
    for_each_single_threaded(items.size(), load, report);
    WithinGraph within(bulk.progress);
    std::vector<algo::BulkTask> tasks;
    std::vector<Item*> of_task;
    for (Item& item : items) {
        report();
        item.attempt([&] {
            if (!is_small(item)) item.graph->prepare(job.threads());
            algo::BulkTask task = item.graph->task(&within);
            task.finish = [finish = std::move(task.finish), &progress = bulk.progress, &item] {
                if (finish) finish();
                count(progress, item);
            };
            tasks.push_back(std::move(task));
            of_task.push_back(&item);
        });
    }
    const std::vector<std::exception_ptr> errors = bulk.engine.run(tasks);
    report();
    for (std::size_t i = 0; i < errors.size(); ++i) of_task[i]->error = errors[i];
    for (Item& item : items) {
        item.attempt([&] { item.facts = item.graph->facts(); });
        if (item.error && item.graph) item.negative_cycle = item.graph->negative_cycle();
        item.graph.reset();
        count(bulk.progress, item);
    }
    report();
}

Failure failure_of(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (...) {
        return describe_current_exception();
    }
}

/// Appends an outcome, which take_outcome() reads.
void put_outcome(ByteWriter& bytes, const Item& item)
{
    bytes.put(item.number);
    bytes.put(std::string_view(item.facts));
    bytes.put(item.negative_cycle);
    bytes.put(item.error != nullptr);
    if (!item.error) return;
    const Failure failure = failure_of(item.error);
    bytes.put(static_cast<int>(failure.code));
    bytes.put(std::string_view(failure.message));
}

void take_outcome(ByteReader& bytes, std::span<BulkOutcome> outcomes)
{
    std::size_t number = 0;
    bytes.take(number);
    BulkOutcome& outcome = outcomes[number];
    bytes.take(outcome.facts);
    bytes.take(outcome.negative_cycle);
    bool failed = false;
    bytes.take(failed);
    if (!failed) return;
    int code = 0;
    bytes.take(code);
    Failure& failure = outcome.failure.emplace();
    failure.code = static_cast<ExitCode>(code);
    bytes.take(failure.message);
}

/// Brings the outcomes of all ranks, as bytes, to those that get them.
std::vector<BulkOutcome> gather(const comm::Communicator& world, const std::string& own, const BulkJob& bulk)
{
    const std::vector<std::size_t> sizes = world.all_gather(own.size());
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    std::string all(total, '\0');
    world.all_gather_v(std::span<const char>(own), sizes, std::span<char>(all));
    if (world.rank() != 0 && bulk.outcomes_on == OutcomesOn::first_rank) return {};
    std::vector<BulkOutcome> outcomes(bulk.graphs);
    for (ByteReader bytes(all); !bytes.at_end();) take_outcome(bytes, outcomes);
    return outcomes;
}

}  // namespace

std::unique_ptr<algo::BulkEngine> make_bulk_engine(const job::Job& job, const plan::EnginePlan& plan)
{
    return run_agreed(job.world(),
                      [&] { return plan.on_device() ? plan::make_bulk_on_gpu(plan) : algo::make_threaded_bulk(); });
}

std::vector<BulkOutcome> run_bulk(const job::Job& job, const BulkJob& bulk)
{
    const comm::Communicator& world = job.world();
    std::vector<Item> own;
    const auto ranks = static_cast<std::size_t>(world.size());
    for (auto number = static_cast<std::size_t>(world.rank()); number < bulk.graphs; number += ranks)
        own.emplace_back().number = number;
    bulk.progress.begin("graphs", own.size());
    ByteWriter bytes;  // the outcomes
    run_agreed(world, [&] {
        for (std::size_t first = 0; first < own.size(); first += bulk.engine.graphs_at_once()) {
            const std::span<Item> items =
                std::span(own).subspan(first, std::min(own.size() - first, bulk.engine.graphs_at_once()));
            run_items(job, bulk, items);
            for (Item& item : items) {
                put_outcome(bytes, item);
                item = {};
            }
        }
    });
    return gather(world, std::move(bytes).take(), bulk);
}

}  // namespace wayfront::session
