#include "app/options/cutoff_option.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/option_group.hpp"

namespace wayfront::app {

algo::Cutoff parse_cutoff(std::string_view name, std::string_view text)
{
    const double real = parse_real_from_zero(name, text);
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
    return error == std::errc() && end == text.data() + text.size() ? algo::Cutoff::of_whole(whole)
                                                                    : algo::Cutoff(real);
}

std::string in_words(const algo::Cutoff& cutoff)
{
    return static_cast<double>(cutoff.whole) == cutoff.real ? fmt::format("{}", cutoff.whole)
                                                            : fmt::format("{}", cutoff.real);
}

}  // namespace wayfront::app
