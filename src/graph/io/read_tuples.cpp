// Graph500 tuple files: an array of edges of 12 bytes (PackedEdge). If there are weights, a second
// file, NAME.weights, has a float for each edge. The graph is undirected. The file does not record
// the number of vertices, which is 1 + the largest vertex.
#include <algorithm>
#include <cmath>
#include <memory>

#include <sys/stat.h>

#include "base/error.hpp"
#include "graph/io/input_file.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

namespace {

constexpr std::size_t kBlockEdges = std::size_t{1} << 17;

bool exists(const std::string& path)
{
    struct stat status
    {
    };
    return ::stat(path.c_str(), &status) == 0;
}

BlockFacts copy_edges(TextRange range, PackedEdge* edges)
{
    BlockFacts facts;
    facts.edges = range.bytes() / sizeof(PackedEdge);
    std::memcpy(edges, range.begin, range.bytes());
    for (std::size_t i = 0; i < facts.edges; ++i)
        facts.largest = std::max({facts.largest, edges[i].source(), edges[i].target()});
    return facts;
}

}  // namespace

GraphShare read_tuples(std::string_view bytes, const std::string& path, const ReadOptions& options)
{
    if (bytes.size() % sizeof(PackedEdge) != 0)
        throw InputError(path + ": expected tuples of 12 bytes, found " + std::to_string(bytes.size()) +
                         " bytes, which is not a multiple of 12");
    const std::size_t edges = bytes.size() / sizeof(PackedEdge);
    const auto bound = [&](int p) {
        return static_cast<std::size_t>(static_cast<unsigned __int128>(edges) * static_cast<unsigned>(p) /
                                        static_cast<unsigned>(options.parts));
    };

    const std::string weights_path = path + ".weights";
    std::unique_ptr<InputFile> weights;
    if (exists(weights_path)) {
        weights = std::make_unique<InputFile>(weights_path);
        if (weights->bytes().size() != edges * sizeof(float))
            throw InputError(weights_path + ": expected " + std::to_string(edges * sizeof(float)) +
                             " bytes, a float for each of " + std::to_string(edges) + " edges, found " +
                             std::to_string(weights->bytes().size()));
    }

    std::vector<TextRange> blocks;
    std::vector<std::size_t> firsts;
    for (std::size_t edge = bound(options.part), past = bound(options.part + 1); edge < past; edge += kBlockEdges) {
        const std::size_t stop = std::min(edge + kBlockEdges, past);
        blocks.push_back({bytes.data() + edge * sizeof(PackedEdge), bytes.data() + stop * sizeof(PackedEdge)});
        firsts.push_back(edge);
    }

    GraphShare share;
    share.facts.weights = weights ? WeightKind::float32 : WeightKind::none;
    const auto count = [](TextRange range) { return range.bytes() / sizeof(PackedEdge); };
    if (!weights) {
        parse_blocks<NoWeight>(
            share, blocks, options, count,
            [](std::size_t /*block*/, TextRange range, Slots<NoWeight> out) { return copy_edges(range, out.edges); });
        return share;
    }
    try {
        parse_blocks<float>(share, blocks, options, count, [&](std::size_t b, TextRange range, Slots<float> out) {
            const BlockFacts facts = copy_edges(range, out.edges);
            std::memcpy(out.weights, weights->bytes().data() + firsts[b] * sizeof(float), facts.edges * sizeof(float));
            const float* const bad = std::find_if_not(out.weights, out.weights + facts.edges,
                                                      [](float weight) { return std::isfinite(weight); });
            if (bad != out.weights + facts.edges)
                throw InputError(weights_path + ": expected a finite weight for edge " +
                                 std::to_string(firsts[b] + static_cast<std::size_t>(bad - out.weights)) + ", found " +
                                 std::to_string(*bad));
            return facts;
        });
        weights->require_whole();
    } catch (...) {
        weights->require_whole();
        throw;
    }
    return share;
}

}  // namespace wayfront::io
