#include "app/cli/option_group.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/help_text.hpp"
#include "base/error.hpp"

namespace wayfront::app {

namespace {

namespace po = boost::program_options;

/// The smallest width of the text that describes an option, next to the option's name; in columns of the terminal.
unsigned least_meaning_columns()
{
    return help_columns() * 2 / 3;
}

template <typename T>
bool read_whole(std::string_view text, T& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::int64_t parse_whole(std::string_view name, std::string_view text, std::int64_t low, std::int64_t high)
{
    std::int64_t value = 0;
    if (read_whole(text, value) && low <= value && value <= high) return value;
    throw InputError(fmt::format("--{}: expected a whole number from {} to {}, found '{}'", name, low, high, text));
}

double parse_positive_real(std::string_view name, std::string_view text)
{
    double value = 0;
    if (read_whole(text, value) && std::isfinite(value) && value > 0) return value;
    throw InputError(fmt::format("--{}: expected a finite number above 0, found '{}'", name, text));
}

double parse_real_from_zero(std::string_view name, std::string_view text)
{
    double value = 0;
    if (read_whole(text, value) && std::isfinite(value) && value >= 0) return value;
    throw InputError(fmt::format("--{}: expected a finite number from 0 on, found '{}'", name, text));
}

OptionGroup::OptionGroup(const std::string& title)
    : title_(title),
      basic_(title, help_columns(), least_meaning_columns()),
      advanced_(title + ", more", help_columns(), least_meaning_columns())
{
}

void OptionGroup::flag(const char* names, bool& target, const std::string& meaning)
{
    current().add_options()(names, po::bool_switch(&target), meaning.c_str());
}

void OptionGroup::text(const char* names, std::string& target, const char* value_name, const std::string& meaning)
{
    const std::string shown = target.empty() ? meaning : with_default(meaning, target);
    const auto require_text = [name = long_name(names), expected = std::string(value_name)](const std::string& text) {
        if (text.empty()) throw InputError(fmt::format("--{}: expected {}, found ''", name, expected));
    };
    current().add_options()(names, po::value<std::string>(&target)->value_name(value_name)->notifier(require_text),
                            shown.c_str());
}

void OptionGroup::texts(const char* names, std::vector<std::string>& target, const char* value_name,
                        const std::string& meaning)
{
    current().add_options()(names, po::value<std::vector<std::string>>(&target)->value_name(value_name),
                            meaning.c_str());
}

void OptionGroup::seed(const char* names, std::uint64_t& target, const std::string& meaning)
{
    parsed(names, "N", with_default(meaning, std::to_string(target)),
           [name = long_name(names), &target](const std::string& text) {
               if (!read_whole(text, target))
                   throw InputError(
                       fmt::format("--{}: expected a whole number from 0 to 2^64 - 1, found '{}'", name, text));
           });
}

void OptionGroup::parsed(const char* names, const char* value_name, const std::string& meaning,
                         std::function<void(const std::string&)> take)
{
    current().add_options()(names, po::value<std::string>()->value_name(value_name)->notifier(std::move(take)),
                            meaning.c_str());
}

std::string OptionGroup::long_name(const char* names)
{
    const std::string_view all = names;
    return std::string(all.substr(0, all.find(',')));
}

std::string OptionGroup::with_default(const std::string& meaning, const std::string& value)
{
    return meaning + " [" + value + "]";
}

}  // namespace wayfront::app
