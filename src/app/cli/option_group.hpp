// Options with typed values, on top of Boost.Program_options.
//
// A group is a titled part of a subcommand's help. Each option sets a variable of the caller, which
// outlives the group. The variable's value when the option is added is the default, which the help
// shows. If a value does not fit, an InputError names the option, what was expected, and what was
// found.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/program_options.hpp>

namespace wayfront::app {

/// Returns the whole number in `text`. Throws InputError if `text` is not a whole number from `low`
/// to `high`: "--NAME: expected a whole number from LOW to HIGH, found 'TEXT'".
std::int64_t parse_whole(std::string_view name, std::string_view text, std::int64_t low, std::int64_t high);
double parse_positive_real(std::string_view name, std::string_view text);
double parse_real_from_zero(std::string_view name, std::string_view text);

/// The smallest and the largest value of an option.
template <typename Integer>
struct Limits
{
    Integer low;
    Integer high;
};

class OptionGroup
{
public:
    explicit OptionGroup(const std::string& title);

    /// Only --help-all shows the options that are added from now on.
    void advanced() { in_advanced_ = true; }

    /// Names values of the option `name` for completion in shells. Without this, completion offers
    /// the lower-case parts of the value's name, such as auto and cpu of "auto|cpu|N".
    void offer(const std::string& name, std::vector<std::string> values) { offered_[name] = std::move(values); }

    /// In all of these functions, `names` is "long" or "long,s".
    void flag(const char* names, bool& target, const std::string& meaning);
    void text(const char* names, std::string& target, const char* value_name, const std::string& meaning);
    /// An option that may be given several times.
    void texts(const char* names, std::vector<std::string>& target, const char* value_name, const std::string& meaning);
    template <typename Integer>
    void whole(const char* names, Integer& target, Limits<std::type_identity_t<Integer>> limits, const char* value_name,
               const std::string& meaning)
    {
        parsed(names, value_name, with_default(meaning, std::to_string(target)),
               [name = long_name(names), &target, limits](const std::string& text) {
                   target = static_cast<Integer>(parse_whole(name, text, static_cast<std::int64_t>(limits.low),
                                                             static_cast<std::int64_t>(limits.high)));
               });
    }
    void seed(const char* names, std::uint64_t& target, const std::string& meaning);
    /// `take` parses the text and stores the value, or throws InputError.
    void parsed(const char* names, const char* value_name, const std::string& meaning,
                std::function<void(const std::string&)> take);

    [[nodiscard]] const std::string& title() const { return title_; }
    /// The values that offer() has named, by the names of options.
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& offered() const { return offered_; }
    [[nodiscard]] const boost::program_options::options_description& basic_options() const { return basic_; }
    [[nodiscard]] const boost::program_options::options_description& advanced_options() const { return advanced_; }

private:
    static std::string long_name(const char* names);
    static std::string with_default(const std::string& meaning, const std::string& value);

    boost::program_options::options_description& current() { return in_advanced_ ? advanced_ : basic_; }

    std::string title_;
    std::map<std::string, std::vector<std::string>> offered_;
    boost::program_options::options_description basic_;
    boost::program_options::options_description advanced_;
    bool in_advanced_ = false;
};

}  // namespace wayfront::app
