// Rows whose columns are few, made column by column.
//
// The distances to a target are those from it in the graph whose edges are turned around. If there are
// far fewer targets than sources, one search from each target therefore finds all rows.
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
#include "base/progress_listener.hpp"

namespace wayfront::algo {

/// The vertices of rows and columns.
struct MatrixVertices
{
    std::span<const Vertex> sources;  // of the rows of this rank
    std::span<const Vertex> targets;
    std::size_t vertices = 0;  // of the graph
};

class TransposedRows final : public RowProducer
{
public:
    /// `columns` makes rows of the graph with reversed edges. The listener, which may be null, is
    /// informed of the searches. The spans outlive the object. Pre: there is a target.
    TransposedRows(std::unique_ptr<RowProducer> columns, const MatrixVertices& matrix, ProgressListener* listener);

    [[nodiscard]] std::string description() const override;
    [[nodiscard]] DistanceType type() const override { return columns_->type(); }
    [[nodiscard]] std::size_t batch_rows() const override;
    /// Returns true: there are no other columns.
    bool make_columns(std::span<const Vertex> /*targets*/) override { return true; }
    void prepare() override { columns_->prepare(); }
    void launch(std::span<const Vertex> sources) override { launched_ = sources; }
    /// The first call makes all rows of the rank.
    [[nodiscard]] RowBatch collect() override;

    /// The bytes that the rows of `sources` take, in a graph of `vertices`.
    [[nodiscard]] static double bytes(double sources, double targets, double vertices, DistanceType type);

private:
    template <typename T>
    struct Rows
    {
        HostBuffer<T> all;  // of the rank's sources, in their order
        HostBuffer<T> batch;
    };

    template <typename T>
    void make_all(Rows<T>& rows);
    template <typename T>
    RowBatch batch_of(Rows<T>& rows);

    std::unique_ptr<RowProducer> columns_;
    MatrixVertices matrix_;
    ProgressListener* listener_;
    bool sources_only_;                    // whether `columns_` makes the distances of the sources alone
    std::vector<std::uint32_t> position_;  // of each vertex among the sources
    std::span<const Vertex> launched_;
    bool made_ = false;
    // The alternatives have the order of DistanceType.
    std::variant<Rows<std::uint16_t>, Rows<std::int32_t>, Rows<float>, Rows<double>> rows_;
};

}  // namespace wayfront::algo
