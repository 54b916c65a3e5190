// Rows whose columns are few, made column by column.
//
// The distances to a target are those from it in the graph whose edges are turned around. If there are
// far fewer targets than sources, one search from each target therefore finds all rows. The ranks share
// the targets, and then exchange what they have found, so that each rank has the rows of its sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/progress_listener.hpp"
#include "comm/communicator.hpp"

namespace wayfront::algo {

/// The vertices of rows and columns.
struct MatrixVertices
{
    std::span<const Vertex> sources;  // of the rows of all ranks
    std::span<const Vertex> targets;
    std::size_t vertices = 0;  // of the graph
};

class TransposedRows final : public RowProducer
{
public:
    /// `reverse_producer` makes rows of the graph with reversed edges. The listener, which may be null, is
    /// informed of the searches. The rows of this rank are those of part_of() the sources. The spans and
    /// `ranks` outlive the object. Pre: there is a target.
    TransposedRows(std::unique_ptr<RowProducer> reverse_producer, const MatrixVertices& matrix,
                   const comm::Communicator& ranks, ProgressListener* listener);

    [[nodiscard]] std::string description() const override;
    [[nodiscard]] DistanceType type() const override { return reverse_producer_->type(); }
    [[nodiscard]] std::size_t batch_rows() const override;
    /// Returns true: there are no other columns.
    bool make_columns(std::span<const Vertex> /*targets*/) override { return true; }
    /// Makes all rows of the rank. Collective.
    void prepare() override;
    void launch(std::span<const Vertex> sources) override { launched_ = sources; }
    /// Pre: prepare() was called.
    [[nodiscard]] RowBatch collect() override;

    /// Upper bound of the memory of the rows on each of `ranks` ranks.
    [[nodiscard]] static double bytes(const MatrixVertices& matrix, int ranks, DistanceType type);

private:
    template <typename T>
    struct Rows
    {
        HostBuffer<T> all;  // own_.size() x targets, row-major
        HostBuffer<T> batch;
    };

    [[nodiscard]] IndexRange part(std::size_t count, int rank) const
    {
        return part_of(count, static_cast<std::size_t>(rank), static_cast<std::size_t>(ranks_.size()));
    }
    template <typename T>
    void make_all(Rows<T>& rows);
    template <typename T>
    void search(std::span<const Vertex> targets, HostBuffer<T>& found);
    template <typename T>
    void exchange(const HostBuffer<T>& found, HostBuffer<T>& received) const;
    template <typename T>
    void join(const HostBuffer<T>& received, HostBuffer<T>& all) const;
    template <typename T>
    RowBatch batch_of(Rows<T>& rows);

    std::unique_ptr<RowProducer> reverse_producer_;
    MatrixVertices matrix_;
    const comm::Communicator& ranks_;
    IndexRange own_;  // positions of this rank's sources
    ProgressListener* listener_;
    bool sources_only_;                    // whether `reverse_producer_` makes the distances of the sources alone
    std::vector<std::uint32_t> position_;  // of each vertex among this rank's sources
    std::span<const Vertex> launched_;
    // The alternatives have the order of DistanceType.
    std::variant<Rows<std::uint16_t>, Rows<std::int32_t>, Rows<float>, Rows<double>> rows_;
};

}  // namespace wayfront::algo
