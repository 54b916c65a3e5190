#include "graph/io/edge_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "graph/io/tokens.hpp"

namespace wayfront::io {

namespace {

using Names = std::span<const std::string_view>;

// In lower case, without any other characters than letters and digits.
constexpr auto kSources = std::to_array<std::string_view>({"source", "src", "from", "fromnode", "fromnodeid", "fromid",
                                                           "start", "startnode", "startid", "u", "node1", "vertex1",
                                                           "tail", "i", "sourceid", "srcid", "sourcenode", "origin"});
constexpr auto kTargets = std::to_array<std::string_view>({"target", "dst", "dest", "destination", "to", "tonode",
                                                           "tonodeid", "toid", "end", "endnode", "endid", "v", "node2",
                                                           "vertex2", "head", "j", "targetid", "dstid", "targetnode"});
constexpr auto kWeights =
    std::to_array<std::string_view>({"weight", "weights", "w", "wt", "length", "len", "cost", "distance", "dist",
                                     "value", "val", "capacity", "cap", "traveltime", "duration"});
constexpr auto kTimes = std::to_array<std::string_view>(
    {"timestamp", "timestamps", "time", "ts", "date", "datetime", "unixts", "unixtime", "year"});
// Columns that are no numbers of edges, or no lengths.
constexpr auto kOthers =
    std::to_array<std::string_view>({"key", "id", "edgeid", "type", "label", "name", "index", "kind"});

std::string plain(std::string_view text)
{
    std::string name = lower(text);
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return name;
}

struct Column
{
    std::string_view text;
    std::string name;  // plain

    [[nodiscard]] bool is_one_of(Names names) const { return std::ranges::find(names, name) != names.end(); }
};

std::vector<Column> columns_of(std::string_view row, char separator)
{
    std::vector<Column> columns;
    for_each_field(row, separator, [&](std::size_t, std::string_view text) { columns.push_back({text, plain(text)}); });
    return columns;
}

/// The column with the number that is written in `choice`, from 1; no value if it is not a number.
std::optional<std::size_t> numbered(const std::string& choice, std::size_t count)
{
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(choice.data(), choice.data() + choice.size(), number);
    if (error != std::errc{} || stop != choice.data() + choice.size() || number < 1 || number > count)
        return std::nullopt;
    return number - 1;
}

[[noreturn]] void fail(std::string_view row, const std::string& wanted, std::string_view found)
{
    throw ParseFailure{row.data(), wanted, "'" + std::string(found) + "'"};
}

/// The columns whose names are among `names`.
std::vector<std::size_t> matches(std::span<const Column> columns, Names names)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].is_one_of(names)) found.push_back(i);
    return found;
}

/// The column that the user chose, or the only one with a usual name; no value if there is none.
std::optional<std::size_t> find_column(std::string_view row, std::span<const Column> columns, Names names,
                                       const std::string& choice, const std::string& option)
{
    if (!choice.empty()) {
        const auto named = std::ranges::find(columns, std::string_view(choice), &Column::text);
        if (named != columns.end()) return static_cast<std::size_t>(named - columns.begin());
        if (const auto number = numbered(choice, columns.size())) return number;
        fail(row, "a column '" + choice + "', as " + option + " says, or as many columns", row);
    }
    const std::vector<std::size_t> found = matches(columns, names);
    if (found.size() > 1)
        fail(row, "one column of this kind, or " + option + " NAME",
             std::string(columns[found[0]].text) + "' and '" + std::string(columns[found[1]].text));
    return found.empty() ? std::nullopt : std::optional(found.front());
}

}  // namespace

std::size_t closing_quote(std::string_view line, std::size_t begin)
{
    std::size_t quote = line.find('"', begin + 1);
    while (quote < line.size() && line.substr(quote + 1).starts_with('"')) quote = line.find('"', quote + 2);
    return std::min(quote, line.size());
}

char separator_of(std::string_view line)
{
    constexpr std::string_view separators = "\t,;";
    std::size_t best = separators.size();
    bool begins_field = true;
    for (std::size_t i = 0; i < line.size() && best > 0; ++i) {
        if (line[i] == '"' && begins_field) {
            i = closing_quote(line, i);
            begins_field = false;
            continue;
        }
        best = std::min(best, separators.find(line[i]));
        begins_field = line[i] == ' ' || separators.find(line[i]) != std::string_view::npos;
    }
    return best < separators.size() ? separators[best] : ' ';
}

bool is_row_of_names(std::string_view line)
{
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const std::vector<Column> columns = columns_of(line, separator_of(line));
    if (columns.size() < 2) return false;
    // pandas leaves the name of its index empty.
    const std::string_view first = columns[columns[0].text.empty() ? 1 : 0].text;
    return !first.empty() && (is_letter(first.front()) || first.front() == '_');
}

EdgeColumns columns_named(std::string_view row, char separator, const ColumnChoice& choice, ReadNotes& notes)
{
    const std::vector<Column> columns = columns_of(row, separator);
    EdgeColumns chosen;
    chosen.separator = separator;
    chosen.count = columns.size();
    const auto source = find_column(row, columns, kSources, choice.source, "--source-column");
    const auto target = find_column(row, columns, kTargets, choice.target, "--target-column");
    if (source.has_value() != target.has_value())
        fail(row,
             source ? "a column of targets, or --target-column NAME" : "a column of sources, or --source-column NAME",
             row);
    chosen.source = source.value_or(0);
    chosen.target = target.value_or(1);
    if (chosen.source == chosen.target)
        fail(row, "different columns of sources and targets", columns[chosen.source].text);

    if (choice.weight != "none") chosen.weight = find_column(row, columns, kWeights, choice.weight, "--weight-column");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i == chosen.source || i == chosen.target || i == chosen.weight) continue;
        const bool is_time = columns[i].is_one_of(kTimes);
        const bool is_weight = columns.size() == 3 && choice.weight.empty() && !is_time && !columns[i].name.empty() &&
                               !columns[i].is_one_of(kOthers);
        if (is_weight)
            chosen.weight = i;
        else if (is_time)
            notes.timestamps = true;
        else if (!chosen.weight && choice.weight.empty() && !columns[i].name.empty())
            notes.left_out = true;
    }
    return chosen;
}

EdgeColumns columns_numbered(std::string_view first, const ColumnChoice& choice, ReadNotes& notes)
{
    EdgeColumns chosen;
    chosen.separator = separator_of(first);
    chosen.count = for_each_field(first, chosen.separator, [](std::size_t, std::string_view) {});
    const auto number = [&](const std::string& text, const char* option) {
        const auto found = numbered(text, chosen.count);
        if (!found)
            fail(first, "a row of names that has '" + text + "', or as many columns, as " + option + " says", first);
        return *found;
    };
    if (!choice.source.empty()) chosen.source = number(choice.source, "--source-column");
    if (!choice.target.empty()) chosen.target = number(choice.target, "--target-column");
    if (chosen.count < 2 || chosen.source == chosen.target)
        fail(first, "different columns of sources and targets", first);
    if (choice.weight == "none") return chosen;
    if (!choice.weight.empty())
        chosen.weight = number(choice.weight, "--weight-column");
    else if (chosen.count == 3)
        chosen.weight = 3 - chosen.source - chosen.target;
    else if (chosen.count == 4 && !choice.any()) {
        chosen.weight = 2;
        notes.timestamps = true;
    }
    return chosen;
}

bool has_names_of_columns(std::string_view row, const ColumnChoice& choice)
{
    const std::vector<Column> columns = columns_of(row, separator_of(row));
    const auto has = [&](const std::string& name) {
        return !name.empty() && std::ranges::find(columns, std::string_view(name), &Column::text) != columns.end();
    };
    if (has(choice.source) || has(choice.target) || has(choice.weight)) return true;
    return !matches(columns, kSources).empty() && !matches(columns, kTargets).empty();
}

bool comment_names_columns(std::string_view comment, std::size_t fields)
{
    comment.remove_prefix(1);
    const std::vector<Column> columns = columns_of(comment, separator_of(comment));
    return columns.size() == fields && matches(columns, kSources).size() == 1 && matches(columns, kTargets).size() == 1;
}

}  // namespace wayfront::io
