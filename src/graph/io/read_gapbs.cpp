// GAPBS serialized graphs: compressed sparse rows, little endian, no padding.
//
//     u8   directed                  0 or 1
//     i64  entries                   of the neighbour array (an undirected edge has two)
//     i64  vertices
//     i64  offsets[vertices + 1]
//     i32  neighbours[entries]       .wsg: i32 neighbour, i32 weight
//
// A directed graph has offsets and neighbours once more, of the graph with all edges reversed; they
// are skipped, and may be missing.
//
// A share has an equal part of the neighbour array. An undirected edge is taken from the entry of
// its smaller vertex, and compared with that of the larger one by a sum of hashes (mirror_hash).
#include <algorithm>

#include "base/error.hpp"
#include "graph/io/mirror.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

constexpr std::size_t kHeaderBytes = 17;
constexpr std::size_t kBlockEntries = std::size_t{1} << 18;

template <typename Number>
Number load(const char* p)
{
    Number number{};
    std::memcpy(&number, p, sizeof number);
    return number;
}

/// A serialized graph in the bytes of its file. The constructor checks the size of the file: the entries 0 to
/// entries() - 1 and the offsets of the vertices 0 to vertices() are within the file.
class SerializedGraph
{
public:
    SerializedGraph(std::string_view bytes, std::string path, bool weighted)
        : path_(std::move(path)), entry_bytes_(weighted ? 8 : 4)
    {
        if (bytes.size() < kHeaderBytes + sizeof(std::int64_t))
            fail("expected a GAPBS header of 17 bytes and offsets", std::to_string(bytes.size()) + " bytes");
        const auto flag = static_cast<unsigned char>(bytes[0]);
        if (flag > 1) fail("expected 0 or 1 in the first byte (directed or not)", std::to_string(flag));
        directed_ = flag == 1;
        entries_ = load<std::int64_t>(bytes.data() + 1);
        vertices_ = load<std::int64_t>(bytes.data() + 9);
        const auto size = static_cast<std::int64_t>(bytes.size());
        const std::string counts = "expected a file of the size that the header's " + std::to_string(vertices_) +
                                   " vertices and " + std::to_string(entries_) + " neighbours need";
        if (vertices_ < 0 || entries_ < 0 || vertices_ > size / 8 || entries_ > size / entry_bytes_)
            fail(counts, std::to_string(size) + " bytes");
        const std::int64_t once = (vertices_ + 1) * 8 + entries_ * entry_bytes_;
        const std::int64_t rest = size - static_cast<std::int64_t>(kHeaderBytes);
        if (rest != once && !(directed_ && rest == 2 * once)) fail(counts, std::to_string(size) + " bytes");
        offsets_ = bytes.data() + kHeaderBytes;
        neighbours_ = offsets_ + (vertices_ + 1) * 8;
        if (offset(0) != 0 || offset(vertices_) != entries_)
            fail("expected offsets from 0 to " + std::to_string(entries_),
                 std::to_string(offset(0)) + " to " + std::to_string(offset(vertices_)));
    }

    [[nodiscard]] bool directed() const { return directed_; }
    [[nodiscard]] std::int64_t entries() const { return entries_; }
    [[nodiscard]] Vertex vertices() const { return vertices_; }
    [[nodiscard]] std::int64_t offset(Vertex v) const { return load<std::int64_t>(offsets_ + v * 8); }
    [[nodiscard]] TextRange entry_range(std::int64_t first, std::int64_t past) const
    {
        return {neighbours_ + first * entry_bytes_, neighbours_ + past * entry_bytes_};
    }
    [[nodiscard]] std::int64_t entry_at(const char* p) const { return (p - neighbours_) / entry_bytes_; }

    void check_offsets(Vertex first, Vertex past) const
    {
        for (Vertex v = first; v < past; ++v)
            if (offset(v) > offset(v + 1))
                fail("expected offsets that do not decrease", std::to_string(offset(v)) + " before " +
                                                                  std::to_string(offset(v + 1)) + " at vertex " +
                                                                  std::to_string(v));
    }

    /// The vertex whose list contains entry number `entry`.
    [[nodiscard]] Vertex source_of(std::int64_t entry) const
    {
        Vertex low = 0;
        Vertex high = vertices_;
        while (high - low > 1) {
            const Vertex middle = low + (high - low) / 2;
            (offset(middle) <= entry ? low : high) = middle;
        }
        return low;
    }

    /// Calls visit(vertex, neighbour, weight, entry) for the entries in the range.
    template <bool kWeighted, typename Visit>
    void for_each_entry(TextRange range, const Visit& visit) const
    {
        std::int64_t entry = entry_at(range.begin);
        Vertex source = source_of(entry);
        for (const char* p = range.begin; p != range.end; p += entry_bytes_, ++entry) {
            while (source + 1 < vertices_ && entry >= offset(source + 1)) ++source;
            const Vertex target = load<std::int32_t>(p);
            if (target < 0 || target >= vertices_)
                fail("expected a vertex from 0 to " + std::to_string(vertices_ - 1) + " as neighbour " +
                         std::to_string(entry),
                     std::to_string(target));
            std::int32_t weight = 0;
            if constexpr (kWeighted) weight = load<std::int32_t>(p + 4);
            visit(source, target, weight, entry);
        }
    }

    template <typename Weight>
    BlockFacts parse(TextRange range, Slots<Weight> out) const
    {
        constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
        BlockFacts facts;
        for_each_entry<kWeighted>(range,
                                  [&](Vertex source, Vertex target, std::int32_t weight, std::int64_t /*entry*/) {
                                      if (directed_ || source <= target) {
                                          out.edges[facts.edges] = PackedEdge::pack(source, target);
                                          if constexpr (kWeighted) out.weights[facts.edges] = weight;
                                          ++facts.edges;
                                      }
                                      if (directed_) return;
                                      if (source < target) facts.mirror_balance += mirror_hash(source, target, weight);
                                      if (source > target) facts.mirror_balance -= mirror_hash(target, source, weight);
                                  });
        return facts;
    }

    [[noreturn]] void fail(const std::string& expected, const std::string& found) const
    {
        throw InputError(path_ + ": " + expected + ", found " + found);
    }

private:
    std::string path_;
    std::int64_t entry_bytes_;
    bool directed_ = false;
    std::int64_t entries_ = 0;
    Vertex vertices_ = 0;
    const char* offsets_ = nullptr;
    const char* neighbours_ = nullptr;
};

template <typename Weight>
void parse_share(GraphShare& share, const SerializedGraph& graph, std::span<const TextRange> blocks,
                 std::size_t entry_bytes, const ReadOptions& options)
{
    parse_blocks<Weight>(
        share, blocks, options, [&](TextRange range) { return range.bytes() / entry_bytes; },
        [&](std::size_t /*block*/, TextRange range, Slots<Weight> out) { return graph.parse(range, out); });
}

}  // namespace

GraphShare read_gapbs(std::string_view bytes, const std::string& path, bool weighted, const ReadOptions& options)
{
    const SerializedGraph graph(bytes, path, weighted);
    const auto bound = [&](std::int64_t total, int p) {
        return static_cast<std::int64_t>(static_cast<__int128>(total) * p / options.parts);
    };

    const Vertex first_vertex = bound(graph.vertices(), options.part);
    const Vertex past_vertex = bound(graph.vertices(), options.part + 1);
    const auto slices = static_cast<std::size_t>(past_vertex - first_vertex) / kBlockEntries + 1;
    for_each_block(slices, options.threads, [&](std::size_t s) {
        const auto first = first_vertex + static_cast<Vertex>(s * kBlockEntries);
        graph.check_offsets(first, std::min(first + static_cast<Vertex>(kBlockEntries), past_vertex));
    });

    std::vector<TextRange> blocks;
    const std::int64_t past_entry = bound(graph.entries(), options.part + 1);
    for (std::int64_t entry = bound(graph.entries(), options.part); entry < past_entry;
         entry += static_cast<std::int64_t>(kBlockEntries))
        blocks.push_back(
            graph.entry_range(entry, std::min(entry + static_cast<std::int64_t>(kBlockEntries), past_entry)));

    GraphShare share;
    share.list.directed = graph.directed();
    share.facts.vertex_count_known = true;
    share.facts.vertex_count = graph.vertices();
    share.facts.weights = weighted ? WeightKind::int32 : WeightKind::none;
    if (weighted) {
        parse_share<std::int32_t>(share, graph, blocks, 8, options);
    } else {
        parse_share<NoWeight>(share, graph, blocks, 4, options);
    }
    return share;
}

void throw_if_edge_without_mirror_in_gapbs(std::string_view bytes, const std::string& path, bool weighted)
{
    const SerializedGraph graph(bytes, path, weighted);
    std::vector<HalfEdge> halves;
    const auto collect = [&](Vertex source, Vertex target, std::int32_t weight, std::int64_t entry) {
        halves.push_back({source, target, weight, static_cast<std::size_t>(entry)});
    };
    const TextRange all = graph.entry_range(0, graph.entries());
    weighted ? graph.for_each_entry<true>(all, collect) : graph.for_each_entry<false>(all, collect);
    if (const auto half = first_without_mirror(std::move(halves)))
        graph.fail("expected vertex " + std::to_string(half->source) + " among the neighbours of vertex " +
                       std::to_string(half->target) + (weighted ? ", with the same weight," : "") + " as neighbour " +
                       std::to_string(half->place) + " is this edge from its other end",
                   "none");
}

}  // namespace wayfront::io
