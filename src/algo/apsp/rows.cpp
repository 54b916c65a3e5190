#include "algo/apsp/rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "base/host_buffer.hpp"

namespace wayfront::algo {

namespace {

class MatrixRows final : public RowProducer
{
public:
    MatrixRows(std::unique_ptr<MatrixMethod> method, ProgressListener* listener)
        : method_(std::move(method)), listener_(listener)
    {
    }

    [[nodiscard]] std::string description() const override { return method_->description(); }
    [[nodiscard]] DistanceType type() const override { return method_->type(); }
    [[nodiscard]] std::size_t batch_rows() const override { return method_->stripe_rows(); }

    void prepare() override
    {
        if (!has_run_) method_->run(std::exchange(listener_, nullptr));
        has_run_ = true;
    }
    void save_to(MatrixCheckpoints& checkpoints) override { method_->save_to(checkpoints); }
    void launch(std::span<const Vertex> sources) override { sources_ = sources; }
    [[nodiscard]] RowBatch collect() override
    {
        prepare();
        return consecutive(sources_) ? stripe(sources_) : copied(sources_);
    }
    void summarise(std::size_t first, std::span<const Vertex> sources, Summary& summary) override
    {
        prepare();
        if (!method_->summarise(first, sources, summary)) RowProducer::summarise(first, sources, summary);
    }

private:
    [[nodiscard]] static bool consecutive(std::span<const Vertex> sources)
    {
        return std::ranges::adjacent_find(sources, [](Vertex a, Vertex b) { return a + 1 != b; }) == sources.end();
    }
    [[nodiscard]] RowBatch stripe(std::span<const Vertex> sources)
    {
        RowBatch batch = method_->rows(static_cast<std::size_t>(sources.front()), sources.size());
        batch.sources = sources;
        return batch;
    }
    /// Copies the rows of sources, which are in any order, into one batch.
    [[nodiscard]] RowBatch copied(std::span<const Vertex> sources)
    {
        const std::size_t columns = method_->vertices();
        RowBatch batch;
        batch.sources = sources;
        batch.columns = columns;
        parents_.clear();
        with_distance_type(type(), [&]<typename T>(T) {
            auto& distances = copy_.emplace<HostBuffer<T>>(sources.size() * columns);
            for (std::size_t i = 0; i < sources.size(); ++i) {
                const RowBatch row = method_->rows(static_cast<std::size_t>(sources[i]), 1);
                std::ranges::copy(std::get<std::span<const T>>(row.distances), distances.data() + i * columns);
                std::ranges::copy(row.parents, std::back_inserter(parents_));
            }
            batch.distances = std::span<const T>(distances.span());
        });
        batch.parents = parents_;
        return batch;
    }

    std::unique_ptr<MatrixMethod> method_;
    ProgressListener* listener_;
    bool has_run_ = false;
    std::span<const Vertex> sources_;
    std::variant<HostBuffer<std::uint16_t>, HostBuffer<std::int32_t>, HostBuffer<float>, HostBuffer<double>> copy_;
    std::vector<std::int32_t> parents_;
};

}  // namespace

void RowProducer::summarise(std::size_t first, std::span<const Vertex> sources, Summary& summary)
{
    launch(sources);
    RowBatch batch = collect();
    batch.first = first;
    summary.consume(batch);
}

std::unique_ptr<RowProducer> make_matrix_rows(std::unique_ptr<MatrixMethod> method, ProgressListener* listener)
{
    return std::make_unique<MatrixRows>(std::move(method), listener);
}

}  // namespace wayfront::algo
