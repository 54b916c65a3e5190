#include "graph/vertex_names.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <numeric>
#include <string>

#include "base/parallel.hpp"
#include "graph/joined_lists.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelow = std::size_t{1} << 14;  // edges

bool is_number(std::string_view name)
{
    return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_zeros(std::string_view digits)
{
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// Whether two names are in order; both are numbers. Equal values are ordered by their zeros.
bool number_less(std::string_view one, std::string_view other)
{
    const std::string_view value = without_zeros(one);
    const std::string_view other_value = without_zeros(other);
    if (value.size() != other_value.size()) return value.size() < other_value.size();
    if (value != other_value) return value < other_value;
    return one.size() < other.size();
}

/// The value of a name that is a whole number.
struct WholeNumber
{
    bool negative = false;
    std::string_view digits;  // without zeros at the start; empty for 0

    friend auto operator<=>(const WholeNumber&, const WholeNumber&) = default;

    [[nodiscard]] std::string usual_spelling() const
    {
        std::string text(negative ? "-" : "");
        return text += digits.empty() ? std::string_view("0") : digits;
    }
};

/// The value of a name of digits, with or without a sign; no value for other names.
std::optional<WholeNumber> whole_number(std::string_view name)
{
    const bool has_sign = name.starts_with('+') || name.starts_with('-');
    const std::string_view digits = name.substr(has_sign ? 1 : 0);
    if (digits.empty() || !is_number(digits)) return std::nullopt;
    const std::string_view significant = without_zeros(digits);
    return WholeNumber{name.starts_with('-') && !significant.empty(), significant};
}

/// The number of the part that has a name, out of `parts`. A table uses other bits of the hash first.
std::size_t part_of_name(std::string_view name, std::size_t parts)
{
    constexpr int unused_bits = 20;
    return (std::hash<std::string_view>()(name) >> unused_bits) % parts;
}

/// Calls f(block, place, name) for each name of each block that is in a part.
template <typename F>
void for_each_name(const BlockNames& names, std::size_t part, std::size_t parts, const F& f)
{
    for (std::size_t block = 0; block < names.tables().size(); ++block) {
        const NameTable& table = names.tables()[block];
        for (std::size_t place = 0; place < table.size(); ++place)
            if (parts == 1 || part_of_name(table[place], parts) == part) f(block, place, table[place]);
    }
}

/// The names of a part, each once, in order. They refer to the blocks.
HostBuffer<std::string_view> sorted_names(const BlockNames& names, std::size_t part, std::size_t parts)
{
    NameTable once;
    std::vector<std::string_view> found;
    for_each_name(names, part, parts, [&](std::size_t, std::size_t, std::string_view name) {
        if (once.place_of(name) == found.size()) found.push_back(name);
    });
    std::ranges::sort(found, name_less);
    HostBuffer<std::string_view> sorted(found.size());
    std::ranges::copy(found, sorted.begin());
    return sorted;
}

}  // namespace

bool name_less(std::string_view one, std::string_view other)
{
    // A fast check: the first bytes of most names decide.
    const bool number = is_number(one.substr(0, 1)) && is_number(one);
    const bool other_number = is_number(other.substr(0, 1)) && is_number(other);
    if (number != other_number) return number;
    return number ? number_less(one, other) : one < other;
}

VertexNames::VertexNames(std::span<const std::string_view> names) : ends_(names.size())
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < names.size(); ++i) ends_[i] = bytes += names[i].size();
    bytes_ = HostBuffer<char>(static_cast<std::size_t>(bytes));
    parallel_for(names.size(), kSerialBelow,
                 [&](std::size_t i) { std::ranges::copy(names[i], bytes_.begin() + (ends_[i] - names[i].size())); });
}

std::optional<std::size_t> VertexNames::find(std::string_view name) const
{
    std::size_t first = 0;
    for (std::size_t last = size(); first < last;) {
        const std::size_t middle = first + (last - first) / 2;
        if (name_less((*this)[middle], name))
            first = middle + 1;
        else
            last = middle;
    }
    if (first == size() || (*this)[first] != name) return std::nullopt;
    return first;
}

std::size_t NameTable::place_of(std::string_view name, std::size_t line)
{
    if (2 * size() >= slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    const std::size_t hash = std::hash<std::string_view>()(name);
    const auto short_hash = static_cast<std::uint32_t>(hash >> 32);
    std::size_t i = hash & mask;
    for (; slots_[i].place_plus_1 != 0; i = (i + 1) & mask) {
        const std::size_t place = slots_[i].place_plus_1 - 1;
        if (slots_[i].hash == short_hash && (*this)[place] == name) return place;
    }
    const std::size_t place = size();
    slots_[i] = {short_hash, static_cast<std::uint32_t>(place + 1)};
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    ends_.push_back(bytes_.size());
    lines_.push_back(static_cast<std::uint32_t>(line));
    return place;
}

void NameTable::grow()
{
    constexpr std::size_t least_slots = 64;
    slots_.assign(std::max(least_slots, 2 * slots_.size()), Slot{});
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t place = 0; place < size(); ++place) {
        const std::size_t hash = std::hash<std::string_view>()((*this)[place]);
        std::size_t i = hash & mask;
        while (slots_[i].place_plus_1 != 0) i = (i + 1) & mask;
        slots_[i] = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(place + 1)};
    }
}

std::size_t BlockNames::lines() const
{
    return std::reduce(lines_.begin(), lines_.end(), first_lines_);
}

std::optional<std::size_t> BlockNames::line_of(std::string_view name) const
{
    std::size_t lines_before = first_lines_;
    for (std::size_t block = 0; block < tables_.size(); lines_before += lines_[block++])
        for (std::size_t place = 0; place < tables_[block].size(); ++place)
            if (tables_[block][place] == name) return lines_before + tables_[block].line(place);
    return std::nullopt;
}

double numbering_bytes(const BlockNames& names)
{
    constexpr std::size_t counted_names = std::size_t{1} << 20;  // up to which no sample is taken
    constexpr std::size_t sampled_part = 64;
    std::size_t places = 0;
    for (const NameTable& table : names.tables()) places += table.size();
    const std::size_t parts = places > counted_names ? sampled_part : 1;
    NameTable sample;
    for_each_name(names, 0, parts,
                  [&](std::size_t, std::size_t, std::string_view name) { static_cast<void>(sample.place_of(name)); });
    // A name is in a table, whose lists take three times as much while they grow and whose slots are up
    // to six; in a list that is sorted, which grows, too; and in the result.
    constexpr double name_bytes = 3 * (sizeof(std::size_t) + sizeof(std::uint32_t) + sizeof(std::string_view)) +
                                  6 * sizeof(std::uint64_t) + sizeof(std::uint64_t);
    const double in_all = static_cast<double>(sample.size()) * name_bytes + 4 * static_cast<double>(sample.bytes());
    return in_all * static_cast<double>(parts) + sizeof(Vertex) * static_cast<double>(places);
}

VertexNames list_names(const BlockNames& names)
{
    const auto parts = static_cast<std::size_t>(thread_count());
    std::vector<HostBuffer<std::string_view>> lists(parts);
    parallel_items(parts, [&](std::size_t part) { lists[part] = sorted_names(names, part, parts); });
    return VertexNames(joined_lists<std::string_view>({lists.begin(), lists.end()}, name_less).span());
}

std::optional<std::pair<std::string_view, std::string_view>> two_spellings(const VertexNames& names)
{
    std::vector<std::string_view> unusual;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::optional<WholeNumber> number = whole_number(names[i]);
        if (number && number->usual_spelling() != names[i]) unusual.push_back(names[i]);
    }
    std::ranges::stable_sort(unusual, {}, [](std::string_view name) { return *whole_number(name); });
    for (std::size_t i = 0; i < unusual.size(); ++i) {
        const WholeNumber number = *whole_number(unusual[i]);
        if (const auto usual = names.find(number.usual_spelling())) return std::pair(names[*usual], unusual[i]);
        if (i > 0 && whole_number(unusual[i - 1]) == number) return std::pair(unusual[i - 1], unusual[i]);
    }
    return std::nullopt;
}

void number_by_name(std::span<PackedEdge> edges, const BlockNames& names, const VertexNames& vertices)
{
    std::vector<HostBuffer<Vertex>> numbers;
    for (const NameTable& table : names.tables()) numbers.emplace_back(table.size());
    const auto parts = static_cast<std::size_t>(thread_count());
    parallel_items(parts, [&](std::size_t part) {
        // A name that is in many blocks is found in `vertices` once.
        NameTable once;
        std::vector<Vertex> number_of_place;
        for_each_name(names, part, parts, [&](std::size_t block, std::size_t place, std::string_view name) {
            const std::size_t known = once.place_of(name);
            if (known == number_of_place.size())
                number_of_place.push_back(static_cast<Vertex>(vertices.find(name).value()));
            numbers[block][place] = number_of_place[known];
        });
    });
    const auto number_of = [&](Vertex stored) { return numbers[names.block_of(stored)][names.place_of(stored)]; };
    parallel_for(edges.size(), kSerialBelow, [&](std::size_t i) {
        edges[i] = PackedEdge::pack(number_of(edges[i].source()), number_of(edges[i].target()));
    });
}

}  // namespace wayfront
