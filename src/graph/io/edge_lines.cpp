#include "graph/io/edge_lines.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "graph/io/edge_line_parser.hpp"

namespace wayfront::io {

namespace {

template <typename Weight>
void read_lines(GraphShare& share, const NamedText& input, std::span<const TextRange> blocks, const EdgeLineForm& form,
                const ReadOptions& options)
{
    if (form.large_numbers) share.large_numbers.begin(blocks.size());
    ReadOptions with_names = options;
    if (form.names && options.before_memory) {
        std::size_t text_bytes = 0;
        for (const TextRange& block : blocks) text_bytes += block.bytes();
        // A name takes its bytes and twelve more; most names are longer than that.
        with_names.before_memory = [&, bytes = 2 * text_bytes](std::size_t more) {
            options.before_memory(more + bytes);
        };
    }
    share.names = BlockNames(form.names ? blocks.size() : 0);
    if (form.names && options.part == 0 && !blocks.empty())
        share.names.set_first_lines(count_newlines({input.begin(), blocks.front().begin}));
    const EdgeLineParser<Weight> parser(input, form, share.names);
    parse_blocks<Weight>(share, blocks, with_names, most_edges,
                         [&](std::size_t block, TextRange range, Slots<Weight> out) {
                             BlockVertices vertices;
                             const BlockFacts facts = parser.parse(block, range, out, vertices);
                             if (form.large_numbers) share.large_numbers.set(block, std::move(vertices.large));
                             if (form.names) share.names.set(block, std::move(vertices.names), vertices.lines);
                             return facts;
                         });
}

}  // namespace

void advise_on_vertex(ParseFailure& failure, const Line& line, Vertex last)
{
    if (begins_as_name({failure.where, line.next_line()})) {
        failure.expected += " (--names reads names instead of numbers)";
        return;
    }
    Vertex number = 0;
    const bool is_number = std::from_chars(failure.where, line.where(), number).ec == std::errc{};
    if (is_number && number > last) failure.expected += " (--compact allows up to 2^63 - 1)";
}

std::optional<std::string_view> weight_attribute(std::string_view dictionary)
{
    dictionary = without_blanks(dictionary);
    if (dictionary.size() < 2 || dictionary.front() != '{' || dictionary.back() != '}') return std::nullopt;
    const std::string_view inside = without_blanks(dictionary.substr(1, dictionary.size() - 2));
    if (inside.empty()) return inside;
    const std::size_t colon = inside.find(':');
    const std::string_view key = without_blanks(inside.substr(0, colon));
    if (colon == std::string_view::npos || (key != "'weight'" && key != "\"weight\"")) return std::nullopt;
    const std::string_view value = without_blanks(inside.substr(colon + 1));
    if (value.empty() || value.find_first_of(",:{} ") != std::string_view::npos) return std::nullopt;
    return value;
}

void read_edge_lines(GraphShare& share, const NamedText& input, TextRange range, const EdgeLineForm& form,
                     const ReadOptions& options)
{
    const std::vector<TextRange> blocks = cut_into_blocks(range, options.threads);
    share.facts.weights = form.weights;
    switch (form.weights) {
        case WeightKind::none:
            read_lines<NoWeight>(share, input, blocks, form, options);
            break;
        case WeightKind::int32:
            try {
                read_lines<std::int32_t>(share, input, blocks, form, options);
                break;
            } catch (const LongWeightFound&) {
                share.facts.weights = WeightKind::int64;
            }
            [[fallthrough]];
        case WeightKind::int64:
            read_lines<std::int64_t>(share, input, blocks, form, options);
            break;
        case WeightKind::float32:
            read_lines<float>(share, input, blocks, form, options);
            break;
        case WeightKind::float64:
            read_lines<double>(share, input, blocks, form, options);
            break;
    }
}

}  // namespace wayfront::io
