#include "algo/apsp/converted_rows.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algo/apsp/converted_row.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

template <typename Out>
class ConvertedRows final : public RowProducer
{
public:
    explicit ConvertedRows(std::unique_ptr<RowProducer> rows) : rows_(std::move(rows)) {}

    [[nodiscard]] std::string description() const override { return rows_->description(); }
    [[nodiscard]] DistanceType type() const override { return distance_type_of<Out>; }
    [[nodiscard]] std::size_t batch_rows() const override { return rows_->batch_rows(); }
    void prepare() override { rows_->prepare(); }
    void save_to(MatrixCheckpoints& checkpoints) override { rows_->save_to(checkpoints); }
    void launch(std::span<const Vertex> sources) override { rows_->launch(sources); }
    [[nodiscard]] RowBatch collect() override
    {
        RowBatch batch = rows_->collect();
        std::visit([this, &batch](const auto& distances) { this->convert(distances, batch.columns); }, batch.distances);
        batch.distances = std::span<const Out>(converted_.data(), batch.sources.size() * batch.columns);
        return batch;
    }
    void summarise(std::size_t first, std::span<const Vertex> sources, Summary& summary) override
    {
        rows_->summarise(first, sources, summary);
    }
    [[nodiscard]] bool summarises_fully() const override { return rows_->summarises_fully(); }
    bool summarise_together(std::span<const Vertex> sources, std::span<const IndexRange> left,
                            Summary& summary) override
    {
        return rows_->summarise_together(sources, left, summary);
    }

private:
    template <typename T>
    void convert(std::span<const T> distances, std::size_t columns)
    {
        if (converted_.size() < distances.size()) converted_ = HostBuffer<Out>(distances.size());
        const std::size_t rows = columns > 0 ? distances.size() / columns : 0;
        std::vector<double> misfits(rows, 0);
        parallel_ranges(rows, 2, [&](IndexRange range) {
            for (std::size_t row = range.first; row < range.last; ++row) {
                const std::span<const T> from = distances.subspan(row * columns, columns);
                misfits[row] = convert_row(
                    unreached<T>(), [from](std::size_t i) { return from[i]; },
                    converted_.span().subspan(row * columns, columns), true);
            }
        });
        const double misfit = std::accumulate(misfits.begin(), misfits.end(), 0.0, farther);
        if (misfit != 0) fail_to_fit(misfit, type(), true);
    }

    std::unique_ptr<RowProducer> rows_;
    HostBuffer<Out> converted_;  // of the last batch
};

}  // namespace

std::unique_ptr<RowProducer> with_distance_type(std::unique_ptr<RowProducer> rows, DistanceType type)
{
    if (rows->type() == type) return rows;
    return with_distance_type(type, [&]<typename Out>(Out) -> std::unique_ptr<RowProducer> {
        return std::make_unique<ConvertedRows<Out>>(std::move(rows));
    });
}

}  // namespace wayfront::algo
