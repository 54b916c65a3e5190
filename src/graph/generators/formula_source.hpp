// Graphs whose edge e is a formula of e. A `Formula` is plain data with
//     Vertex vertex_count() const;  EdgeCount edge_count() const;
//     bool directed() const;  Edge edge(EdgeCount e) const;
// all __host__ __device__, so that a kernel can make the same edges. `FormulaSource` makes an
// EdgeSource of it.
#pragma once

#include <cstddef>
#include <span>

#include "graph/edge_source.hpp"

namespace wayfront {

template <typename Formula>
class FormulaSource final : public EdgeSource
{
public:
    explicit FormulaSource(const Formula& formula) : formula_(formula) {}

    [[nodiscard]] Vertex vertex_count() const override { return formula_.vertex_count(); }
    [[nodiscard]] EdgeCount edge_count() const override { return formula_.edge_count(); }
    [[nodiscard]] bool directed() const override { return formula_.directed(); }
    void edges(EdgeCount first, std::span<PackedEdge> out) const override
    {
        for (PackedEdge& edge : out) edge = PackedEdge::pack(formula_.edge(first++));
    }

    [[nodiscard]] const Formula& formula() const noexcept { return formula_; }

private:
    Formula formula_;
};

}  // namespace wayfront
