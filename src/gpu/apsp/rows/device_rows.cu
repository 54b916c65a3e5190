#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
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
constexpr std::uint32_t kMostWholeDistance = 0xFFFFFFFE;

template <typename Distances, ArcForm form, typename Out>
__global__ void __launch_bounds__(kMostThreads, 1) search_rows(ArcSectorsView graph, RowSearchShape shape, RowSearchJob job, Out* rows)
{
    extern __shared__ uint4 shared[];
    RowSearch<Distances, form> search(graph, shape, job.width, reinterpret_cast<std::uint32_t*>(shared));
    for (std::uint32_t i = search.next(job.taken); i < job.count; i = search.next(job.taken)) {
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
    }
}

/// The number of vertices with edges that fit the shared memory of a block.
bool fits(std::uint32_t places, std::uint32_t warps, std::size_t shared_bytes)
{
    return places <= 0xFFFF && RowSearchShape::of(places, places, warps).shared_words() * sizeof(std::uint32_t) <= shared_bytes;
}

}  // namespace

std::string row_search_obstacle(const DistributedGraph& graph, double most_distance)
{
    const WeightType weights = weight_type(graph.block.out_weights());
    if (weights == WeightType::int64 || weights == WeightType::float64) return "the weights have 64 bits";
    if (weights != WeightType::float32 && most_distance > kMostWholeDistance) return "distances may not fit 32 bits";
    const auto places = static_cast<std::uint32_t>(graph.connected_vertices);
    if (!fits(places, kLeastThreads / 32, shared_memory_per_block()))
        return "the distances of " + std::to_string(graph.connected_vertices) + " vertices do not fit the shared memory of a multiprocessor";
    return "";
}

struct DeviceRows::State
{
    State(const DistributedGraph& graph, const RowSearchOptions& row_options)
        : type(row_options.type), whole(weight_type(graph.block.out_weights()) != WeightType::float32)
    {
        const Stream stream;
        const ArcSectors host = make_arc_sectors(graph);
        form = host.form;
        const DeviceRowsPlan plan(host);
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
        stream.synchronize();
        taken = memory[plan.taken].data();
        stride = row_stride(view.vertices, type);
        const double window = row_options.width * host.mean_weight / std::max(1.0, host.mean_degree);
        if (whole)
            width = static_cast<std::uint32_t>(std::clamp(window, 1.0, 1e9));
        else
            width = std::bit_cast<std::uint32_t>(static_cast<float>(window));
        choose_launch();
    }

    template <typename F>
    void with_kernel(F&& f) const
    {
        const auto with_form = [&]<typename Distances, typename Out>(Distances, Out) {
            if (form == ArcForm::one_word)
                f(search_rows<Distances, ArcForm::one_word, Out>, Out{});
            else
                f(search_rows<Distances, ArcForm::two_words, Out>, Out{});
        };
        if (!whole)
            f(search_rows<FloatDistances, ArcForm::two_words, float>, float{});
        else if (type == algo::DistanceType::uint16)
            with_form(WholeDistances{}, std::uint16_t{});
        else
            with_form(WholeDistances{}, std::int32_t{});
    }

    /// Chooses as many threads as possible: a block of 1024 threads, or several smaller blocks on a
    /// multiprocessor if their distances fit together.
    void choose_launch()
    {
        int device = 0;
        int multiprocessors = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
        with_kernel([&](auto kernel, auto) {
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_memory_per_block())));
            int most = 0;
            for (unsigned each = kMostThreads; each >= kLeastThreads; each /= 2) {
                const RowSearchShape tried = RowSearchShape::of(view.places, view.expanding, each / 32);
                const std::size_t bytes = tried.shared_words() * sizeof(std::uint32_t);
                if (bytes > shared_memory_per_block()) continue;
                int blocks = 0;
                check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(each), bytes));
                // More threads in all are better, and so are as many threads in more blocks, which
                // wait less for each other.
                if (blocks * static_cast<int>(each) < most) continue;
                most = blocks * static_cast<int>(each);
                shape = tried;
                threads = each;
                all_blocks = static_cast<unsigned>(blocks * multiprocessors);
            }
        });
    }

    void search(const RowSearchJob& job, std::byte* rows, const Stream& stream) const
    {
        if (job.count == 0) return;
        fill_bytes_async(std::span(job.taken, 1), 0, stream);
        const unsigned blocks = std::min(all_blocks, job.count);
        with_kernel([&](auto kernel, auto element) {
            using Out = decltype(element);
            kernel<<<blocks, threads, shape.shared_words() * sizeof(std::uint32_t), stream.get()>>>(view, shape, job, reinterpret_cast<Out*>(rows));
        });
        check_launch();
    }

    algo::DistanceType type;
    bool whole;
    ArcForm form = ArcForm::two_words;
    DeviceArrays memory;
    std::uint32_t* taken = nullptr;
    ArcSectorsView view;
    std::size_t stride = 0;
    std::uint32_t width = 1;
    RowSearchShape shape;
    unsigned threads = kLeastThreads;
    unsigned all_blocks = 1;
};

DeviceRows::DeviceRows(const DistributedGraph& graph, const RowSearchOptions& options) : state_(std::make_unique<State>(graph, options)) {}

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
    State& state = *state_;
    state.search({sources, static_cast<std::uint32_t>(count), state.taken, state.width, false, state.stride}, rows, stream);
}

void DeviceRows::search_in_matrix(const std::uint32_t* sources, std::size_t count, std::byte* matrix, std::uint32_t* scratch, const Stream& stream)
{
    const State& state = *state_;
    state.search({sources, static_cast<std::uint32_t>(count), scratch, state.width, true, state.stride}, matrix, stream);
}

std::size_t DeviceRows::bytes() const
{
    return state_->memory.bytes();
}

std::size_t DeviceRows::most_bytes(std::size_t vertices, std::size_t arcs)
{
    return DeviceRowsPlan::most(vertices, arcs).bytes();
}

}  // namespace wayfront::gpu::apsp
