#include "gpu/papers/dense/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <sstream>
#include <type_traits>
#include <variant>
#include <vector>

#include "algo/sssp/negative_cycle.hpp"
#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "gpu/papers/dense/kernel.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr unsigned kStreams = 4;
constexpr std::uint32_t kUploads = 16;  // largest number of parts in which the matrix is uploaded
// Number of passes in the first launch. Each further launch has twice as many.
constexpr std::uint32_t kFirstPasses = 64;

std::size_t padded(std::size_t n)
{
    return (n + kCompactedAtOnce - 1) / kCompactedAtOnce * kCompactedAtOnce;
}

struct DensePlan : MemoryPlan
{
    DensePlan(std::size_t n, std::size_t words)
        : matrix(array<std::uint32_t>("matrix", words)),
          distances{array<std::uint32_t>("distances", n), array<std::uint32_t>("distances", n)},
          changed{array<std::uint8_t>("changed vertices", padded(n)),
                  array<std::uint8_t>("changed vertices", padded(n))},
          predecessors(array<std::int32_t>("predecessors", n)),
          summary(array<DenseSummary>("summary", 1)),
          barrier(array<GridBarrierState<DenseCounts>>("barrier", 1)),
          inbox(array<BarrierMessage<DenseCounts>>("inbox of the barrier", kInboxMessages))
    {
    }

    PlannedArray<std::uint32_t> matrix;
    std::array<PlannedArray<std::uint32_t>, 2> distances;
    std::array<PlannedArray<std::uint8_t>, 2> changed;
    PlannedArray<std::int32_t> predecessors;
    PlannedArray<DenseSummary> summary;
    PlannedArray<GridBarrierState<DenseCounts>> barrier;
    PlannedArray<BarrierMessage<DenseCounts>> inbox;
};

DenseType dense_type(WeightType type)
{
    return type == WeightType::float32 ? DenseType::float32 : DenseType::int32;
}

std::uint32_t infinite_word(DenseType type)
{
    return type == DenseType::float32 ? std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity())
                                      : static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
}

/// Converts a weight to a word of the matrix. Returns false if the weight cannot be represented.
template <typename W>
bool word_of(W weight, std::uint32_t& word)
{
    if constexpr (std::is_same_v<W, float>) {
        word = std::bit_cast<std::uint32_t>(weight);
        return true;
    } else if constexpr (std::is_integral_v<W>) {
        const auto whole = static_cast<std::int64_t>(weight);
        word = static_cast<std::uint32_t>(whole);
        return whole >= std::numeric_limits<std::int32_t>::min() && whole < std::numeric_limits<std::int32_t>::max();
    } else {
        return false;
    }
}

/// Writes the rows of the matrix with all threads of the rank.
void fill_matrix(const DistributedGraph& graph, const DenseTiles& tiles, std::span<std::uint32_t> matrix)
{
    const std::uint32_t infinite = infinite_word(dense_type(weight_type(graph.block.out_weights())));
    const CsrView lists = graph.block.out_edges().view();
    bool fits = true;
    std::visit(
        [&](const auto& weights) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
#pragma omp parallel for schedule(static) reduction(&& : fits)
                for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = infinite;
#pragma omp parallel for schedule(dynamic, 64) reduction(&& : fits)
                for (std::uint32_t list = 0; list < lists.lists; ++list) {
                    if (lists.degree(list) == 0) continue;
                    const auto row = static_cast<std::uint32_t>(graph.vertex_of_column[list]);
                    for (std::uint64_t i = lists.begin(list); i < lists.end(list); ++i) {
                        std::uint32_t word = 0;
                        fits = word_of(weights[i], word) && fits;
                        matrix[tiles.place(
                            row, static_cast<std::uint32_t>(graph.vertex_of_column[lists.neighbours[i]]))] = word;
                    }
                }
            }
        },
        graph.block.out_weights());
    if (!fits) throw InputError("--algorithm fixed-order: a weight does not fit the matrix of signed 32-bit numbers");
}

}  // namespace

struct DenseSssp::State
{
    State(const DistributedGraph& searched, const DenseTuning& parts)
        : graph(searched),
          tuning(parts),
          type(dense_type(weight_type(searched.block.out_weights()))),
          n(searched.local_count()),
          blocks(dense_blocks(type, 0)),
          tiles(divide(true)),
          plan(n, tiles.words()),
          memory(plan),
          matrix(tiles.words()),
          streams(kStreams)
    {
        fill_matrix(graph, tiles, matrix.span());
        view.tiles = tiles;
        view.matrix = memory[plan.matrix].data();
        for (std::size_t i = 0; i < 2; ++i) {
            view.distances[i] = memory[plan.distances[i]].data();
            view.changed[i] = memory[plan.changed[i]].data();
            fill_bytes_async(memory[plan.changed[i]], 0, stream);
        }
        view.predecessors = memory[plan.predecessors].data();
        view.summary = memory[plan.summary].data();
        view.barrier.state = memory[plan.barrier].data();
        view.barrier.inboxes[0] = memory[plan.inbox].data();
        fill_bytes_async(memory[plan.inbox], 0, stream);
        const auto first = GridBarrierState<DenseCounts>::first(blocks);
        copy_async(std::span(&first, 1), memory[plan.barrier], stream);
        stream.synchronize();
        set_tuning(tuning);
    }

    [[nodiscard]] DenseTiles divide(bool keep) const
    {
        constexpr std::size_t fixed = 1024;  // shared memory of the kernel's static variables, in bytes
        if (n > std::uint64_t{blocks} * kMostColumns)
            throw ResourceError("--algorithm fixed-order: the graph has too many vertices for a dense matrix");
        return divide_columns(n, blocks, shared_memory_per_block() - fixed, keep);
    }

    void set_tuning(const DenseTuning& parts)
    {
        tuning = parts;
        tiles = divide(tuning.tile_in_shared_memory);
        view.tiles = tiles;  // the width of the tiles does not change
        view.fixed_order = tuning.fixed_order;
        (void)dense_blocks(type, tiles.layout().bytes);  // configures the kernel's shared memory
    }

    /// Uploads the matrix in parts of whole tiles, and relaxes the source's edges to the columns of
    /// each part as soon as the part has been uploaded.
    void upload(std::uint32_t source)
    {
        const std::uint32_t parts = tuning.overlap ? std::min(kUploads, tiles.tiles) : 1;
        for (std::uint32_t part = 0; part < parts; ++part) {
            const Stream& own = streams[part % kStreams];
            const auto first = static_cast<std::uint32_t>(std::uint64_t{tiles.tiles} * part / parts);
            const auto end = static_cast<std::uint32_t>(std::uint64_t{tiles.tiles} * (part + 1) / parts);
            const std::size_t offset = first * tiles.tile_words();
            const std::size_t words = (end - first) * tiles.tile_words();
            copy_async(std::span<const std::uint32_t>(matrix.span()).subspan(offset, words),
                       memory[plan.matrix].subspan(offset, words), own);
            launch_first_pass(view, type, source, {.first = first, .count = end - first}, own);
        }
        for (const Stream& own : streams) own.synchronize();
    }

    void run(std::uint32_t source)
    {
        negative_cycle = false;
        fill_bytes_async(memory[plan.summary], 0, stream);
        stream.synchronize();
        if (!std::exchange(uploaded, true))
            upload(source);
        else
            launch_first_pass(view, type, source, {.first = 0, .count = tiles.tiles}, stream);
        std::uint32_t pass = 2;
        for (std::uint32_t most = kFirstPasses;; most = std::min(2 * most, std::uint32_t{1} << 20)) {
            launch_dense_passes(view, type, {.first = pass, .most = most}, blocks, stream);
            pass += most;
            summary = fetch(view.summary, stream);
            if (summary.changed == 0 || summary.overflow != 0) break;
            if (has_cycle()) {
                negative_cycle = true;
                break;
            }
        }
    }

    /// Whether the predecessors form a cycle, which then has a negative length. They do if
    /// distances still change in pass n.
    [[nodiscard]] bool has_cycle()
    {
        std::vector<std::int32_t> found(n);
        copy_async(std::span<const std::int32_t>(memory[plan.predecessors]), std::span(found), stream);
        stream.synchronize();
        const std::vector<Vertex> parents(found.begin(), found.end());
        return !algo::find_parent_cycle(comm::Communicator::self(), graph.partition, parents).empty();
    }

    const DistributedGraph& graph;
    DenseTuning tuning;
    Stream stream;
    DenseType type;
    std::uint32_t n;
    unsigned blocks;
    DenseTiles tiles;
    DensePlan plan;
    DeviceArrays memory;
    PinnedBuffer<std::uint32_t> matrix;
    std::vector<Stream> streams;
    DenseView view;
    DenseSummary summary{};
    bool uploaded = false;
    bool negative_cycle = false;
};

DenseSssp::DenseSssp(const DistributedGraph& graph, const DenseTuning& tuning)
    : state_(std::make_unique<State>(graph, tuning))
{
}

DenseSssp::~DenseSssp() = default;

void DenseSssp::run(Vertex source)
{
    state_->run(static_cast<std::uint32_t>(source));
}

void DenseSssp::forget_upload()
{
    state_->uploaded = false;
}

void DenseSssp::set_tuning(const DenseTuning& tuning)
{
    state_->set_tuning(tuning);
}

DenseFacts DenseSssp::facts() const
{
    return {.passes = state_->summary.passes + 1,
            .rows = state_->summary.rows + 1,
            .negative_cycle = state_->negative_cycle};
}

bool DenseSssp::overflowed() const
{
    return state_->summary.overflow != 0;
}

void DenseSssp::copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> predecessors) const
{
    State& state = *state_;
    // The last pass has the number `passes` and has written all distances.
    const std::size_t last = (state.summary.passes + 1) % 2;
    copy_async(std::span<const std::uint32_t>(state.memory[state.plan.distances[last]]), distances, state.stream);
    copy_async(std::span<const std::int32_t>(state.memory[state.plan.predecessors]), predecessors, state.stream);
    state.stream.synchronize();
}

std::string DenseSssp::description() const
{
    const DenseTiles& tiles = state_->tiles;
    std::ostringstream text;
    text << "fixed-order Bellman-Ford on the GPU, a dense matrix in tiles of " << tiles.columns << " columns"
         << (tiles.in_shared_memory ? " in shared memory" : "");
    return text.str();
}

std::size_t DenseSssp::graph_bytes() const
{
    return state_->plan.matrix.bytes();
}

std::size_t DenseSssp::state_bytes() const
{
    return state_->memory.bytes() - graph_bytes();
}

std::size_t DenseSssp::most_bytes(Vertex vertices)
{
    const auto n = static_cast<std::size_t>(vertices);
    // Tiles are padded to multiples of kColumnsOfLoad, at most 4 columns for each of some hundred
    // thread blocks.
    constexpr std::size_t padding = 2048;
    return DensePlan(n, n * (n + padding)).bytes() + kDeviceReserveBytes;
}

}  // namespace wayfront::gpu::sssp
