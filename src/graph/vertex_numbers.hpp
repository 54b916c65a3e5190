// The numbers that the input gives to vertices. In memory, vertices are 0, 1, 2, ...
#pragma once

#include <cstddef>
#include <span>

#include "base/types.hpp"

namespace wayfront {

/// A view of the input's numbers: consecutive ones, or those of a list, which outlives the view.
class VertexNumbers
{
public:
    /// The numbers first, first + 1, ...
    VertexNumbers(Vertex first = 0) : first_(first) {}  // NOLINT(google-explicit-constructor): a number is a view, too
    /// list[v] is the number of vertex v.
    explicit VertexNumbers(std::span<const Vertex> list) : list_(list) {}

    [[nodiscard]] Vertex operator[](Vertex v) const
    {
        return list_.empty() ? first_ + v : list_[static_cast<std::size_t>(v)];
    }

    /// Whether the numbers are those in memory.
    [[nodiscard]] bool are_same() const { return list_.empty() && first_ == 0; }

private:
    Vertex first_ = 0;
    std::span<const Vertex> list_;
};

}  // namespace wayfront
