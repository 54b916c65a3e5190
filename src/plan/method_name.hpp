// The names of an option's methods, such as those of --algorithm, and what the help says of each.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::plan {

template <typename Method>
struct MethodName
{
    Method method;
    std::string_view name;
    std::string_view meaning;
};

template <typename Method, std::size_t Count>
using MethodNames = std::array<MethodName<Method>, Count>;

/// The method that the text names. Throws InputError if there is none.
template <typename Method, std::size_t Count>
[[nodiscard]] Method method_in(const MethodNames<Method, Count>& methods, const std::string& text)
{
    for (const MethodName<Method>& each : methods)
        if (each.name == text) return each.method;
    std::string names;
    for (const MethodName<Method>& each : methods) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    throw InputError(fmt::format("--algorithm: expected one of {}, found '{}'", names, text));
}

/// The method's name; empty if it has none.
template <typename Method, std::size_t Count>
[[nodiscard]] std::string_view name_in(const MethodNames<Method, Count>& methods, Method method)
{
    for (const MethodName<Method>& each : methods)
        if (each.method == method) return each.name;
    return "";
}

/// A part of the help: each method in a line, whose meaning begins behind `width` columns.
template <typename Method, std::size_t Count>
[[nodiscard]] std::string explained(const MethodNames<Method, Count>& methods, int width)
{
    std::string text = "Algorithms:\n";
    for (const MethodName<Method>& each : methods) text += fmt::format("  {:<{}} {}\n", each.name, width, each.meaning);
    return text;
}

}  // namespace wayfront::plan
