#include "gpu/apsp/rows/row_maker.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Size of a batch that is copied to the host. A batch has the rows of two passes if these have
/// more bytes.
constexpr std::size_t kBatchBytes = std::size_t{64} << 20;
constexpr std::size_t kBatchPasses = 2;
constexpr std::size_t kMostBatchRows = 8192;
constexpr std::size_t kBatches = 2;

class DeviceRowProducer final : public algo::RowProducer
{
public:
    DeviceRowProducer(std::unique_ptr<RowMaker> maker, algo::DistanceType type, bool rows, std::size_t sources,
                      std::size_t memory_bytes)
        : maker_(std::move(maker)), type_(type), row_bytes_(maker_->stride() * bytes_of(type))
    {
        // If rows are only summarised, one batch suffices: its work is complete when the next batch
        // begins.
        const std::size_t batches = rows ? kBatches : 1;
        const std::size_t own_bytes = std::max(memory_bytes / batches, row_bytes_);
        const std::size_t wanted_bytes = std::max(kBatchBytes, kBatchPasses * maker_->sources_of_pass() * row_bytes_);
        const std::size_t most_bytes = rows ? std::min(wanted_bytes, own_bytes) : own_bytes;
        batch_rows_ = std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(1, row_bytes_), 1, kMostBatchRows);
        const std::size_t pass = std::max<std::size_t>(1, maker_->sources_of_pass());
        if (batch_rows_ > pass) batch_rows_ -= batch_rows_ % pass;
        const bool summarised = !rows && maker_->summary_sources() > 0;
        if (summarised) batch_rows_ = maker_->summary_sources();
        if (!rows && sources > 0) batch_rows_ = equal_batches(sources);
        if (!summarised) summariser_ = RowSummariser(batch_rows_);
        const RowBatchPlan plan(batch_rows_, !summarised && maker_->uses_buffer() ? row_bytes_ : 0);
        for (Batch& batch : std::span(batches_).first(batches)) {
            batch.host_sources = PinnedBuffer<std::uint32_t>(plan.sources);
            batch.sources = DeviceBuffer<std::uint32_t>(plan.sources);
            batch.rows = DeviceBuffer<std::byte>(plan.rows);
        }
    }

    [[nodiscard]] std::string description() const override { return maker_->description(); }
    [[nodiscard]] algo::DistanceType type() const override { return type_; }
    [[nodiscard]] std::size_t batch_rows() const override { return batch_rows_; }

    void launch(std::span<const Vertex> sources) override
    {
        Batch& batch = batches_[next_];
        send(batch, sources);
        make(batch, sources);
        if (batch.copy.empty())
            batch.copy = PinnedBuffer<std::byte>(batch_rows_ * maker_->vertices() * bytes_of(type_));
        batch.made.record(making_);
        batch.made.block(copying_);
        const std::size_t element = bytes_of(type_);
        const std::size_t width = maker_->vertices() * element;
        const auto copy = [&](std::size_t first, std::size_t count, std::size_t from) {
            check(cudaMemcpy2DAsync(batch.copy.data() + first * width, width, batch.view.rows + from * row_bytes_,
                                    row_bytes_, width, count, cudaMemcpyDeviceToHost, copying_.get()));
        };
        if (!batch.view.in_place) {
            copy(0, sources.size(), 0);
        } else {
            // One copy for each run of consecutive vertices.
            for (std::size_t first = 0; first < sources.size();) {
                std::size_t last = first + 1;
                while (last < sources.size() && sources[last] == sources[last - 1] + 1) ++last;
                copy(first, last - first, static_cast<std::size_t>(sources[first]));
                first = last;
            }
        }
        batch.copied.record(copying_);
    }

    [[nodiscard]] algo::RowBatch collect() override
    {
        Batch& batch = batches_[next_];
        next_ = (next_ + 1) % kBatches;
        batch.copied.synchronize();
        algo::RowBatch rows;
        rows.sources = batch.vertices;
        rows.columns = maker_->vertices();
        algo::with_distance_type(type_, [&]<typename T>(T) {
            rows.distances =
                std::span(reinterpret_cast<const T*>(batch.copy.data()), batch.vertices.size() * rows.columns);
        });
        return rows;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        Batch& batch = batches_[next_];
        send(batch, sources);
        if (maker_->summarise(batch.sources.data(), static_cast<std::uint32_t>(sources.size()), first, summary,
                              making_))
            return;
        make(batch, sources);
        summariser_.add(batch.view, type_, first, summary, making_);
    }

    bool summarise_together(std::span<const Vertex> sources, std::span<const IndexRange> left,
                            algo::Summary& summary) override
    {
        return maker_->summarise_together(sources, left, summary, making_);
    }

private:
    /// The size of the smallest number of nearly equal batches. A small last batch would take as
    /// long as a batch that fills the GPU.
    [[nodiscard]] std::size_t equal_batches(std::size_t sources) const
    {
        const auto rounded_up = [](std::size_t count, std::size_t of) { return (count + of - 1) / of; };
        const std::size_t pass = maker_->sources_of_pass();
        const std::size_t batches = rounded_up(sources, batch_rows_);
        return std::clamp<std::size_t>(rounded_up(rounded_up(sources, batches), pass) * pass, 1, batch_rows_);
    }

    struct Batch
    {
        std::span<const Vertex> vertices;
        PinnedBuffer<std::uint32_t> host_sources;
        DeviceBuffer<std::uint32_t> sources;
        DeviceBuffer<std::byte> rows;
        PinnedBuffer<std::byte> copy;  // rows in host memory, without gaps between them
        RowsView view;
        Event made, copied;
    };

    void send(Batch& batch, std::span<const Vertex> sources)
    {
        batch.vertices = sources;
        std::ranges::transform(sources, batch.host_sources.data(),
                               [](Vertex v) { return static_cast<std::uint32_t>(v); });
        copy_async(std::span<const std::uint32_t>(batch.host_sources.span().first(sources.size())),
                   batch.sources.span(), making_);
    }
    void make(Batch& batch, std::span<const Vertex> sources)
    {
        batch.view = maker_->make({batch.sources.data(), batch.host_sources.span().first(sources.size())},
                                  batch.rows.span(), making_);
    }

    std::unique_ptr<RowMaker> maker_;
    algo::DistanceType type_;
    std::size_t row_bytes_;
    std::size_t batch_rows_ = 1;
    Stream making_, copying_;
    std::array<Batch, kBatches> batches_;
    std::size_t next_ = 0;  // index of the batch of the next collect() or summarise()
    RowSummariser summariser_{1};
};

}  // namespace

std::unique_ptr<algo::RowProducer> make_device_row_producer(std::unique_ptr<RowMaker> maker, algo::DistanceType type,
                                                            bool rows, std::size_t sources, std::size_t memory_bytes)
{
    return std::make_unique<DeviceRowProducer>(std::move(maker), type, rows, sources, memory_bytes);
}

std::size_t least_producer_bytes(std::size_t row_bytes, std::size_t summary_sources)
{
    const RowBatchPlan batch = summary_sources > 0 ? RowBatchPlan(summary_sources, 0) : RowBatchPlan(1, row_bytes);
    return kBatches * batch.bytes() + RowSummaryPlan(1).bytes();
}

}  // namespace wayfront::gpu::apsp
