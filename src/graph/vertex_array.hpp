// Arrays of input vertices in results: 4 bytes per element if the graph's numbers fit, otherwise 8.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "base/host_buffer.hpp"
#include "base/types.hpp"

namespace wayfront {

/// `size` vertices (or kUnreached) of a graph with `vertex_count` vertices; uninitialised. Narrow
/// elements are int32 (vertex_count is at most 2^31), wide ones int64. `visit` passes a span of
/// either type to a generic callable.
class VertexArray
{
public:
    VertexArray() = default;
    VertexArray(std::size_t size, Vertex vertex_count)
    {
        if (is_narrow(vertex_count))
            elements_ = HostBuffer<std::int32_t>(size);
        else
            elements_ = HostBuffer<std::int64_t>(size);
    }

    [[nodiscard]] static constexpr bool is_narrow(Vertex vertex_count) { return vertex_count <= (Vertex{1} << 31); }
    [[nodiscard]] bool narrow() const { return elements_.index() == 0; }
    [[nodiscard]] std::size_t size() const
    {
        return std::visit([](const auto& buffer) { return buffer.size(); }, elements_);
    }

    [[nodiscard]] Vertex operator[](std::size_t i) const
    {
        return std::visit([i](const auto& buffer) { return static_cast<Vertex>(buffer[i]); }, elements_);
    }
    void set(std::size_t i, Vertex vertex)
    {
        std::visit(
            [i, vertex](auto& buffer) {
                buffer[i] = static_cast<typename std::decay_t<decltype(buffer)>::value_type>(vertex);
            },
            elements_);
    }

    template <typename F>
    decltype(auto) visit(F&& f)
    {
        return std::visit([&f](auto& buffer) -> decltype(auto) { return f(buffer.span()); }, elements_);
    }
    template <typename F>
    decltype(auto) visit(F&& f) const
    {
        return std::visit([&f](const auto& buffer) -> decltype(auto) { return f(buffer.span()); }, elements_);
    }

    /// The elements, which are narrow. Throws std::bad_variant_access if they are wide.
    [[nodiscard]] std::span<std::int32_t> narrow_elements() { return std::get<0>(elements_).span(); }
    [[nodiscard]] std::span<const std::int32_t> narrow_elements() const { return std::get<0>(elements_).span(); }
    /// The elements, which have this type. Throws std::bad_variant_access if they have the other one.
    template <typename Id>
    [[nodiscard]] std::span<const Id> elements() const
    {
        return std::get<HostBuffer<Id>>(elements_).span();
    }

private:
    std::variant<HostBuffer<std::int32_t>, HostBuffer<std::int64_t>> elements_;
};

}  // namespace wayfront
