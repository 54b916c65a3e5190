#include "session/output/array_text.hpp"

#include <fmt/format.h>

namespace wayfront::session {

const char* npy_type(algo::DistanceType type)
{
    switch (type) {
        case algo::DistanceType::uint16:
            return "<u2";
        case algo::DistanceType::int32:
            return "<i4";
        case algo::DistanceType::float32:
            return "<f4";
        case algo::DistanceType::float64:
            break;
    }
    return "<f8";
}

NpyArray npy_list(std::string_view type, std::uint64_t count)
{
    return {.type = fmt::format("'{}'", type), .shape = fmt::format("({},)", count)};
}

std::string npy_header(const NpyArray& array)
{
    constexpr std::size_t unit = 64;
    constexpr std::size_t prefix = 10;
    std::string description =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", array.type, array.shape);
    description.append(unit - (prefix + description.size() + 1) % unit, ' ');
    description += '\n';
    std::string header = "\x93NUMPY\x01";
    header += '\0';
    header += static_cast<char>(description.size() & 0xFF);
    header += static_cast<char>(description.size() >> 8);
    return header + description;
}

std::string npy_header(std::string_view type, std::uint64_t rows, std::uint64_t columns)
{
    return npy_header({.type = fmt::format("'{}'", type), .shape = fmt::format("({}, {})", rows, columns)});
}

}  // namespace wayfront::session
