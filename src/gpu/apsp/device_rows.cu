#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/apsp/arc_sectors.hpp"
#include "gpu/apsp/combine_rows.cuh"
#include "gpu/apsp/device_rows.hpp"
#include "gpu/apsp/row_search.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

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

template <typename T>
DeviceBuffer<T> copied(const std::vector<T>& host, const Stream& stream)
{
    return upload(std::span<const T>(host), stream);
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
        sectors = copied(host.sectors, stream);
        rest_begins = copied(host.rest_begins, stream);
        rest = copied(host.rest, stream);
        place_of_vertex = copied(host.place_of_vertex, stream);
        view = host.view();
        view.sectors = sectors.data();
        view.rest_begins = rest_begins.data();
        view.rest = rest.data();
        view.place_of_vertex = place_of_vertex.data();
        const std::size_t of_16_bytes = 16 / bytes_of(type);
        stride = (view.vertices + of_16_bytes - 1) / of_16_bytes * of_16_bytes;
        const double window = row_options.width * host.mean_weight / std::max(1.0, host.mean_degree);
        if (whole)
            width = static_cast<std::uint32_t>(std::clamp(window, 1.0, 1e9));
        else
            width = std::bit_cast<std::uint32_t>(static_cast<float>(window));
        read_terms(graph);
        choose_launch();
    }

    /// The out-neighbours of each vertex as terms: vertices, not slots.
    void read_terms(const DistributedGraph& graph)
    {
        const CsrView out = graph.block.out_edges().view();
        const auto* const weights = std::get_if<HostBuffer<std::uint32_t>>(&graph.block.out_weights());
        const std::uint32_t most = type == algo::DistanceType::uint16 ? 0xFFFF : 0x7FFFFFFF;
        slot_vertices.resize(static_cast<std::size_t>(graph.connected_vertices));
        slot_begins.push_back(0);
        for (std::uint32_t slot = 0; slot < slot_vertices.size(); ++slot) {
            slot_vertices[slot] = static_cast<std::uint32_t>(graph.vertex_of_column[slot]);
            if (!whole) continue;
            for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e)
                slot_terms.push_back(
                    {static_cast<std::uint32_t>(graph.vertex_of_column[out.neighbours[e]]), weights == nullptr ? 1 : std::min((*weights)[e], most)});
            slot_begins.push_back(static_cast<std::uint32_t>(slot_terms.size()));
        }
        for (std::size_t v = 0; v < graph.slot_of_local.size(); ++v)
            if (graph.slot_of_local[v] >= slot_vertices.size()) edgeless.push_back(static_cast<std::uint32_t>(v));
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

    /// As many threads as possible: blocks of 1024, or several smaller ones on a multiprocessor if
    /// their distances fit together.
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
                // More threads in all, or as many in more blocks, which wait for each other less.
                if (blocks * static_cast<int>(each) < most) continue;
                most = blocks * static_cast<int>(each);
                shape = tried;
                threads = each;
                all_blocks = static_cast<unsigned>(blocks * multiprocessors);
            }
        });
    }

    void search(const std::uint32_t* from, std::size_t count, std::byte* rows, bool in_place, const Stream& stream)
    {
        if (count == 0) return;
        fill_bytes_async(taken.span(), 0, stream);
        const RowSearchJob job{from, static_cast<std::uint32_t>(count), taken.data(), width, in_place, stride};
        const unsigned blocks = std::min(all_blocks, job.count);
        with_kernel([&](auto kernel, auto element) {
            using Out = decltype(element);
            kernel<<<blocks, threads, shape.shared_words() * sizeof(std::uint32_t), stream.get()>>>(view, shape, job, reinterpret_cast<Out*>(rows));
        });
        check_launch();
    }

    template <typename Out>
    void combine(const CombinationView& combination, std::span<const std::uint32_t> level_begins, std::byte* matrix, const Stream& stream)
    {
        const auto strips = static_cast<unsigned>((stride * sizeof(Out) / 16 + kCombineThreads - 1) / kCombineThreads);
        for (std::size_t level = 0; level + 1 < level_begins.size(); ++level) {
            const std::uint32_t count = level_begins[level + 1] - level_begins[level];
            combine_rows<Out><<<dim3(count, strips), kCombineThreads, 0, stream.get()>>>(combination, level_begins[level], matrix, stride);
            check_launch();
        }
    }

    algo::DistanceType type;
    bool whole;
    ArcForm form = ArcForm::two_words;
    DeviceBuffer<std::uint32_t> sectors, rest_begins, rest, place_of_vertex;
    DeviceBuffer<std::uint32_t> taken{1};
    ArcSectorsView view;
    std::size_t stride = 0;
    std::uint32_t width = 1;
    RowSearchShape shape;
    unsigned threads = kLeastThreads;
    unsigned all_blocks = 1;
    // On the host.
    std::vector<std::uint32_t> slot_vertices;
    std::vector<std::uint32_t> edgeless;     // vertices
    std::vector<std::uint32_t> slot_begins;  // in slot_terms; only of whole weights
    std::vector<RowTerm> slot_terms;
    // Of the running work.
    DeviceBuffer<std::uint32_t> sources, combined, begins;
    DeviceBuffer<RowTerm> terms;
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
    state_->search(sources, count, rows, false, stream);
}

void DeviceRows::fill(const algo::RowCombination& rows, std::byte* matrix, const Stream& stream)
{
    State& state = *state_;
    std::vector<std::uint32_t> searched(state.edgeless);
    for (const std::uint32_t slot : rows.searched) searched.push_back(state.slot_vertices[slot]);
    state.sources = copied(searched, stream);
    state.search(state.sources.data(), searched.size(), matrix, true, stream);
    if (rows.combined.empty()) return;

    // While the GPU searches.
    std::vector<std::uint32_t> combined;
    std::vector<std::uint32_t> begins{0};
    std::vector<RowTerm> terms;
    for (const std::uint32_t slot : rows.combined) {
        combined.push_back(state.slot_vertices[slot]);
        terms.insert(terms.end(), state.slot_terms.begin() + state.slot_begins[slot], state.slot_terms.begin() + state.slot_begins[slot + 1]);
        begins.push_back(static_cast<std::uint32_t>(terms.size()));
    }
    const Stream beside;
    state.combined = copied(combined, beside);
    state.begins = copied(begins, beside);
    state.terms = copied(terms, beside);
    const CombinationView view{state.combined.data(), state.begins.data(), state.terms.data()};
    if (state.type == algo::DistanceType::uint16)
        state.combine<std::uint16_t>(view, rows.level_begins, matrix, stream);
    else
        state.combine<std::int32_t>(view, rows.level_begins, matrix, stream);
}

std::size_t DeviceRows::bytes() const
{
    const State& state = *state_;
    return state.sectors.bytes() + state.rest_begins.bytes() + state.rest.bytes() + state.place_of_vertex.bytes() + state.sources.bytes() +
           state.combined.bytes() + state.begins.bytes() + state.terms.bytes() + state.taken.bytes();
}

std::size_t DeviceRows::most_bytes(std::size_t vertices, std::size_t arcs)
{
    constexpr std::size_t words_of_vertex = kSectorWords + 2 + kRestWords - 1;  // its place, the begin of a long list, what fills it up
    return sizeof(std::uint32_t) * (words_of_vertex * vertices + words_of_arc(ArcForm::two_words) * arcs + 2);
}

std::size_t DeviceRows::most_fill_bytes(std::size_t vertices, std::size_t arcs)
{
    return sizeof(std::uint32_t) * (2 * vertices + 1) + sizeof(RowTerm) * arcs;  // a vertex is searched or combined
}

}  // namespace wayfront::gpu
