// GML (Graph Modelling Language), as NetworkX, igraph and Gephi write it:
//
//     graph [
//       directed 1
//       node [ id 0 label "Oslo" ]
//       edge [ source 0 target 1 weight 463 ]
//     ]
//
// A text of keys and values: numbers, strings in double quotes with XML's entities, and lists in
// brackets, which nest. Comments begin with # at the start of a line. Vertices have the names of
// their labels if all vertices have some, and otherwise their ids. Other keys are skipped.
//
// M. Himsolt. GML: A portable graph file format. Technical report, Universität Passau, 1997.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "graph/io/declared_graph.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

namespace {

/// One key, value, or bracket.
struct Token
{
    enum class Kind { word, string, open, close, end };
    Kind kind = Kind::end;
    std::string_view text{};  // for a string: the text between its quotes
    const char* where = nullptr;
};

/// Cuts the text into tokens.
class Tokens
{
public:
    explicit Tokens(const NamedText& input) : input_(input), p_(input.begin()) {}

    Token next()
    {
        skip_blanks();
        if (p_ == input_.end()) return {Token::Kind::end, {}, p_};
        const char* const begin = p_;
        if (*p_ == '[' || *p_ == ']') return {*p_++ == '[' ? Token::Kind::open : Token::Kind::close, {begin, 1}, begin};
        if (*p_ == '"') {
            p_ = std::find(begin + 1, input_.end(), '"');
            if (p_ == input_.end()) throw ParseFailure{begin, "a string that ends with a double quote", {}};
            ++p_;
            return {Token::Kind::string, {begin + 1, static_cast<std::size_t>(p_ - begin - 2)}, begin};
        }
        p_ = std::find_if(p_, input_.end(), [](char c) { return is_blank(c) || c == '[' || c == ']' || c == '"'; });
        return {Token::Kind::word, {begin, static_cast<std::size_t>(p_ - begin)}, begin};
    }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

    void skip_blanks()
    {
        for (; p_ != input_.end(); ++p_) {
            const bool starts_line = p_ == input_.begin() || p_[-1] == '\n';
            if (*p_ == '#' && starts_line)
                p_ = std::find(p_, input_.end(), '\n');
            else if (!is_blank(*p_))
                return;
            if (p_ == input_.end()) return;
        }
    }

    const NamedText& input_;
    const char* p_;
};

void append_utf8(std::string& text, std::uint32_t code)
{
    constexpr std::uint32_t six_bits = 0x3F;
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> first{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(first.at(static_cast<std::size_t>(more)) | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & six_bits));
}

/// The character of an entity without & and ;, such as "amp" or "#248"; false if there is none.
bool append_entity(std::string& text, std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> named{
        {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
    for (const auto& [entity, c] : named)
        if (name == entity) {
            text += c;
            return true;
        }
    if (!name.starts_with('#')) return false;
    const bool hexadecimal = name.starts_with("#x");
    const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    constexpr std::uint32_t last = 0x10FFFF;
    if (error != std::errc{} || end != digits.data() + digits.size() || code == 0 || code > last) return false;
    append_utf8(text, code);
    return true;
}

/// A string with its entities replaced; others stay as they are.
std::string without_entities(std::string_view text)
{
    constexpr std::size_t most_bytes = 10;  // &#x10FFFF;
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view entity = text.substr(i, text[i] == '&' ? most_bytes : 0);
        const std::size_t end = entity.find(';');
        if (end != std::string_view::npos && append_entity(plain, entity.substr(1, end - 1)))
            i += end;
        else
            plain += text[i];
    }
    return plain;
}

class GmlReader
{
public:
    GmlReader(const NamedText& input, const ReadOptions& options)
        : input_(input),
          tokens_(input),
          expected_(expected_sizes(input)),
          graph_(input.name, options, expected_),
          weight_(options.columns.weight.empty() ? "weight" : options.columns.weight),
          chosen_(!options.columns.weight.empty() && options.columns.weight != "none")
    {
        nodes_.reserve(expected_.vertices);
        edges_.reserve(expected_.edges);
    }

    GraphShare read()
    {
        bool found = false;
        for (Token key = next_key(); key.kind != Token::Kind::end; key = next_key()) {
            const Token value = tokens_.next();
            if (key.text != "graph" || value.kind != Token::Kind::open) {
                skip(value);
                continue;
            }
            if (found) throw ParseFailure{key.where, "one graph", "another one"};
            found = true;
            read_graph();
        }
        if (!found) throw ParseFailure{input_.begin(), "`graph [`", {}};
        add_all();
        GraphShare share = graph_.finish(directed_);
        share.facts.notes.left_out = has_other_numbers_ && share.facts.weights == WeightKind::none && weight_ != "none";
        return share;
    }

private:
    /// A value of a node or an edge; empty views if it is missing.
    struct Values
    {
        const char* where = nullptr;
        std::array<std::optional<std::string>, 3> values{};
    };

    static ExpectedSizes expected_sizes(const NamedText& input)
    {
        const std::string_view text(input.begin(), static_cast<std::size_t>(input.end() - input.begin()));
        // A vertex also has a place in the table of ids, and its label is in memory of its own if it is long.
        constexpr std::size_t id_bytes = 64 + 32;
        ExpectedSizes sizes{count_words(text, "node"), count_words(text, "edge")};
        sizes.reader_bytes = sizes.vertices * (sizeof(Values) + id_bytes) + sizes.edges * sizeof(Values);
        return sizes;
    }

    /// The next key; the end if the text or the list ends.
    Token next_key()
    {
        const Token token = tokens_.next();
        if (token.kind == Token::Kind::close) throw ParseFailure{token.where, "a key", {}};
        if (token.kind == Token::Kind::string || token.kind == Token::Kind::open)
            throw ParseFailure{token.where, "a key", {}};
        return token;
    }

    /// Skips a value whose first token is `value`.
    void skip(Token value)
    {
        require_value(value);
        for (long depth = value.kind == Token::Kind::open ? 1 : 0; depth > 0;) {
            value = tokens_.next();
            if (value.kind == Token::Kind::end) throw ParseFailure{value.where, "']'", {}};
            depth += value.kind == Token::Kind::open ? 1 : value.kind == Token::Kind::close ? -1 : 0;
        }
    }

    static void require_value(const Token& value)
    {
        if (value.kind == Token::Kind::close || value.kind == Token::Kind::end)
            throw ParseFailure{value.where, "a value", {}};
    }

    /// Calls f(key, first token of its value) for each key of a list that has begun.
    template <typename F>
    void for_each_key(const F& f)
    {
        for (Token key = tokens_.next(); key.kind != Token::Kind::close; key = tokens_.next()) {
            if (key.kind != Token::Kind::word) throw ParseFailure{key.where, "a key or ']'", {}};
            const Token value = tokens_.next();
            require_value(value);
            f(key, value);
        }
    }

    void read_graph()
    {
        for_each_key([&](const Token& key, const Token& value) {
            const bool is_list = value.kind == Token::Kind::open;
            if (key.text == "directed" && !is_list) {
                if (value.text != "0" && value.text != "1") throw ParseFailure{value.where, "0 or 1", {}};
                directed_ = value.text == "1";
            } else if (key.text == "node" && is_list) {
                nodes_.push_back(read_values(key.where, {"id", "label", ""}));
                if (!nodes_.back().values[0]) throw ParseFailure{key.where, "a node with an id", {}};
            } else if (key.text == "edge" && is_list) {
                edges_.push_back(read_values(key.where, {"source", "target", weight_}));
                if (!edges_.back().values[0] || !edges_.back().values[1])
                    throw ParseFailure{key.where, "an edge with a source and a target", {}};
            } else {
                skip(value);
            }
        });
    }

    /// Whether a value of an edge is a number that could be a weight.
    static bool may_be_weight(const Token& key, const Token& value)
    {
        return value.kind == Token::Kind::word && key.text != "id" && key.text != "key" &&
               !begins_as_name(value.text) && (looks_whole(value.text) || looks_real(value.text));
    }

    Values read_values(const char* where, const std::array<std::string_view, 3>& keys)
    {
        Values values{where};
        for_each_key([&](const Token& key, const Token& value) {
            for (std::size_t i = 0; i < keys.size(); ++i) {
                if (keys[i] != key.text || keys[i].empty()) continue;
                if (value.kind == Token::Kind::open) throw ParseFailure{value.where, "a number or a string", {}};
                values.values[i] = without_entities(value.text);
                return;
            }
            has_other_numbers_ = has_other_numbers_ || (keys[0] == "source" && may_be_weight(key, value));
            skip(value);
        });
        return values;
    }

    /// The place of a token that follows the last one.
    TextPlace place_of(const char* where)
    {
        for (; counted_to_ < where; ++counted_to_) {
            ++place_.column;
            if (*counted_to_ == '\n') place_ = {place_.line + 1, 1};
        }
        return place_;
    }

    void add_all()
    {
        const bool labels = std::ranges::all_of(nodes_, [](const Values& node) { return node.values[1].has_value(); });
        std::unordered_map<std::string_view, std::string_view> name_of_id;
        counted_to_ = input_.begin();
        for (const Values& node : nodes_) {
            const std::string& name = *node.values[labels ? 1 : 0];
            const TextPlace place = place_of(node.where);
            if (!name_of_id.emplace(*node.values[0], name).second)
                fail_at(input_.name, place, "a vertex that was not there before",
                        "the id " + *node.values[0] + " again");
            graph_.add_vertex(name, place);
        }
        counted_to_ = input_.begin();
        place_ = {};
        for (const Values& edge : edges_) {
            const TextPlace place = place_of(edge.where);
            const auto name_at = [&](std::size_t end) {
                const auto found = name_of_id.find(*edge.values[end]);
                if (found == name_of_id.end())
                    fail_at(input_.name, place, "an edge between vertices of the file", "the id " + *edge.values[end]);
                return found->second;
            };
            graph_.add_edge(name_at(0), name_at(1), edge.values[2], place);
        }
        if (chosen_ && !edges_.empty() && !edges_.front().values[2])
            fail_at(input_.name, place_, "an attribute '" + weight_ + "' of edges, as --weight-column says", "none");
    }

    const NamedText& input_;
    Tokens tokens_;
    ExpectedSizes expected_;
    DeclaredGraph graph_;
    std::string weight_;  // the key of weights
    bool chosen_;         // whether the user has named it
    bool directed_ = false;
    bool has_other_numbers_ = false;  // whether edges have numbers that are not read
    std::vector<Values> nodes_;
    std::vector<Values> edges_;
    const char* counted_to_ = nullptr;
    TextPlace place_{};
};

}  // namespace

GraphShare read_gml(const NamedText& input, const ReadOptions& options)
{
    return GmlReader(input, options).read();
}

}  // namespace wayfront::io
