#include "algo/apsp/transposed_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

/// The rows of a batch have about so many elements.
constexpr std::size_t kBatchElements = 1 << 20;

}  // namespace

TransposedRows::TransposedRows(std::unique_ptr<RowProducer> columns, const MatrixVertices& matrix,
                               ProgressListener* listener)
    : columns_(std::move(columns)), matrix_(matrix), listener_(listener), position_(matrix.vertices)
{
    sources_only_ = columns_->make_columns(matrix_.sources);
    for (std::size_t i = 0; i < matrix_.sources.size(); ++i)
        position_[static_cast<std::size_t>(matrix_.sources[i])] = static_cast<std::uint32_t>(i);
    with_distance_type(type(), [this]<typename T>(T) { rows_.emplace<Rows<T>>(); });
}

std::string TransposedRows::description() const
{
    return columns_->description() + ", from the targets against the direction of edges";
}

std::size_t TransposedRows::batch_rows() const
{
    return std::max<std::size_t>(1, kBatchElements / std::max<std::size_t>(1, matrix_.targets.size()));
}

double TransposedRows::bytes(double sources, double targets, double vertices, DistanceType type)
{
    const double elements = sources * targets + static_cast<double>(kBatchElements) + targets;
    return elements * static_cast<double>(bytes_of(type)) + vertices * sizeof(std::uint32_t);
}

RowBatch TransposedRows::collect()
{
    return std::visit(
        [this](auto& rows) {
            if (!std::exchange(made_, true)) make_all(rows);
            return batch_of(rows);
        },
        rows_);
}

template <typename T>
void TransposedRows::make_all(Rows<T>& rows)
{
    const std::span<const Vertex> targets = matrix_.targets;
    rows.all = HostBuffer<T>(matrix_.sources.size() * targets.size());
    if (listener_ != nullptr) listener_->begin("columns", targets.size());
    const auto next = [&](std::size_t first) {
        return targets.subspan(first, std::min(columns_->batch_rows(), targets.size() - first));
    };
    columns_->launch(next(0));
    for (std::size_t first = 0; first < targets.size();) {
        const RowBatch batch = columns_->collect();
        const std::size_t count = batch.sources.size();
        if (first + count < targets.size()) columns_->launch(next(first + count));
        const T* const found = std::get<std::span<const T>>(batch.distances).data();
        parallel_ranges(matrix_.sources.size(), 1 << 10, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                const std::size_t column = sources_only_ ? i : static_cast<std::size_t>(matrix_.sources[i]);
                T* const row = rows.all.data() + i * targets.size() + first;
                for (std::size_t target = 0; target < count; ++target)
                    row[target] = found[target * batch.columns + column];
            }
        });
        first += count;
        if (listener_ != nullptr) listener_->advance(count);
    }
    if (listener_ != nullptr) listener_->begin("rows", matrix_.sources.size());
}

template <typename T>
RowBatch TransposedRows::batch_of(Rows<T>& rows)
{
    const std::size_t width = matrix_.targets.size();
    const std::size_t elements = launched_.size() * width;
    if (rows.batch.size() < elements) rows.batch = HostBuffer<T>(elements);
    for (std::size_t i = 0; i < launched_.size(); ++i)
        std::copy_n(rows.all.data() + position_[static_cast<std::size_t>(launched_[i])] * width, width,
                    rows.batch.data() + i * width);
    return {.first = 0,
            .sources = launched_,
            .columns = width,
            .distances = std::as_const(rows.batch).span().first(elements),
            .parents = {}};
}

}  // namespace wayfront::algo
