#include <algorithm>
#include <span>
#include <vector>

#include "algo/apsp/summary.hpp"
#include "gpu/apsp/elimination/elimination_search.cuh"
#include "gpu/apsp/elimination/elimination_search.hpp"
#include "gpu/apsp/elimination/elimination_search_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

using algo::Elimination;

constexpr std::size_t kWarpsOfBlock = kEliminationThreads / 32;
constexpr std::size_t kMostWarps = kMultiprocessors * kEliminationBlocks * kWarpsOfBlock;
/// Size of the memory of distances to ancestors, for all warps of a launch, in bytes.
constexpr std::size_t kMostPathBytes = std::size_t{1} << 30;

/// The shape of a search. Chunks are so long that their beginnings take a small part of the time.
EliminationShape shape_of(const Elimination& tree, std::size_t most_sources)
{
    constexpr std::uint32_t least_chunk = 1024;
    constexpr std::uint32_t heights = 16;
    EliminationShape shape;
    shape.chunk = std::max(least_chunk, heights * tree.height);
    shape.chunks = (tree.size() + shape.chunk - 1) / shape.chunk;
    const std::size_t tasks = (most_sources + 31) / 32 * std::max<std::size_t>(shape.chunks, 1);
    const std::size_t path_bytes = std::max<std::size_t>(1, tree.height) * 32 * sizeof(std::uint32_t);
    shape.warps = std::min({kMostWarps, tasks, std::max<std::size_t>(1, kMostPathBytes / path_bytes)});
    shape.warps = (shape.warps + kWarpsOfBlock - 1) / kWarpsOfBlock * kWarpsOfBlock;
    return shape;
}

}  // namespace

struct EliminationSearch::State
{
    State(const Elimination& tree, std::size_t most_sources)
        : shape(shape_of(tree, most_sources)), facts(EliminationFactsPlan(most_sources).facts), host_facts(most_sources)
    {
        const Stream stream;
        std::vector<EliminationStep> host_steps;
        host_steps.reserve(tree.size() + std::size_t{1});
        for (std::uint32_t p = 0; p < tree.size(); ++p)
            host_steps.push_back(
                {tree.arcs_from_ancestors_begins[p], tree.depths[p], tree.ends[p] - p, tree.vertices[p]});
        host_steps.push_back({tree.arcs_from_ancestors_begins.back(), 0, 0, 0});
        std::vector<std::uint32_t> host_ancestors;
        std::vector<std::uint32_t> host_begins;
        for (std::uint32_t chunk = 0; chunk <= shape.chunks; ++chunk) {
            host_begins.push_back(static_cast<std::uint32_t>(host_ancestors.size()));
            if (chunk == shape.chunks) break;
            for (std::uint32_t p = tree.parents[chunk * shape.chunk]; p != Elimination::kNoPosition;
                 p = tree.parents[p])
                host_ancestors.push_back(p);
            std::ranges::reverse(host_ancestors.begin() + host_begins.back(), host_ancestors.end());
        }
        const EliminationPlan plan(tree, shape, host_ancestors.size(), most_sources);
        memory = DeviceArrays(plan);
        vertices = static_cast<std::uint32_t>(tree.positions.size());
        bins = memory[plan.bins];
        const auto copy = [&]<typename T>(const std::vector<T>& values, const PlannedArray<T>& array) {
            const std::span<T> to = memory[array];
            copy_async(std::span<const T>(values), to, stream);
            return to.data();
        };
        view = {.positions = tree.size(),
                .height = tree.height,
                .chunk = shape.chunk,
                .chunks = shape.chunks,
                .steps = copy(host_steps, plan.steps),
                .down = copy(tree.arcs_from_ancestors, plan.down),
                .up_begins = copy(tree.arcs_to_ancestors_begins, plan.up_begins),
                .up = copy(tree.arcs_to_ancestors, plan.up),
                .parents = copy(tree.parents, plan.parents),
                .position_of_vertex = copy(tree.positions, plan.position_of_vertex),
                .ancestors = copy(host_ancestors, plan.ancestors),
                .ancestor_begins = copy(host_begins, plan.ancestor_begins),
                .up_distances = memory[plan.up_distances].data(),
                .paths = memory[plan.paths].data()};
        stream.synchronize();
    }

    /// Launches the kernel that finds the ways up, and then a kernel over all chunks.
    template <typename... Parameters, typename... Arguments>
    void run(void (*kernel)(EliminationView, Parameters...), const std::uint32_t* sources, std::size_t count,
             const Stream& stream, Arguments... arguments)
    {
        view.sources = sources;
        view.count = static_cast<std::uint32_t>(count);
        if (count == 0 || view.positions == 0) return;
        launch(find_up_distances, count * 32, stream, view);
        const std::size_t tasks = (count + 31) / 32 * shape.chunks;
        const auto blocks = static_cast<unsigned>((std::min(tasks, shape.warps) + kWarpsOfBlock - 1) / kWarpsOfBlock);
        kernel<<<blocks, kEliminationThreads, 0, stream.get()>>>(view, arguments...);
        check_launch();
    }

    EliminationShape shape;
    DeviceArrays memory;
    std::uint32_t vertices = 0;
    DeviceBuffer<EliminationFacts> facts;
    PinnedBuffer<EliminationFacts> host_facts;
    std::span<unsigned long long> bins;
    PinnedBuffer<unsigned long long> host_bins{kBins};
    EliminationView view;
};

EliminationSearch::EliminationSearch(const algo::Elimination& tree, std::size_t most_sources)
    : state_(std::make_unique<State>(tree, most_sources))
{
}

EliminationSearch::~EliminationSearch() = default;

EliminationSearch::Found EliminationSearch::count(const std::uint32_t* sources, std::size_t count, int exponent,
                                                  std::uint32_t most, const Stream& stream)
{
    State& state = *state_;
    const std::span<EliminationFacts> facts = state.host_facts.span().first(count);
    for (;;) {
        fill_bytes_async(state.facts.span().first(count), 0, stream);
        fill_bytes_async(state.bins, 0, stream);
        state.run(count_distances, sources, count, stream, exponent, state.facts.data(), state.bins.data());
        copy_async(std::span<const EliminationFacts>(state.facts.span().first(count)), facts, stream);
        copy_async(std::span<const unsigned long long>(state.bins), state.host_bins.span(), stream);
        stream.synchronize();
        for (const EliminationFacts& each : facts) most = std::max(most, each.most);
        const int widest = algo::DistanceHistogram::whole_exponent(most);
        if (most >> exponent < kBins && exponent <= widest) break;
        exponent = widest;
    }
    return {facts, state.host_bins.span(), exponent, most};
}

void EliminationSearch::search(const std::uint32_t* sources, std::size_t count, const TypedRows& rows,
                               const Stream& stream)
{
    const auto write = [&]<typename Out>(Out) {
        auto* const out = reinterpret_cast<Out*>(rows.begin);
        state_->run(write_distances<Out>, sources, count, stream, out, std::uint64_t{rows.stride});
        if (state_->view.positions < rows.length)
            launch(write_isolated<Out>, std::uint64_t{rows.length} * count, stream, state_->view, rows.length, out,
                   std::uint64_t{rows.stride});
    };
    if (rows.type == algo::DistanceType::uint16)
        write(std::uint16_t{});
    else
        write(std::int32_t{});
}

std::size_t EliminationSearch::vertices() const
{
    return state_->vertices;
}

std::size_t EliminationSearch::bytes() const
{
    return state_->memory.bytes() + state_->facts.bytes();
}

std::size_t EliminationSearch::most_bytes(const algo::Elimination& tree, std::size_t most_sources)
{
    return bytes_of(EliminationPlan::most(tree, shape_of(tree, most_sources), most_sources),
                    EliminationFactsPlan(most_sources));
}

}  // namespace wayfront::gpu::apsp
