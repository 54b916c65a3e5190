// Members of a JSON document from elsewhere, each with its place for messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/output/json.hpp"

namespace wayfront::report {

/// Throws InputError, with line and column, if `text` is no JSON.
[[nodiscard]] session::Json parsed_json(const std::string& text, const std::string& file);

/// A value in a document, which outlives it. A path is a name, or names joined by dots. All functions
/// throw InputError "FILE: PATH: expected ..." if a member has another type.
class JsonMember
{
public:
    JsonMember(const session::Json& value, std::string file, std::string path)
        : value_(&value), file_(std::move(file)), path_(std::move(path))
    {
    }

    /// Whether the member exists and is not null.
    [[nodiscard]] bool has(std::string_view path) const { return find(path) != nullptr; }
    /// The member itself. Throws if it is missing.
    [[nodiscard]] JsonMember member(std::string_view path) const;
    /// The elements of an array; none if it is missing.
    [[nodiscard]] std::vector<JsonMember> elements(std::string_view path) const;
    /// A text as it is, numbers and truth values as JSON writes them, elements of an array of these with
    /// commas; empty if the member is missing.
    [[nodiscard]] std::string text(std::string_view path) const;
    /// A number from 0 to 1e30, or `other` if the member is missing.
    [[nodiscard]] double number_or(std::string_view path, double other) const;
    /// A time above 0. Throws if it is missing.
    [[nodiscard]] double seconds(std::string_view path) const;
    /// This value, a finite number.
    [[nodiscard]] double number() const;
    /// This value, a number from 0 to 1e30.
    [[nodiscard]] double number_from_zero() const;

    /// Throws InputError: "FILE: place: expected ..., found ...".
    [[noreturn]] void fail(std::string_view path, std::string_view expected) const;

private:
    [[nodiscard]] const session::Json* find(std::string_view path) const;
    [[nodiscard]] std::string place_of(std::string_view path) const;

    const session::Json* value_;
    std::string file_;
    std::string path_;  // in the document, such as "searches[3]"
};

}  // namespace wayfront::report
