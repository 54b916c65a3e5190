#include "report/json_member.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace wayfront::report {

namespace {

// Times outside these limits are errors. Ratios of two times within the limits are finite.
constexpr double kLeastSeconds = 1e-15;
constexpr double kMostSeconds = 1e15;
// Sums of smaller numbers are finite.
constexpr double kMostNumber = 1e30;

std::string in_words(const session::Json& value)
{
    constexpr std::size_t longest = 40;
    std::string text = value.is_structured() ? value.is_array() ? "an array" : "an object"
                                             : value.dump(-1, ' ', true, session::Json::error_handler_t::replace);
    return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

}  // namespace

session::Json parsed_json(const std::string& text, const std::string& file)
{
    // Copies and destructors of values are recursive. A limit of depth prevents an overflow of the stack.
    const auto check_depth = [&file](int depth, session::Json::parse_event_t /*event*/, session::Json& /*value*/) {
        constexpr int most = 100;
        if (depth > most) throw InputError(fmt::format("{}: is nested more than {} deep", file, most));
        return true;
    };
    try {
        return session::Json::parse(text, check_depth);
    } catch (const session::Json::exception& error) {  // bad syntax, or a number beyond float64
        // "[json.exception.parse_error.101] parse error at line 1, column 5: ..."
        const std::string_view what = error.what();
        const std::size_t place = what.find(" at ");
        throw InputError(fmt::format("{}: is not JSON: {}", file,
                                     what.substr(place == std::string_view::npos ? what.find(']') + 2 : place + 4)));
    }
}

const session::Json* JsonMember::find(std::string_view path) const
{
    const session::Json* value = value_;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        if (!value->is_object()) return nullptr;
        const auto found = value->find(std::string(path.substr(begin, end - begin)));
        if (found == value->end() || found->is_null()) return nullptr;
        value = &*found;
        begin = end + 1;
    }
    return value;
}

std::string JsonMember::place_of(std::string_view path) const
{
    return fmt::format("{}{}{}", path_, path_.empty() || path.empty() ? "" : ".", path);
}

void JsonMember::fail(std::string_view path, std::string_view expected) const
{
    const session::Json* const found = path.empty() ? value_ : find(path);
    throw InputError(fmt::format("{}: {}: expected {}, found {}", file_, place_of(path), expected,
                                 found == nullptr ? "nothing" : in_words(*found)));
}

JsonMember JsonMember::member(std::string_view path) const
{
    const session::Json* const found = find(path);
    if (found == nullptr) fail(path, "a value");
    return {*found, file_, place_of(path)};
}

std::vector<JsonMember> JsonMember::elements(std::string_view path) const
{
    const session::Json* const found = find(path);
    std::vector<JsonMember> elements;
    if (found == nullptr) return elements;
    if (!found->is_array()) fail(path, "an array");
    for (const session::Json& element : *found)
        elements.emplace_back(element, file_, fmt::format("{}[{}]", place_of(path), elements.size()));
    return elements;
}

std::string JsonMember::text(std::string_view path) const
{
    const session::Json* const found = find(path);
    if (found == nullptr) return {};
    const auto written = [&](const session::Json& value) {
        if (value.is_structured()) fail(path, "a text or a number");
        if (value.is_number_float()) return fmt::format("{}", value.get<double>());
        return value.is_string() ? value.get<std::string>() : value.dump();
    };
    if (!found->is_array()) return written(*found);
    std::string list;
    for (const session::Json& element : *found) list += (list.empty() ? "" : ", ") + written(element);
    return list;
}

double JsonMember::number_or(std::string_view path, double other) const
{
    return has(path) ? member(path).number_from_zero() : other;
}

double JsonMember::seconds(std::string_view path) const
{
    const double value = number_or(path, 0);
    if (value < kLeastSeconds || value > kMostSeconds) fail(path, "seconds above 0");
    return value;
}

double JsonMember::number() const
{
    if (!value_->is_number() || !std::isfinite(value_->get<double>())) fail("", "a number");
    return value_->get<double>();
}

double JsonMember::number_from_zero() const
{
    const double value = value_->is_number() ? value_->get<double>() : -1;
    if (!(value >= 0 && value <= kMostNumber)) fail("", "a number from 0 to 1e30");
    return value;
}

}  // namespace wayfront::report
