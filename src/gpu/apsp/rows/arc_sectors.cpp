#include "gpu/apsp/rows/arc_sectors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>

#include "base/error.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The slots by descending out-degree.
std::vector<std::uint32_t> slots_by_degree(const CsrView& out, std::uint32_t slots)
{
    constexpr std::uint64_t classes = 1024;  // the first is that of all longer lists
    const auto class_of = [&](std::uint32_t slot) { return classes - 1 - std::min(out.degree(slot), classes - 1); };
    std::array<std::uint32_t, classes + 1> begins{};
    for (std::uint32_t slot = 0; slot < slots; ++slot) ++begins[class_of(slot) + 1];
    for (std::size_t c = 0; c < classes; ++c) begins[c + 1] += begins[c];
    std::vector<std::uint32_t> sorted(slots);
    for (std::uint32_t slot = 0; slot < slots; ++slot) sorted[begins[class_of(slot)]++] = slot;
    std::ranges::stable_sort(std::span(sorted).first(begins.front()), std::ranges::greater(),
                             [&](std::uint32_t slot) { return out.degree(slot); });
    return sorted;
}

/// The bits of the weights of a block's edges.
class WeightBits
{
public:
    explicit WeightBits(const BlockWeights& weights)
    {
        if (const auto* whole = std::get_if<HostBuffer<std::uint32_t>>(&weights)) whole_ = whole->span();
        if (const auto* real = std::get_if<HostBuffer<float>>(&weights)) real_ = real->span();
        are_real_ = weight_type(weights) == WeightType::float32;
    }
    [[nodiscard]] std::uint32_t operator[](std::uint64_t e) const
    {
        if (are_real_) return std::bit_cast<std::uint32_t>(real_[e]);
        // Distances fit 31 bits. A heavier arc is in no shortest path, and must not make a sum wrap
        // around.
        constexpr std::uint32_t heaviest = 0x7FFFFFFF;
        return whole_.empty() ? 1 : std::min(whole_[e], heaviest);
    }
    [[nodiscard]] double value(std::uint64_t e) const { return are_real_ ? static_cast<double>(real_[e]) : (*this)[e]; }
    /// Whether all weights are whole numbers of 16 bits.
    [[nodiscard]] bool are_short() const
    {
        return !are_real_ && std::ranges::all_of(whole_, [](std::uint32_t weight) { return weight <= 0xFFFF; });
    }

private:
    std::span<const std::uint32_t> whole_;
    std::span<const float> real_;
    bool are_real_ = false;
};

}  // namespace

ArcSectorsView ArcSectors::view() const
{
    ArcSectorsView view;
    view.vertices = static_cast<std::uint32_t>(place_of_vertex.size());
    view.places = static_cast<std::uint32_t>(sectors.size() / kSectorWords);
    view.expanding = expanding;
    view.half_full = half_full;
    view.long_lists = long_lists;
    view.shared_lists = shared_lists;
    view.block_lists = block_lists;
    view.sectors = sectors.data();
    view.rest_begins = rest_begins.data();
    view.rest = rest.data();
    view.place_of_vertex = place_of_vertex.data();
    return view;
}

ArcSectors make_arc_sectors(const DistributedGraph& graph)
{
    const CsrView out = graph.block.out_edges().view();
    const WeightBits weights(graph.block.out_weights());
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    const std::vector<std::uint32_t> slot_of_place = slots_by_degree(out, slots);
    std::vector<std::uint32_t> place_of_slot(slots);
    for (std::uint32_t place = 0; place < slots; ++place) place_of_slot[slot_of_place[place]] = place;

    ArcSectors made;
    made.form = slots < 0xFFFF && weights.are_short() ? ArcForm::one_word : ArcForm::two_words;
    const std::uint32_t arc_words = words_of_arc(made.form);
    const std::uint32_t sector_arcs = arcs_of_sector(made.form);
    made.sectors.resize(std::size_t{slots} * kSectorWords);
    made.rest_begins.push_back(0);
    double weight_sum = 0;
    for (std::uint32_t place = 0; place < slots; ++place) {
        const std::uint32_t slot = slot_of_place[place];
        const std::uint64_t begin = out.begin(slot);
        const std::uint64_t degree = out.degree(slot);
        std::uint32_t* const sector = made.sectors.data() + std::size_t{place} * kSectorWords;
        for (std::uint32_t i = 0; i < kSectorWords; i += arc_words) sector[i] = place;
        for (std::uint64_t i = 0; i < degree; ++i) {
            const std::uint32_t target = place_of_slot[out.neighbours[begin + i]];
            const std::uint32_t weight = weights[begin + i];
            weight_sum += weights.value(begin + i);
            std::array<std::uint32_t, 2> arc{target, weight};
            if (made.form == ArcForm::one_word) arc[0] = weight << 16 | target;
            if (i < sector_arcs)
                std::copy_n(arc.begin(), arc_words, sector + i * arc_words);
            else
                made.rest.insert(made.rest.end(), arc.begin(), arc.begin() + arc_words);
        }
        if (degree > 0) made.expanding = place + 1;
        if (degree > sector_arcs / 2) made.half_full = place + 1;
        if (degree > sector_arcs) {
            // In the form of one word, the weight is 0, too.
            const std::array<std::uint32_t, 2> none{place, 0};
            while (made.rest.size() % kRestWords != 0)
                made.rest.insert(made.rest.end(), none.begin(), none.begin() + arc_words);
            const std::size_t words = made.rest.size() - made.rest_begins.back();
            if (words > kMostOwnWords) made.shared_lists = place + 1;
            if (words > kMostWarpWords && place < kMostBlockLists) made.block_lists = place + 1;
            made.long_lists = place + 1;
            made.rest_begins.push_back(static_cast<std::uint32_t>(made.rest.size()));
        }
    }
    if (made.rest.size() > std::numeric_limits<std::uint32_t>::max())
        throw InputError("the graph has too many edges for a search by a thread block");
    const std::uint64_t arcs = slots > 0 ? out.begin(slots) : 0;
    made.mean_weight = arcs > 0 ? weight_sum / static_cast<double>(arcs) : 0;
    made.mean_degree = made.expanding > 0 ? static_cast<double>(arcs) / made.expanding : 0;

    made.place_of_vertex.assign(graph.slot_of_local.size(), kNoPlace);
    for (std::size_t vertex = 0; vertex < made.place_of_vertex.size(); ++vertex)
        if (const std::uint32_t slot = graph.slot_of_local[vertex]; slot < slots)
            made.place_of_vertex[vertex] = place_of_slot[slot];
    return made;
}

}  // namespace wayfront::gpu::apsp
