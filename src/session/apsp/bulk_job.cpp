#include "session/apsp/bulk_job.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/lone_threads.hpp"
#include "comm/agreement.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

namespace {

/// In one line.
std::string text_of(const Json& document)
{
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A graph on its way. After the first failure, nothing more is done with it.
struct Item
{
    std::size_t number = 0;
    std::unique_ptr<BulkGraph> graph;
    std::string facts;  // as JSON
    std::exception_ptr error;

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

bool is_small(const Item& item)
{
    return item.graph->vertices() <= algo::kMostVerticesOfThread;
}

/// Loads, computes and describes graphs, all at once.
void run_items(const job::Job& job, const BulkJob& bulk, std::span<Item> items)
{
    for_each_alone(items.size(), [&](std::size_t i) {
        items[i].attempt([&] {
            items[i].graph = bulk.make(items[i].number);
            items[i].graph->load();
            if (is_small(items[i])) items[i].graph->prepare(1);
        });
    });
    std::vector<algo::BulkTask> tasks;
    std::vector<Item*> of_task;
    for (Item& item : items) {
        item.attempt([&] {
            if (!is_small(item)) item.graph->prepare(job.threads());
            tasks.push_back(item.graph->task());
            of_task.push_back(&item);
        });
    }
    const std::vector<std::exception_ptr> errors = bulk.engine.run(tasks);
    for (std::size_t i = 0; i < errors.size(); ++i) of_task[i]->error = errors[i];
    for (Item& item : items) {
        item.attempt([&] { item.facts = text_of(item.graph->facts()); });
        item.graph.reset();
        bulk.progress.advance(1);
    }
}

Failure failure_of(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (...) {
        return describe_current_exception();
    }
}

/// One outcome as text, to be sent.
std::string encode(const Item& item)
{
    Json document = {{"number", item.number}, {"facts", item.facts}};
    if (item.error) {
        const Failure failure = failure_of(item.error);
        document["code"] = static_cast<int>(failure.code);
        document["message"] = failure.message;
    }
    return text_of(document);
}

std::vector<BulkOutcome> gather(const comm::Communicator& world, const std::string& own, std::size_t graphs)
{
    const std::vector<std::size_t> sizes = world.all_gather(own.size());
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    std::string all(total, '\0');
    world.all_gather_v(std::span<const char>(own), sizes, std::span<char>(all));
    if (world.rank() != 0) return {};
    std::vector<BulkOutcome> outcomes(graphs);
    for (std::size_t first = 0; first < all.size();) {
        const std::size_t last = all.find('\n', first);
        Json document = Json::parse(all.begin() + static_cast<std::ptrdiff_t>(first),
                                    all.begin() + static_cast<std::ptrdiff_t>(last));
        BulkOutcome& outcome = outcomes[document["number"].get<std::size_t>()];
        outcome.facts = document["facts"].get<std::string>();
        if (document.contains("code"))
            outcome.failure =
                Failure{static_cast<ExitCode>(document["code"].get<int>()), document["message"].get<std::string>()};
        first = last + 1;
    }
    return outcomes;
}

}  // namespace

std::vector<BulkOutcome> run_bulk(const job::Job& job, const BulkJob& bulk)
{
    const comm::Communicator& world = job.world();
    std::vector<Item> own;
    const auto ranks = static_cast<std::size_t>(world.size());
    for (auto number = static_cast<std::size_t>(world.rank()); number < bulk.graphs; number += ranks)
        own.emplace_back().number = number;
    bulk.progress.begin("graphs", own.size());
    std::string text;  // a line for each outcome
    run_agreed(world, [&] {
        for (std::size_t first = 0; first < own.size(); first += bulk.engine.graphs_at_once()) {
            const std::span<Item> items =
                std::span(own).subspan(first, std::min(own.size() - first, bulk.engine.graphs_at_once()));
            run_items(job, bulk, items);
            for (Item& item : items) {
                text += encode(item) + '\n';
                item = {};
            }
        }
    });
    return gather(world, text, bulk.graphs);
}

}  // namespace wayfront::session
