#include "graph/io/declared_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/io/tokens.hpp"

namespace wayfront::io {

namespace {

// The bytes of a vertex in a NameTable: the 16 bytes of its name, its end and its line, in lists that
// take three times as much while they grow, and up to six slots of a growing hash table.
constexpr std::size_t kNameBytes = 3 * (16 + sizeof(std::size_t) + sizeof(std::uint32_t)) + 6 * sizeof(std::uint64_t);

template <typename To, typename From>
HostBuffer<To> buffer_of(const std::vector<From>& from)
{
    HostBuffer<To> to(from.size());
    std::ranges::transform(from, to.begin(), [](From value) { return static_cast<To>(value); });
    return to;
}

}  // namespace

std::size_t count_words(std::string_view text, std::string_view word)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
        const std::string_view behind = text.substr(at + word.size(), 1);
        if (!behind.empty() && (behind[0] == '[' || static_cast<unsigned char>(behind[0]) <= ' ')) ++count;
    }
    return count;
}

DeclaredGraph::DeclaredGraph(std::string_view path, const ReadOptions& options, const ExpectedSizes& expected)
    : path_(path), options_(options)
{
    reserve(expected.edges, expected.vertices * kNameBytes + expected.reader_bytes);
}

void DeclaredGraph::reserve(std::size_t edges, std::size_t other_bytes)
{
    // A weight takes eight bytes. Its list grows to twice its size, while the old one is there.
    constexpr std::size_t weight_bytes = 3 * sizeof(std::int64_t);
    if (options_.before_memory)
        options_.before_memory(edges * (sizeof(PackedEdge) + weight_bytes) + edge_count_ * sizeof(PackedEdge) +
                               other_bytes);
    HostBuffer<PackedEdge> more(edges);
    std::copy_n(edges_.begin(), edge_count_, more.begin());
    edges_ = std::move(more);
}

std::size_t DeclaredGraph::place_of(std::string_view name, TextPlace place)
{
    if (name.empty()) fail_at(path_, place, "the name of a vertex", "none");
    const std::size_t at = names_.place_of(name);
    if (at == added_.size()) added_.push_back(false);
    return at;
}

void DeclaredGraph::add_vertex(std::string_view name, TextPlace place)
{
    const std::size_t at = place_of(name, place);
    if (added_[at]) fail_at(path_, place, "a vertex that was not there before", in_quotes(name) + " once more");
    added_[at] = true;
    only_named_.erase(at);
}

void DeclaredGraph::add_edge(std::string_view source, std::string_view target, std::optional<std::string_view> weight,
                             TextPlace place)
{
    const std::size_t weights = real_ ? singles_.size() + doubles_.size() : whole_.size();
    if (weight.has_value() != (weights == edge_count_) && edge_count_ > 0)
        fail_at(path_, place, weight ? "an edge without a weight, as the first one has none" : "an edge with a weight",
                weight ? in_quotes(*weight) : "none, which the first edge has");
    Vertex ends[2] = {0, 0};
    for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t at = place_of(end == 0 ? source : target, place);
        if (!added_[at]) only_named_.emplace(at, place);
        ends[end] = static_cast<Vertex>(at);
    }
    constexpr std::size_t least_edges = 1024;
    if (edge_count_ == edges_.size()) reserve(std::max(least_edges, 2 * edge_count_), 0);
    edges_[edge_count_++] = PackedEdge::pack(ends[0], ends[1]);
    if (weight) add_weight(*weight, place);
}

void DeclaredGraph::make_real()
{
    real_ = true;
    for (const std::int64_t weight : whole_) {
        const std::string text = std::to_string(weight);
        if (options_.double_precision) {
            doubles_.push_back(static_cast<double>(weight));
            notes_.lost_digits = notes_.lost_digits || loses_digits<double>(text);
        } else {
            singles_.push_back(static_cast<float>(weight));
            notes_.lost_digits = notes_.lost_digits || loses_digits<float>(text);
        }
    }
    whole_ = {};
}

void DeclaredGraph::add_weight(std::string_view text, TextPlace place)
{
    try {
        Line number(text.data(), text.data() + text.size());
        if (!real_ && looks_whole(text)) {
            whole_.push_back(number.long_weight());
            number.expect_end();
            return;
        }
        if (!real_) make_real();
        if (options_.double_precision) {
            doubles_.push_back(number.real_weight<double>());
            notes_.lost_digits = notes_.lost_digits || loses_digits<double>(text);
        } else {
            singles_.push_back(number.real_weight<float>());
            notes_.lost_digits = notes_.lost_digits || loses_digits<float>(text);
        }
        number.expect_end();
    } catch (const ParseFailure& failure) {
        fail_at(path_, place, failure.expected + " as a weight", in_quotes(text));
    }
}

Weights DeclaredGraph::weights() const
{
    if (real_ && options_.double_precision) return buffer_of<double>(doubles_);
    if (real_) return buffer_of<float>(singles_);
    if (whole_.empty()) return {};
    const bool narrow = std::ranges::all_of(whole_, [](std::int64_t w) { return std::in_range<std::int32_t>(w); });
    if (narrow) return buffer_of<std::int32_t>(whole_);
    return buffer_of<std::int64_t>(whole_);
}

GraphShare DeclaredGraph::finish(bool directed)
{
    if (!only_named_.empty()) {
        const auto first = std::ranges::min_element(
            only_named_, {}, [](const auto& one) { return std::pair(one.second.line, one.second.column); });
        fail_at(path_, first->second, "an edge between vertices of the file", in_quotes(names_[first->first]));
    }
    GraphShare share;
    edges_.truncate(edge_count_);
    share.list.edges = std::move(edges_);
    share.list.directed = directed;
    share.list.weights = weights();
    share.names = BlockNames(1);
    share.names.set(0, std::move(names_));
    share.facts.named = true;
    share.facts.seen_edges = static_cast<EdgeCount>(edge_count_);
    share.facts.weights = weight_kind(share.list.weights);
    share.facts.notes = notes_;
    return share;
}

}  // namespace wayfront::io
