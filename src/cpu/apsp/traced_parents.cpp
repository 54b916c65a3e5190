#include "cpu/apsp/traced_parents.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::cpu {

namespace {

class TracedParents final : public algo::RowProducer
{
public:
    TracedParents(const DistributedGraph& graph, std::unique_ptr<algo::RowProducer> rows, Sums sums)
        : graph_(graph), rows_(std::move(rows)), sums_(sums), negative_(has_negative_weights(graph))
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return rows_->description() + ", with predecessors " +
               (sums_ == Sums::along_paths ? "traced along tight edges" : "of the least sums");
    }
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
                    ParentTracer tracer(graph_, sums_, negative_);
                    for (std::size_t i = range.first; i < range.last; ++i)
                        tracer.trace(static_cast<std::size_t>(batch.sources[i]), distances.data() + i * batch.columns,
                                     std::span(parents_).subspan(i * batch.columns, batch.columns));
                });
            },
            batch.distances);
        batch.parents = parents_;
        return batch;
    }
    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        rows_->summarise(first, sources, summary);
    }

private:
    const DistributedGraph& graph_;
    std::unique_ptr<algo::RowProducer> rows_;
    Sums sums_;
    bool negative_;
    std::vector<std::int32_t> parents_;  // of the last batch
};

}  // namespace

bool has_negative_weights(const DistributedGraph& graph)
{
    return with_weight_type(weight_type(graph.block.out_weights()), [&]<typename W>(W) {
        if constexpr (std::is_same_v<W, Unweighted> || std::is_unsigned_v<W>)
            return false;
        else
            return std::ranges::any_of(std::get<HostBuffer<W>>(graph.block.out_weights()),
                                       [](W weight) { return weight < 0; });
    });
}

std::unique_ptr<algo::RowProducer> with_traced_parents(const DistributedGraph& graph,
                                                       std::unique_ptr<algo::RowProducer> rows, Sums sums)
{
    return std::make_unique<TracedParents>(graph, std::move(rows), sums);
}

}  // namespace wayfront::cpu
