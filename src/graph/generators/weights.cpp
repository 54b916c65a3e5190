#include "graph/generators/weights.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront {

namespace {

constexpr std::int64_t kLeastWeight = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMostWeight = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void fail(std::string_view text, const std::string& what)
{
    throw InputError("weights '" + std::string(text) + "': " + what +
                     "\nweights are written uniform:LO..HI (whole numbers, HI may be n, the number of vertices), unit "
                     "(all 1), float (from 0 to 1), "
                     "lognormal:MU,SIGMA (floats), or lognormal:mean=83666,sd=184384,min=10,max=1000000");
}

template <typename T>
bool read(std::string_view text, T& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

/// A random word as a float in [0, 1).
float unit_float(std::uint64_t word)
{
    return static_cast<float>(word >> 40) * 0x1p-24F;
}

/// A random word as a double in (0, 1].
double unit_double(std::uint64_t word)
{
    return static_cast<double>((word >> 11) + 1) * 0x1p-53;
}

}  // namespace

WeightSpec WeightSpec::parse(std::string_view text, Vertex vertex_count)
{
    WeightSpec spec;
    if (text == "unit") return spec;
    if (text == "float") {
        spec.kind_ = Kind::real;
        return spec;
    }
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view name = text.substr(0, colon);
    std::string_view rest = text.substr(std::min(colon + 1, text.size()));

    if (name == "uniform") {
        spec.kind_ = Kind::uniform;
        const std::size_t dots = rest.find("..");
        if (dots == std::string_view::npos) fail(text, "a range such as 1..100 is missing");
        const std::string_view high = rest.substr(dots + 2);
        spec.high_ = vertex_count;
        if (!read(rest.substr(0, dots), spec.low_) || (high != "n" && !read(high, spec.high_)))
            fail(text, "its limits are not whole numbers");
        if (spec.low_ > spec.high_)
            fail(text, "the range is empty, from " + std::to_string(spec.low_) + " to " + std::to_string(spec.high_));
        if (spec.low_ < kLeastWeight || spec.high_ > kMostWeight) {
            fail(text, "weights must lie from " + std::to_string(kLeastWeight) + " to " + std::to_string(kMostWeight) +
                           (high == "n" ? ", and the graph has " + std::to_string(vertex_count) + " vertices" : ""));
        }
        return spec;
    }

    if (name == "lognormal") {
        spec.read_lognormal(text, rest);
        return spec;
    }
    fail(text, "there is no such distribution");
}

/// MU,SIGMA, or any of mean, sd, min and max.
void WeightSpec::read_lognormal(std::string_view text, std::string_view parameters)
{
    if (!parameters.empty() && parameters.find('=') == std::string_view::npos) {
        // A normal number of 53 random bits is less than 9 standard deviations from the mean.
        constexpr double most_deviations = 9;
        constexpr double most_exponent = 88;  // exp(88) is a finite float
        kind_ = Kind::real_lognormal;
        const std::size_t comma = std::min(parameters.find(','), parameters.size());
        if (!read(parameters.substr(0, comma), mu_) ||
            !read(parameters.substr(std::min(comma + 1, parameters.size())), sigma_))
            fail(text, "MU,SIGMA are not two numbers");
        if (!(sigma_ >= 0) || !std::isfinite(mu_)) fail(text, "SIGMA must not be below 0");
        if (!(mu_ + most_deviations * sigma_ <= most_exponent))
            fail(text, "its weights would not fit a float: MU + 9 SIGMA is above 88");
        return;
    }
    kind_ = Kind::lognormal;
    double mean = 83666;
    double sd = 184384;
    low_ = 10;
    high_ = 1000000;
    while (!parameters.empty()) {
        const std::size_t comma = std::min(parameters.find(','), parameters.size());
        const std::string_view item = parameters.substr(0, comma);
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::string_view key = item.substr(0, equals);
        const std::string_view value = item.substr(std::min(equals + 1, item.size()));
        const bool good = key == "mean"  ? read(value, mean)
                          : key == "sd"  ? read(value, sd)
                          : key == "min" ? read(value, low_)
                          : key == "max" ? read(value, high_)
                                         : false;
        if (!good) fail(text, "'" + std::string(item) + "' is not mean, sd, min or max with a number");
        parameters.remove_prefix(std::min(comma + 1, parameters.size()));
    }
    if (!(mean > 0) || !(sd >= 0) || !std::isfinite(mean) || !std::isfinite(sd))
        fail(text, "mean must be above 0, and sd not below 0");
    if (low_ > high_ || low_ < 0 || high_ > kMostWeight) {
        fail(text, "min and max must lie from 0 to " + std::to_string(kMostWeight) + ", min first");
    }
    const double variance = std::log1p(sd / mean * (sd / mean));
    sigma_ = std::sqrt(variance);
    mu_ = std::log(mean) - variance / 2;
}

/// Box and Muller's transformation of two uniform numbers to a normal one.
double WeightSpec::lognormal(std::uint64_t key, EdgeCount e) const
{
    const auto index = static_cast<std::uint64_t>(e);
    const double radius = std::sqrt(-2 * std::log(unit_double(random_word(key, 2 * index))));
    const double angle = 2 * std::numbers::pi * unit_double(random_word(key, 2 * index + 1));
    return std::exp(mu_ + sigma_ * radius * std::cos(angle));
}

bool WeightSpec::wide() const noexcept
{
    return integral() && high_ > std::numeric_limits<std::int32_t>::max();
}

std::int64_t WeightSpec::whole(std::uint64_t key, EdgeCount e) const
{
    const auto index = static_cast<std::uint64_t>(e);
    switch (kind_) {
        case Kind::uniform:
            return low_ + static_cast<std::int64_t>(
                              random_below(random_word(key, index), static_cast<std::uint64_t>(high_ - low_) + 1));
        case Kind::lognormal:
            return std::llround(std::clamp(lognormal(key, e), static_cast<double>(low_), static_cast<double>(high_)));
        default:
            return 1;
    }
}

float WeightSpec::real(std::uint64_t key, EdgeCount e) const
{
    if (kind_ == Kind::real) return unit_float(random_word(key, static_cast<std::uint64_t>(e)));
    if (kind_ == Kind::real_lognormal) return static_cast<float>(lognormal(key, e));
    return static_cast<float>(whole(key, e));
}

void WeightSpec::fill(std::uint64_t seed, EdgeCount first, std::span<std::int32_t> out) const
{
    const std::uint64_t key = random_key(seed, RandomPurpose::weights);
    for (std::int32_t& weight : out) weight = static_cast<std::int32_t>(whole(key, first++));
}

void WeightSpec::fill(std::uint64_t seed, EdgeCount first, std::span<std::int64_t> out) const
{
    const std::uint64_t key = random_key(seed, RandomPurpose::weights);
    for (std::int64_t& weight : out) weight = whole(key, first++);
}

void WeightSpec::fill(std::uint64_t seed, EdgeCount first, std::span<float> out) const
{
    const std::uint64_t key = random_key(seed, RandomPurpose::weights);
    for (float& weight : out) weight = real(key, first++);
}

Weights WeightSpec::make(std::uint64_t seed, EdgeCount first, std::size_t count) const
{
    const auto fill_all = [&](auto buffer) -> Weights {
        constexpr std::size_t chunk = 1 << 16;
        parallel_for((count + chunk - 1) / chunk, 1, [&](std::size_t i) {
            const std::size_t begin = i * chunk;
            fill(seed, first + static_cast<EdgeCount>(begin),
                 buffer.span().subspan(begin, std::min(chunk, count - begin)));
        });
        return buffer;
    };
    if (wide()) return fill_all(HostBuffer<std::int64_t>(count));
    if (integral()) return fill_all(HostBuffer<std::int32_t>(count));
    return fill_all(HostBuffer<float>(count));
}

HostBuffer<std::int32_t> whole_weights(std::span<const float> weights)
{
    constexpr float kMost = 255;
    HostBuffer<std::int32_t> whole(weights.size());
    parallel_ranges(weights.size(), 1, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.first + range.size(); ++i)
            whole[i] = 1 + static_cast<std::int32_t>(kMost * weights[i]);
    });
    return whole;
}

}  // namespace wayfront
