#include <algorithm>
#include <vector>

#include "gpu/apsp/elimination_search.cuh"
#include "gpu/apsp/elimination_search.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace {

using algo::Elimination;
using algo::EliminationArc;

constexpr std::size_t kWarpsOfBlock = kEliminationThreads / 32;
constexpr std::size_t kMostWarps = kMultiprocessors * kEliminationBlocks * kWarpsOfBlock;
/// Of distances to ancestors, for the warps of a launch.
constexpr std::size_t kMostPathBytes = std::size_t{1} << 30;

struct Shape
{
    std::uint32_t chunk, chunks;
    std::size_t warps;  // of a launch at most
};

/// Chunks are so long that beginning them takes a small part of the time.
Shape shape_of(const Elimination& tree, std::size_t most_sources)
{
    constexpr std::uint32_t least_chunk = 1024;
    constexpr std::uint32_t heights = 16;
    Shape shape{};
    shape.chunk = std::max(least_chunk, heights * tree.height);
    shape.chunks = (tree.size() + shape.chunk - 1) / shape.chunk;
    const std::size_t tasks = (most_sources + 31) / 32 * std::max<std::size_t>(shape.chunks, 1);
    const std::size_t path_bytes = std::max<std::size_t>(1, tree.height) * 32 * sizeof(std::uint32_t);
    shape.warps = std::min({kMostWarps, tasks, std::max<std::size_t>(1, kMostPathBytes / path_bytes)});
    shape.warps = (shape.warps + kWarpsOfBlock - 1) / kWarpsOfBlock * kWarpsOfBlock;
    return shape;
}

std::size_t ways_of(const Elimination& tree, std::size_t most_sources)
{
    return (most_sources + 31) / 32 * 32 * tree.height;
}

}  // namespace

struct EliminationSearch::State
{
    State(const Elimination& tree, std::size_t most_sources) : shape(shape_of(tree, most_sources))
    {
        const Stream stream;
        std::vector<EliminationStep> host_steps;
        host_steps.reserve(tree.size() + std::size_t{1});
        for (std::uint32_t p = 0; p < tree.size(); ++p)
            host_steps.push_back({tree.down_begins[p], tree.depths[p], tree.ends[p] - p, tree.vertices[p]});
        host_steps.push_back({tree.down_begins.back(), 0, 0, 0});
        std::vector<std::uint32_t> host_ancestors;
        std::vector<std::uint32_t> host_begins;
        for (std::uint32_t chunk = 0; chunk <= shape.chunks; ++chunk) {
            host_begins.push_back(static_cast<std::uint32_t>(host_ancestors.size()));
            if (chunk == shape.chunks) break;
            for (std::uint32_t p = tree.parents[chunk * shape.chunk]; p != Elimination::kNoPosition; p = tree.parents[p]) host_ancestors.push_back(p);
            std::ranges::reverse(host_ancestors.begin() + host_begins.back(), host_ancestors.end());
        }
        const auto upload_all = [&]<typename T>(const std::vector<T>& values) { return upload(std::span<const T>(values), stream); };
        steps = upload_all(host_steps);
        down = upload_all(tree.down);
        up = upload_all(tree.up);
        up_begins = upload_all(tree.up_begins);
        parents = upload_all(tree.parents);
        position_of_vertex = upload_all(tree.positions);
        ancestors = upload_all(host_ancestors);
        ancestor_begins = upload_all(host_begins);
        ways = DeviceBuffer<std::uint32_t>(ways_of(tree, most_sources));
        paths = DeviceBuffer<std::uint32_t>(shape.warps * tree.height * 32);
        stream.synchronize();
        view = {.positions = tree.size(),
                .height = tree.height,
                .chunk = shape.chunk,
                .chunks = shape.chunks,
                .steps = steps.data(),
                .down = down.data(),
                .up_begins = up_begins.data(),
                .up = up.data(),
                .parents = parents.data(),
                .position_of_vertex = position_of_vertex.data(),
                .ancestors = ancestors.data(),
                .ancestor_begins = ancestor_begins.data(),
                .ways = ways.data(),
                .paths = paths.data()};
    }

    /// Launches a kernel over all chunks after that which finds the ways up.
    template <typename... Parameters, typename... Arguments>
    void run(void (*kernel)(EliminationView, Parameters...), const std::uint32_t* sources, std::size_t count, const Stream& stream,
             Arguments... arguments)
    {
        view.sources = sources;
        view.count = static_cast<std::uint32_t>(count);
        if (count == 0 || view.positions == 0) return;
        launch(find_ways_up, count * 32, stream, view);
        const std::size_t tasks = (count + 31) / 32 * shape.chunks;
        const auto blocks = static_cast<unsigned>((std::min(tasks, shape.warps) + kWarpsOfBlock - 1) / kWarpsOfBlock);
        kernel<<<blocks, kEliminationThreads, 0, stream.get()>>>(view, arguments...);
        check_launch();
    }

    [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(position_of_vertex.size()); }

    Shape shape;
    DeviceBuffer<EliminationStep> steps;
    DeviceBuffer<EliminationArc> down, up;
    DeviceBuffer<std::uint32_t> up_begins, parents, position_of_vertex, ancestors, ancestor_begins, ways, paths;
    DeviceBuffer<EliminationFacts> facts;
    PinnedBuffer<EliminationFacts> host_facts;
    DeviceBuffer<unsigned long long> bins{kBins};
    PinnedBuffer<unsigned long long> host_bins{kBins};
    EliminationView view;
};

EliminationSearch::EliminationSearch(const algo::Elimination& tree, std::size_t most_sources) : state_(std::make_unique<State>(tree, most_sources)) {}

EliminationSearch::~EliminationSearch() = default;

EliminationSearch::Found EliminationSearch::count(const std::uint32_t* sources, std::size_t count, int exponent, const Stream& stream)
{
    State& state = *state_;
    if (state.facts.size() < count) {
        state.facts = DeviceBuffer<EliminationFacts>(count);
        state.host_facts = PinnedBuffer<EliminationFacts>(count);
    }
    const std::span<EliminationFacts> facts = state.host_facts.span().first(count);
    for (;;) {
        fill_bytes_async(state.facts.span(), 0, stream);
        fill_bytes_async(state.bins.span(), 0, stream);
        state.run(count_distances, sources, count, stream, exponent, state.facts.data(), state.bins.data());
        copy_async(std::span<const EliminationFacts>(state.facts.span().first(count)), facts, stream);
        copy_async(std::span<const unsigned long long>(state.bins.span()), state.host_bins.span(), stream);
        stream.synchronize();
        std::uint32_t most = 0;
        for (const EliminationFacts& each : facts) most = std::max(most, each.most);
        if (most >> exponent < kBins) break;
        while (most >> exponent >= kBins) ++exponent;
    }
    return {facts, state.host_bins.span(), exponent};
}

void EliminationSearch::search(const std::uint32_t* sources, std::size_t count, algo::DistanceType type, std::byte* rows, std::size_t stride,
                               const Stream& stream)
{
    const auto write = [&]<typename Out>(Out) {
        auto* const out = reinterpret_cast<Out*>(rows);
        state_->run(write_distances<Out>, sources, count, stream, out, std::uint64_t{stride});
        if (state_->view.positions < state_->vertices())
            launch(write_isolated<Out>, std::uint64_t{state_->vertices()} * count, stream, state_->view, state_->vertices(), out,
                   std::uint64_t{stride});
    };
    if (type == algo::DistanceType::uint16)
        write(std::uint16_t{});
    else
        write(std::int32_t{});
}

std::size_t EliminationSearch::vertices() const
{
    return state_->vertices();
}

std::size_t EliminationSearch::bytes() const
{
    const State& s = *state_;
    return s.steps.bytes() + s.down.bytes() + s.up.bytes() + s.up_begins.bytes() + s.parents.bytes() + s.position_of_vertex.bytes() +
           s.ancestors.bytes() + s.ancestor_begins.bytes() + s.ways.bytes() + s.paths.bytes() + s.facts.bytes() + s.bins.bytes();
}

std::size_t EliminationSearch::most_bytes(const algo::Elimination& tree, std::size_t most_sources)
{
    const Shape shape = shape_of(tree, most_sources);
    const std::size_t words = tree.up_begins.size() + tree.parents.size() + tree.positions.size() + std::size_t{shape.chunks} * (tree.height + 1) +
                              1 + ways_of(tree, most_sources) + shape.warps * tree.height * 32;
    return (tree.size() + std::size_t{1}) * sizeof(EliminationStep) + (tree.up.size() + tree.down.size()) * sizeof(EliminationArc) +
           words * sizeof(std::uint32_t) + most_sources * sizeof(EliminationFacts) + kBins * sizeof(unsigned long long);
}

}  // namespace wayfront::gpu
