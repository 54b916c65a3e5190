#include "cpu/apsp/traced_parents.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "graph/distances.hpp"

namespace wayfront::cpu {

namespace {

/// The largest difference between the distances of a row and sums along paths.
template <typename T>
double slack_of(std::span<const T> row, double roundings)
{
    if constexpr (std::is_integral_v<T>) {
        return 0;
    } else {
        double largest = 0;
        if (roundings > 0)
            for (const T distance : row)
                if (distance != unreached<T>()) largest = std::max(largest, std::abs(static_cast<double>(distance)));
        return largest * roundings * static_cast<double>(std::numeric_limits<T>::epsilon());
    }
}

class TracedParents final : public algo::RowProducer
{
public:
    TracedParents(const DistributedGraph& graph, std::unique_ptr<algo::RowProducer> rows, double roundings)
        : graph_(graph), rows_(std::move(rows)), roundings_(roundings)
    {
    }

    [[nodiscard]] std::string description() const override { return rows_->description() + ", with predecessors traced along tight edges"; }
    [[nodiscard]] algo::DistanceType type() const override { return rows_->type(); }
    [[nodiscard]] std::size_t batch_rows() const override { return rows_->batch_rows(); }
    void prepare() override { rows_->prepare(); }
    void save_to(algo::MatrixCheckpoints& checkpoints) override { rows_->save_to(checkpoints); }
    void launch(std::span<const Vertex> sources) override { rows_->launch(sources); }
    [[nodiscard]] algo::RowBatch collect() override
    {
        algo::RowBatch batch = rows_->collect();
        parents_.resize(batch.sources.size() * batch.columns);
        std::visit(
            [&]<typename T>(std::span<const T> distances) {
                parallel_ranges(batch.sources.size(), 2, [&](IndexRange range) {
                    std::vector<std::uint32_t> reached;
                    for (std::size_t i = range.first; i < range.last; ++i) {
                        const std::span<const T> row = distances.subspan(i * batch.columns, batch.columns);
                        trace_parents(graph_, static_cast<std::size_t>(batch.sources[i]), row.data(),
                                      std::span(parents_).subspan(i * batch.columns, batch.columns), slack_of(row, roundings_), reached);
                    }
                });
            },
            batch.distances);
        batch.parents = parents_;
        return batch;
    }
    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override { rows_->summarise(first, sources, summary); }

private:
    const DistributedGraph& graph_;
    std::unique_ptr<algo::RowProducer> rows_;
    double roundings_;
    std::vector<std::int32_t> parents_;  // of the last batch
};

}  // namespace

std::unique_ptr<algo::RowProducer> with_traced_parents(const DistributedGraph& graph, std::unique_ptr<algo::RowProducer> rows, double roundings)
{
    return std::make_unique<TracedParents>(graph, std::move(rows), roundings);
}

}  // namespace wayfront::cpu
