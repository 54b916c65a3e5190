#include "session/apsp/bulk_pairs.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "job/listener.hpp"
#include "plan/apsp/plan.hpp"

namespace wayfront::session {

void BulkPairs::load()
{
    gather(start_job(1));
}

void BulkPairs::prepare(int threads)
{
    plan(start_job(threads));
    job_->note(pairs().plan.in_words());
    summary_.emplace(pairs().sources.size(), pairs().plan.whole);
}

algo::BulkTask BulkPairs::task(ProgressListener* listener)
{
    const PreparedPairs& own = pairs();
    const auto make_rows = [this, &own, listener] {
        return plan::make_rows(*job_, own.plan, own.work, *own.whole.graph, listener);
    };
    algo::BulkTask task{.graph = own.whole.graph.get(),
                        .sources = own.sources,
                        .type = own.plan.type,
                        .parents = own.work.parents,
                        .most_distance = own.plan.most_distance,
                        .matrix = own.plan.offer.joins_others,
                        .make_rows = make_rows,
                        .complete =
                            [&own](std::unique_ptr<algo::RowProducer> rows) {
                                return plan::with_parents(own.plan, own.work, *own.whole.graph, std::move(rows));
                            },
                        .consumers = consumers(),
                        .summary = &*summary_,
                        .finish = [this] { finish(*job_); },
                        .listener = listener};
    if (own.validator) task.consumers.push_back(own.validator.get());
    return task;
}

std::vector<Vertex> BulkPairs::negative_cycle() const
{
    return pairs().outside_cycle();
}

const job::Job& BulkPairs::start_job(int threads)
{
    return job_.emplace(alone_, threads, std::make_shared<job::NoteForwarder>([this](std::string_view words) {
                            notes_.emplace_back(words);
                        }));
}

}  // namespace wayfront::session
