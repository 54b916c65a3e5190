#include "algo/apsp/target_columns.hpp"

#include <cstddef>
#include <utility>

#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

/// Copies the elements of each row that belong to the targets.
template <typename T>
std::span<const T> narrowed(std::span<const T> rows, std::size_t columns, std::span<const Vertex> targets,
                            HostBuffer<T>& out)
{
    const std::size_t count = columns > 0 ? rows.size() / columns : 0;
    const std::size_t elements = count * targets.size();
    if (out.size() < elements) out = HostBuffer<T>(elements);
    parallel_ranges(count, 2, [&](IndexRange range) {
        for (std::size_t row = range.first; row < range.last; ++row)
            for (std::size_t i = 0; i < targets.size(); ++i)
                out[row * targets.size() + i] = rows[row * columns + static_cast<std::size_t>(targets[i])];
    });
    return std::as_const(out).span().first(elements);
}

}  // namespace

TargetColumns::TargetColumns(std::span<const Vertex> targets, std::vector<RowConsumer*> consumers)
    : targets_(targets), consumers_(std::move(consumers))
{
}

void TargetColumns::consume(const RowBatch& batch)
{
    RowBatch narrow = batch;
    narrow.columns = targets_.size();
    std::visit(
        [&]<typename T>(std::span<const T> distances) {
            if (!std::holds_alternative<HostBuffer<T>>(distances_)) distances_.emplace<HostBuffer<T>>();
            narrow.distances = narrowed(distances, batch.columns, targets_, std::get<HostBuffer<T>>(distances_));
        },
        batch.distances);
    if (!batch.parents.empty()) narrow.parents = narrowed(batch.parents, batch.columns, targets_, parents_);
    for (RowConsumer* const consumer : consumers_) consumer->consume(narrow);
}

}  // namespace wayfront::algo
