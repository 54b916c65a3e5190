// The numbers or the names that the input gives to vertices. In memory, vertices are 0, 1, 2, ...
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/types.hpp"
#include "graph/vertex_names.hpp"

namespace wayfront {

/// A view of the input's numbers: consecutive ones, or those of a list, which outlives the view. If
/// the input has names, vertices have the numbers that they have in memory, and names besides.
class VertexNumbers
{
public:
    /// The numbers first, first + 1, ...
    VertexNumbers(Vertex first = 0) : first_(first) {}  // NOLINT(google-explicit-constructor): a number is a view, too
    /// list[v] is the number of vertex v.
    explicit VertexNumbers(std::span<const Vertex> list) : list_(list) {}
    /// names[v] is the name of vertex v. The names outlive the view.
    explicit VertexNumbers(const VertexNames& names) : names_(&names) {}

    [[nodiscard]] Vertex operator[](Vertex v) const
    {
        return list_.empty() ? first_ + v : list_[static_cast<std::size_t>(v)];
    }

    /// The name of vertex v, or its number.
    [[nodiscard]] std::string in_words(Vertex v) const
    {
        if (names_ == nullptr) return std::to_string((*this)[v]);
        return std::string((*names_)[static_cast<std::size_t>(v)]);
    }
    /// Null if the input has numbers.
    [[nodiscard]] const VertexNames* names() const { return names_; }

    /// Whether the numbers are those in memory.
    [[nodiscard]] bool are_same() const { return list_.empty() && first_ == 0; }

private:
    Vertex first_ = 0;
    std::span<const Vertex> list_;
    const VertexNames* names_ = nullptr;
};

}  // namespace wayfront
