#include "algo/apsp/transposed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "comm/agreement.hpp"

namespace wayfront::algo {

namespace {

/// The approximate number of elements of a batch of rows.
constexpr std::size_t kBatchElements = 1 << 20;

}  // namespace

TransposedRows::TransposedRows(std::unique_ptr<RowProducer> reverse_producer, const MatrixVertices& matrix,
                               const comm::Communicator& ranks, ProgressListener* listener)
    : reverse_producer_(std::move(reverse_producer)),
      matrix_(matrix),
      ranks_(ranks),
      own_(part(matrix.sources.size(), ranks.rank())),
      listener_(listener),
      position_(matrix.vertices)
{
    sources_only_ = reverse_producer_->make_columns(matrix_.sources);
    for (std::size_t i = own_.first; i < own_.last; ++i)
        position_[static_cast<std::size_t>(matrix_.sources[i])] = static_cast<std::uint32_t>(i - own_.first);
    with_distance_type(type(), [this]<typename T>(T) { rows_.emplace<Rows<T>>(); });
}

std::string TransposedRows::description() const
{
    return reverse_producer_->description() + ", from the targets against the direction of edges";
}

std::size_t TransposedRows::batch_rows() const
{
    return std::max<std::size_t>(1, kBatchElements / std::max<std::size_t>(1, matrix_.targets.size()));
}

double TransposedRows::bytes(const MatrixVertices& matrix, int ranks, DistanceType type)
{
    const auto most_of_rank = [ranks](std::size_t count) { return std::ceil(static_cast<double>(count) / ranks); };
    const auto targets = static_cast<double>(matrix.targets.size());
    const double rows = most_of_rank(matrix.sources.size()) * targets;
    const double found = static_cast<double>(matrix.sources.size()) * most_of_rank(matrix.targets.size());
    const double elements = (ranks == 1 ? rows : found + 2 * rows) + static_cast<double>(kBatchElements) + targets;
    return elements * static_cast<double>(bytes_of(type)) +
           static_cast<double>(matrix.vertices) * sizeof(std::uint32_t);
}

void TransposedRows::prepare()
{
    reverse_producer_->prepare();
    std::visit([this](auto& rows) { make_all(rows); }, rows_);
}

RowBatch TransposedRows::collect()
{
    return std::visit([this](auto& rows) { return batch_of(rows); }, rows_);
}

template <typename T>
void TransposedRows::make_all(Rows<T>& rows)
{
    HostBuffer<T> found;
    HostBuffer<T> received;
    const std::size_t elements = own_.size() * matrix_.targets.size();
    run_agreed(ranks_, [&] {
        const IndexRange own_targets = part(matrix_.targets.size(), ranks_.rank());
        found = HostBuffer<T>(matrix_.sources.size() * own_targets.size());
        if (ranks_.size() > 1) received = HostBuffer<T>(elements);
        search(matrix_.targets.subspan(own_targets.first, own_targets.size()), found);
    });
    if (ranks_.size() == 1) {
        rows.all = std::move(found);
    } else {
        exchange(found, received);
        found = {};
        run_agreed(ranks_, [&] {
            rows.all = HostBuffer<T>(elements);
            join(received, rows.all);
        });
    }
    if (listener_ != nullptr) listener_->begin("rows", own_.size());
}

/// `found` gets the distances from all sources to these targets, row-major.
template <typename T>
void TransposedRows::search(std::span<const Vertex> targets, HostBuffer<T>& found)
{
    if (listener_ != nullptr) listener_->begin("columns", targets.size());
    if (targets.empty()) return;
    const auto next = [&](std::size_t first) {
        return targets.subspan(first, std::min(reverse_producer_->batch_rows(), targets.size() - first));
    };
    reverse_producer_->launch(next(0));
    for (std::size_t first = 0; first < targets.size();) {
        const RowBatch batch = reverse_producer_->collect();
        const std::size_t count = batch.sources.size();
        if (first + count < targets.size()) reverse_producer_->launch(next(first + count));
        const T* const distances = std::get<std::span<const T>>(batch.distances).data();
        parallel_ranges(matrix_.sources.size(), 1 << 10, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                const std::size_t column = sources_only_ ? i : static_cast<std::size_t>(matrix_.sources[i]);
                T* const row = found.data() + i * targets.size() + first;
                for (std::size_t target = 0; target < count; ++target)
                    row[target] = distances[target * batch.columns + column];
            }
        });
        first += count;
        if (listener_ != nullptr) listener_->advance(count);
    }
}

/// Brings each rank the rows of its sources: from each rank those of its targets, row-major. Collective.
template <typename T>
void TransposedRows::exchange(const HostBuffer<T>& found, HostBuffer<T>& received) const
{
    const std::size_t own_targets = part(matrix_.targets.size(), ranks_.rank()).size();
    std::vector<std::int64_t> send_bytes;
    std::vector<std::int64_t> receive_bytes;
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        const std::size_t sent = part(matrix_.sources.size(), rank).size() * own_targets;
        const std::size_t expected = own_.size() * part(matrix_.targets.size(), rank).size();
        send_bytes.push_back(static_cast<std::int64_t>(sent * sizeof(T)));
        receive_bytes.push_back(static_cast<std::int64_t>(expected * sizeof(T)));
    }
    ranks_.exchange_pieces(std::as_bytes(found.span()), send_bytes, std::as_writable_bytes(received.span()),
                           receive_bytes);
}

/// Joins the parts of all ranks to whole rows.
template <typename T>
void TransposedRows::join(const HostBuffer<T>& received, HostBuffer<T>& all) const
{
    const T* next = received.data();
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        const IndexRange columns = part(matrix_.targets.size(), rank);
        for (std::size_t i = 0; i < own_.size(); ++i, next += columns.size())
            std::copy_n(next, columns.size(), all.data() + i * matrix_.targets.size() + columns.first);
    }
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
