#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "gpu/apsp/rows/device_rows_plan.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/apsp/rows/row_search.cuh"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kLeastThreads = 128;
constexpr std::uint32_t kMostWholeDistance = 0x7FFFFFFF;  // less than WholeDistances::kEnd
// Work of a window if distances are in device memory: number of vertices and arcs, weighted by
// kArcsLikeAVertex. On an H200, rmat:18 takes 1.45 times as long with a quarter of this work, and
// 1.06 times as long with twice this work.
constexpr double kWorkOfWindow = 24 * 1024;
constexpr double kArcsLikeAVertex = 16;
// Ratio between the least width of windows and the first width.
constexpr double kNarrowest = 64;

template <typename Distances, ArcForm form, DistancePlace distance_place, typename Out>
__global__ void __launch_bounds__(kMostThreads, 1)
    search_rows(ArcSectorsView graph, RowSearchShape shape, RowSearchJob job, Out* rows)
{
    extern __shared__ uint4 shared[];
    RowSearch<Distances, form, distance_place> search(graph, shape, job, reinterpret_cast<std::uint32_t*>(shared));
    for (std::uint32_t i = search.next(job); i < job.count; i = search.next(job)) {
        const std::uint32_t source = job.sources[i];
        const std::uint32_t place = graph.place_of_vertex[source];
        search.clear();
        if (place != kNoPlace) search.run(place);
        Out* const row = rows + (job.in_place ? source : i) * job.stride;
        for (std::uint32_t v = threadIdx.x; v < graph.vertices; v += blockDim.x) {
            const std::uint32_t own = graph.place_of_vertex[v];
            const std::uint32_t distance = own != kNoPlace ? search.distance(own) : v == source ? 0 : Distances::kFar;
            __stcs(row + v, element_of<Out, Distances>(distance));
        }
        if constexpr (distance_place == DistancePlace::device_memory) search.adapt(job);
    }
}

std::size_t shared_bytes(const RowSearchShape& shape, const ArcSectorsView& graph)
{
    return shape.shared_words(graph.block_lists) * sizeof(std::uint32_t);
}

/// Whether a block of the smallest size can search the graph.
bool fits(DistancePlace distances, const ArcSectorsView& graph, std::size_t most_shared_bytes)
{
    if (distances == DistancePlace::shared_memory && graph.places > RowSearchShape::kMostSharedPlaces) return false;
    return shared_bytes(RowSearchShape::of(distances, graph, kLeastThreads / 32), graph) <= most_shared_bytes;
}

/// The graph that needs the most shared memory, of all graphs with this number of vertices.
ArcSectorsView largest_graph(std::size_t vertices)
{
    ArcSectorsView graph;
    graph.places = graph.expanding = static_cast<std::uint32_t>(vertices);
    graph.block_lists = std::min(graph.places, kMostBlockLists);
    return graph;
}

DistancePlace place_of_distances(const ArcSectorsView& graph, std::size_t most_shared_bytes)
{
    return fits(DistancePlace::shared_memory, graph, most_shared_bytes) ? DistancePlace::shared_memory
                                                                        : DistancePlace::device_memory;
}

/// The number of words of the distances of all blocks of a launch that are in device memory.
std::size_t distance_words(const ArcSectorsView& graph, std::size_t most_shared_bytes)
{
    const RowSearchShape shape =
        RowSearchShape::of(place_of_distances(graph, most_shared_bytes), graph, kMostThreads / 32);
    return shape.distances == DistancePlace::shared_memory ? 0 : multiprocessors() * shape.distance_words();
}

std::size_t most_shared(const RowSearchOptions& options)
{
    return options.shared_bytes > 0 ? options.shared_bytes : shared_memory_per_block();
}

}  // namespace

std::string row_search_obstacle(const DistributedGraph& graph, double most_distance)
{
    const WeightType weights = weight_type(graph.block.out_weights());
    if (weights == WeightType::int64 || weights == WeightType::float64) return "the weights have 64 bits";
    if (weights != WeightType::float32 && most_distance > kMostWholeDistance) return "distances may not fit 31 bits";
    if (!fits(DistancePlace::device_memory, largest_graph(static_cast<std::size_t>(graph.connected_vertices)),
              shared_memory_per_block()))
        return "the bits of " + std::to_string(graph.connected_vertices) +
               " vertices do not fit the shared memory of a multiprocessor";
    return "";
}

struct DeviceRows::State
{
    State(const DistributedGraph& graph, const RowSearchOptions& row_options)
        : type(row_options.type),
          most_shared_bytes(most_shared(row_options)),
          whole(weight_type(graph.block.out_weights()) != WeightType::float32)
    {
        const Stream stream;
        const ArcSectors host = make_arc_sectors(graph);
        form = host.form;
        const DeviceRowsPlan plan(ArcSectorsSize::of(host), distance_words(host.view(), most_shared_bytes),
                                  row_options.launches_at_once);
        memory = DeviceArrays(plan);
        const auto copy = [&](const std::vector<std::uint32_t>& words, const PlannedArray<std::uint32_t>& array) {
            copy_async(std::span<const std::uint32_t>(words), memory[array], stream);
            return memory[array].data();
        };
        view = host.view();
        view.sectors = copy(host.sectors, plan.sectors);
        view.rest_begins = copy(host.rest_begins, plan.rest_begins);
        view.rest = copy(host.rest, plan.rest);
        view.place_of_vertex = copy(host.place_of_vertex, plan.place_of_vertex);
        begun = memory[plan.begun];
        distances = memory[plan.distances];
        stride = row_stride(view.vertices, type);
        const double window = row_options.width * host.mean_weight / std::max(1.0, host.mean_degree);
        const std::uint32_t first_width = bits_of_width(window);
        least_width = bits_of_width(window / kNarrowest);
        width = memory[plan.width];
        copy_async(std::span(&first_width, 1), width, stream);
        stream.synchronize();
        window_share = static_cast<float>(2 * kWorkOfWindow / (1 + host.mean_degree / kArcsLikeAVertex));
        choose_launch();
    }

    [[nodiscard]] std::uint32_t bits_of_width(double window) const
    {
        if (whole) return static_cast<std::uint32_t>(std::clamp(window, 1.0, double{WholeDistances::kMostWidth}));
        return std::bit_cast<std::uint32_t>(static_cast<float>(window));
    }

    template <typename F>
    void with_kernel(F&& f) const
    {
        const auto with_place = [&]<typename Distances, typename Out, ArcForm arcs>(
                                    Distances, Out, std::integral_constant<ArcForm, arcs>) {
            if (shape.distances == DistancePlace::shared_memory)
                f(search_rows<Distances, arcs, DistancePlace::shared_memory, Out>, Out{});
            else
                f(search_rows<Distances, arcs, DistancePlace::device_memory, Out>, Out{});
        };
        constexpr std::integral_constant<ArcForm, ArcForm::one_word> one_word;
        constexpr std::integral_constant<ArcForm, ArcForm::two_words> two_words;
        const auto with_form = [&](auto distances, auto element) {
            if (form == ArcForm::one_word)
                with_place(distances, element, one_word);
            else
                with_place(distances, element, two_words);
        };
        if (!whole)
            with_place(FloatDistances{}, float{}, two_words);
        else if (type == algo::DistanceType::uint16)
            with_form(WholeDistances{}, std::uint16_t{});
        else
            with_form(WholeDistances{}, std::int32_t{});
    }

    /// Chooses a launch with as many threads as possible: one block of 1024 threads per
    /// multiprocessor, or several smaller blocks if their distances fit together. If distances are
    /// in device memory, a multiprocessor has one block, so that the L2 cache contains a larger
    /// part of them.
    void choose_launch()
    {
        shape.distances = place_of_distances(view, most_shared_bytes);
        with_kernel([&](auto kernel, auto) {
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared_memory_per_block())));
            int most = 0;
            RowSearchShape chosen = shape;
            for (unsigned each = kMostThreads; each >= kLeastThreads; each /= 2) {
                const RowSearchShape tried = RowSearchShape::of(shape.distances, view, each / 32);
                const std::size_t bytes = shared_bytes(tried, view);
                if (bytes > shared_memory_per_block()) continue;
                int blocks = 0;
                check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(each), bytes));
                if (shape.distances == DistancePlace::device_memory) blocks = std::min(blocks, 1);
                // The launch with the largest number of threads is the fastest. Of two launches
                // with equally many threads, the one with more blocks is faster, since its threads
                // wait less for each other.
                if (blocks * static_cast<int>(each) < most) continue;
                most = blocks * static_cast<int>(each);
                chosen = tried;
                threads = each;
                all_blocks = static_cast<unsigned>(blocks) * static_cast<unsigned>(multiprocessors());
            }
            shape = chosen;
        });
    }

    void search(RowSearchJob job, std::size_t launch, std::byte* rows, const Stream& stream) const
    {
        if (job.count == 0) return;
        job.begun = begun.data() + launch;
        job.distances = distances.data() + launch * (distances.size() / begun.size());
        job.width = width.data();
        job.window_share = window_share;
        job.least_width = least_width;
        job.stride = stride;
        fill_bytes_async(begun.subspan(launch, 1), 0, stream);
        const unsigned blocks = std::min(all_blocks, job.count);
        with_kernel([&](auto kernel, auto element) {
            using Out = decltype(element);
            kernel<<<blocks, threads, shared_bytes(shape, view), stream.get()>>>(view, shape, job,
                                                                                 reinterpret_cast<Out*>(rows));
        });
        check_launch();
    }

    algo::DistanceType type;
    std::size_t most_shared_bytes;  // limit of the shared memory of a block
    bool whole;
    ArcForm form = ArcForm::two_words;
    DeviceArrays memory;
    // One entry or array for each launch that may run concurrently.
    std::span<std::uint32_t> begun, distances;
    ArcSectorsView view;
    std::size_t stride = 0;
    std::span<std::uint32_t> width;  // width of windows
    float window_share = 0;
    std::uint32_t least_width = 0;
    RowSearchShape shape;
    unsigned threads = kLeastThreads;
    unsigned all_blocks = 1;
};

DeviceRows::DeviceRows(const DistributedGraph& graph, const RowSearchOptions& options)
    : state_(std::make_unique<State>(graph, options))
{
}

DeviceRows::~DeviceRows() = default;

std::size_t DeviceRows::stride() const
{
    return state_->stride;
}

std::size_t DeviceRows::vertices() const
{
    return state_->view.vertices;
}

std::size_t DeviceRows::element_bytes() const
{
    return bytes_of(state_->type);
}

void DeviceRows::search(const std::uint32_t* sources, std::size_t count, std::byte* rows, const Stream& stream)
{
    state_->search({.sources = sources, .count = static_cast<std::uint32_t>(count)}, 0, rows, stream);
}

void DeviceRows::search_in_matrix(const std::uint32_t* sources, std::size_t count, std::byte* matrix,
                                  std::size_t launch, const Stream& stream)
{
    state_->search({.sources = sources, .count = static_cast<std::uint32_t>(count), .in_place = true}, launch, matrix,
                   stream);
}

std::size_t DeviceRows::searches_at_once() const
{
    return state_->all_blocks;
}

bool DeviceRows::has_distances_in_shared_memory() const
{
    return state_->shape.distances == DistancePlace::shared_memory;
}

std::size_t DeviceRows::bytes() const
{
    return state_->memory.bytes();
}

std::size_t DeviceRows::most_bytes(std::size_t vertices, std::size_t arcs, const RowSearchOptions& options)
{
    return DeviceRowsPlan(ArcSectorsSize::most(vertices, arcs),
                          distance_words(largest_graph(vertices), most_shared(options)), options.launches_at_once)
        .bytes();
}

bool DeviceRows::fit_shared_memory(std::size_t vertices)
{
    return place_of_distances(largest_graph(vertices), shared_memory_per_block()) == DistancePlace::shared_memory;
}

}  // namespace wayfront::gpu::apsp
