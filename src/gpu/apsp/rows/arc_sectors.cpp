#include "gpu/apsp/rows/arc_sectors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The slots by descending out-degree.
std::vector<std::uint32_t> slots_by_degree(const CsrView& out, std::uint32_t slots)
{
    constexpr std::uint64_t classes = 1024;  // the first class contains all longer lists
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
        // A weight above 31 bits is replaced by the largest number of 31 bits: distances fit 31
        // bits, so that such an arc is in no shortest path, and sums must not wrap around.
        constexpr std::uint32_t heaviest = 0x7FFFFFFF;
        return whole_.empty() ? 1 : std::min(whole_[e], heaviest);
    }
    [[nodiscard]] double value(std::uint64_t e) const { return are_real_ ? static_cast<double>(real_[e]) : (*this)[e]; }
    /// Whether all weights are whole numbers of 16 bits.
    [[nodiscard]] bool are_short() const
    {
        if (are_real_) return false;
        std::uint32_t bits = 0;  // the bits that are set in any weight
#pragma omp parallel for reduction(| : bits)
        for (const std::uint32_t weight : whole_) bits |= weight;
        return bits <= 0xFFFF;
    }

private:
    std::span<const std::uint32_t> whole_;
    std::span<const float> real_;
    bool are_real_ = false;
};

/// Sets the limits `expanding` to `block_lists` of `made` (ArcSectorsView), and the beginnings of the
/// rests of long lists. Pre: the degrees descend from place to place.
void measure_lists(const CsrView& out, std::span<const std::uint32_t> slot_of_place, ArcSectors& made)
{
    const std::uint64_t sector_arcs = arcs_of_sector(made.form);
    std::uint64_t rest = 0;
    made.rest_begins.push_back(0);
    for (std::uint32_t place = 0; place < slot_of_place.size(); ++place) {
        const std::uint64_t degree = out.degree(slot_of_place[place]);
        if (degree > 0) made.expanding = place + 1;
        if (degree > sector_arcs / 2) made.half_full = place + 1;
        if (degree <= sector_arcs) continue;
        const std::uint64_t arc_words = (degree - sector_arcs) * words_of_arc(made.form);
        const std::uint64_t words = (arc_words + kRestWords - 1) / kRestWords * kRestWords;
        if (words > kMostOwnWords) made.shared_lists = place + 1;
        if (words > kMostWarpWords && place < kMostBlockLists) made.block_lists = place + 1;
        made.long_lists = place + 1;
        rest += words;
        if (rest > std::numeric_limits<std::uint32_t>::max())
            throw InputError("the graph has too many edges for a search by a thread block");
        made.rest_begins.push_back(static_cast<std::uint32_t>(rest));
    }
}

/// Writes the arcs of a place one after the other.
class ListWriter
{
public:
    ListWriter(ArcSectors& made, std::uint32_t place)
        : place_(place),
          form_(made.form),
          next_(made.sectors.data() + std::size_t{place} * kSectorWords),
          end_(next_ + kSectorWords)
    {
        if (place >= made.long_lists) return;
        rest_ = made.rest.data() + made.rest_begins[place];
        rest_end_ = made.rest.data() + made.rest_begins[place + 1];
    }

    void add(std::uint32_t target, std::uint32_t weight)
    {
        if (next_ == end_) {
            next_ = std::exchange(rest_, nullptr);
            end_ = rest_end_;
        }
        if (form_ == ArcForm::one_word) {
            *next_++ = weight << 16 | target;
        } else {
            *next_++ = target;
            *next_++ = weight;
        }
    }
    /// Fills the current sector, or the rest if there is one, with arcs of weight 0 from the place
    /// to itself.
    void pad()
    {
        while (next_ != end_) add(place_, 0);
    }

private:
    std::uint32_t place_;
    ArcForm form_;
    std::uint32_t* next_;
    std::uint32_t* end_;
    std::uint32_t* rest_ = nullptr;
    std::uint32_t* rest_end_ = nullptr;
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
    measure_lists(out, slot_of_place, made);
    made.sectors.resize(std::size_t{slots} * kSectorWords);
    made.rest.resize(made.rest_begins.back());
    std::vector<double> weight_of_place(slots);
    constexpr std::size_t places_at_once = 64;
    parallel_items(
        slots,
        [&](std::size_t place) {
            const std::uint32_t slot = slot_of_place[place];
            ListWriter list(made, static_cast<std::uint32_t>(place));
            for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e) {
                list.add(place_of_slot[out.neighbours[e]], weights[e]);
                weight_of_place[place] += weights.value(e);
            }
            list.pad();
        },
        places_at_once);
    const std::uint64_t arcs = slots > 0 ? out.begin(slots) : 0;
    const double weight_sum = std::accumulate(weight_of_place.begin(), weight_of_place.end(), 0.0);
    made.mean_weight = arcs > 0 ? weight_sum / static_cast<double>(arcs) : 0;
    made.mean_degree = made.expanding > 0 ? static_cast<double>(arcs) / made.expanding : 0;

    made.place_of_vertex.assign(graph.slot_of_local.size(), kNoPlace);
    for (std::size_t vertex = 0; vertex < made.place_of_vertex.size(); ++vertex)
        if (const std::uint32_t slot = graph.slot_of_local[vertex]; slot < slots)
            made.place_of_vertex[vertex] = place_of_slot[slot];
    return made;
}

}  // namespace wayfront::gpu::apsp
