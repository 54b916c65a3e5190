#include "algo/apsp/bulk.hpp"

#include "algo/apsp/row_loop.hpp"
#include "base/lone_threads.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

void hand_out_rows(const BulkTask& task, RowProducer& producer)
{
    task.report();
    producer.prepare();
    RowLoop loop(producer, task.sources, ranges_between({}, task.sources.size()), task.consumers, task.summary);
    while (!loop.done()) {
        (void)loop.make_batch();
        task.report();
    }
    if (task.finish) task.finish();
}

void compute_alone(const BulkTask& task)
{
    task.report();
    hand_out_rows(task, *task.make_rows());
}

namespace {

class ThreadedBulk final : public BulkEngine
{
public:
    [[nodiscard]] std::string description() const override
    {
        return "one thread for each graph of up to " + std::to_string(kMostVerticesOfThread) + " vertices, " +
               std::to_string(thread_count()) + (thread_count() == 1 ? " thread" : " threads") + " for a larger one";
    }
    [[nodiscard]] std::size_t graphs_at_once() const override
    {
        constexpr std::size_t graphs_of_thread = 8;
        return graphs_of_thread * static_cast<std::size_t>(thread_count());
    }
    [[nodiscard]] std::vector<std::exception_ptr> run(std::span<const BulkTask> tasks) override
    {
        std::vector<std::exception_ptr> failures(tasks.size());
        const auto compute_one = [&](std::size_t i) { failures[i] = exception_of([&] { compute_alone(tasks[i]); }); };
        std::vector<std::size_t> small;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i].graph->partition.vertex_count() <= kMostVerticesOfThread)
                small.push_back(i);
            else
                compute_one(i);
        }
        if (small.empty()) return failures;
        for_each_single_threaded(
            small.size(), [&](std::size_t i) { compute_one(small[i]); }, [&] { tasks[small.front()].report(); });
        return failures;
    }
};

}  // namespace

std::unique_ptr<BulkEngine> make_threaded_bulk()
{
    return std::make_unique<ThreadedBulk>();
}

}  // namespace wayfront::algo
