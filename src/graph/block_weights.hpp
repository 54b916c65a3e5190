// The weights of a block's edges, and the types that searches compute with.
//
// A block has one array of weights for each of its adjacencies, in the order of the neighbours.
// Whole numbers are uint32 if all of them fit, and int64 otherwise; floating-point numbers have the
// precision of the edge list.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/host_buffer.hpp"
#include "base/host_device.hpp"

namespace wayfront {

enum class WeightType : std::uint8_t {
    none,
    uint32,   // whole numbers from 0 to 2^32 - 1
    int64,    // whole numbers, negative ones too
    float32,  // finite
    float64,  // finite
};

/// The name of a type: "uint32".
[[nodiscard]] constexpr std::string_view name_of(WeightType type)
{
    constexpr std::array<std::string_view, 5> names{"none", "uint32", "int64", "float32", "float64"};
    return names[static_cast<std::size_t>(type)];
}

[[nodiscard]] constexpr bool is_floating_point(WeightType type)
{
    return type == WeightType::float32 || type == WeightType::float64;
}

/// The weight of an edge in a graph without weights. Buffers of it stay empty.
struct Unweighted
{
    friend constexpr bool operator==(const Unweighted&, const Unweighted&) = default;
};

/// The weights of the edges of a `Csr`, in the order of its neighbours. The alternatives have the
/// order of WeightType.
using BlockWeights = std::variant<std::monostate, HostBuffer<std::uint32_t>, HostBuffer<std::int64_t>,
                                  HostBuffer<float>, HostBuffer<double>>;

[[nodiscard]] inline WeightType weight_type(const BlockWeights& weights)
{
    return static_cast<WeightType>(weights.index());
}

/// Calls f(T{}) for the C++ type T of the weights: Unweighted for none.
template <typename F>
decltype(auto) with_weight_type(WeightType type, F&& f)
{
    switch (type) {
        case WeightType::uint32:
            return f(std::uint32_t{});
        case WeightType::int64:
            return f(std::int64_t{});
        case WeightType::float32:
            return f(float{});
        case WeightType::float64:
            return f(double{});
        case WeightType::none:
            break;
    }
    return f(Unweighted{});
}

namespace detail {
template <typename T>
struct OrderedWord
{
    using type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
};
template <>
struct OrderedWord<Unweighted>
{
    using type = Unweighted;
};
}  // namespace detail

/// The unsigned type whose order is that of the weights: construction sorts and compares such words
/// for weights of all types.
template <typename T>
using OrderedWord = typename detail::OrderedWord<T>::type;

/// The word of a weight: a < b exactly if to_ordered(a) < to_ordered(b). -0.0 has the word of 0.0.
/// Pre: the weight is not NaN.
template <typename T>
[[nodiscard]] WAYFRONT_HD constexpr OrderedWord<T> to_ordered(T weight)
{
    if constexpr (std::is_floating_point_v<T>) {
        constexpr auto sign = OrderedWord<T>{1} << (8 * sizeof(T) - 1);
        const auto bits = std::bit_cast<OrderedWord<T>>(weight == 0 ? T{0} : weight);
        return (bits & sign) != 0 ? ~bits : bits | sign;
    } else if constexpr (std::is_signed_v<T>) {
        return static_cast<OrderedWord<T>>(weight) ^ (OrderedWord<T>{1} << (8 * sizeof(T) - 1));
    } else {
        return weight;
    }
}

/// The weight of a word.
template <typename T>
[[nodiscard]] WAYFRONT_HD constexpr T from_ordered(OrderedWord<T> word)
{
    if constexpr (std::is_floating_point_v<T>) {
        constexpr auto sign = OrderedWord<T>{1} << (8 * sizeof(T) - 1);
        return std::bit_cast<T>((word & sign) != 0 ? word & ~sign : ~word);
    } else if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(word ^ (OrderedWord<T>{1} << (8 * sizeof(T) - 1)));
    } else {
        return word;
    }
}

}  // namespace wayfront
