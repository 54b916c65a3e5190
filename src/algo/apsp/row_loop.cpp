#include "algo/apsp/row_loop.hpp"

#include <algorithm>
#include <utility>

namespace wayfront::algo {

RowLoop::RowLoop(RowProducer& producer, std::size_t first_position, std::span<const Vertex> sources, std::vector<RowConsumer*> consumers,
                 Summary* summary)
    : producer_(producer), first_position_(first_position), sources_(sources), consumers_(std::move(consumers)), summary_(summary)
{
}

std::span<const Vertex> RowLoop::batch_from(std::size_t row) const
{
    return sources_.subspan(row, std::min(producer_.batch_rows(), sources_.size() - row));
}

void RowLoop::make_batch()
{
    const std::span<const Vertex> sources = batch_from(done_);
    if (consumers_.empty() && summary_ != nullptr) {
        producer_.summarise(first_position_ + done_, sources, *summary_);
        done_ += sources.size();
        return;
    }
    if (!launched_) producer_.launch(sources);
    RowBatch batch = producer_.collect();
    batch.first = first_position_ + done_;
    launched_ = done_ + sources.size() < sources_.size();
    if (launched_) producer_.launch(batch_from(done_ + sources.size()));
    if (summary_ != nullptr) summary_->take(batch);
    for (RowConsumer* const consumer : consumers_) consumer->take(batch);
    done_ += sources.size();
}

}  // namespace wayfront::algo
