// Columns of rows: those of some targets.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "base/host_buffer.hpp"

namespace wayfront::algo {

/// Passes on the columns of some targets, in their order.
class TargetColumns final : public RowConsumer
{
public:
    /// Targets and consumers outlive the object.
    TargetColumns(std::span<const Vertex> targets, std::vector<RowConsumer*> consumers);

    /// Pre: the batch has a column for each vertex of the graph.
    void consume(const RowBatch& batch) override;

private:
    std::span<const Vertex> targets_;
    std::vector<RowConsumer*> consumers_;
    // The last batch, sources x targets. The alternatives have the order of DistanceType.
    std::variant<HostBuffer<std::uint16_t>, HostBuffer<std::int32_t>, HostBuffer<float>, HostBuffer<double>> distances_;
    HostBuffer<std::int32_t> parents_;
};

}  // namespace wayfront::algo
