#include "algo/sssp/sssp_state.hpp"

#include <algorithm>
#include <numeric>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::size_t kPiece = 512;
}  // namespace

template <typename D>
SsspState<D>::SsspState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool may_share, PhaseLog* log)
    : grid_(grid),
      graph_(graph),
      block_(graph.block),
      log_(log),
      parents_(std::size_t{block_.rows()} + 1, block_.cols()),
      changed_(block_.slot_stride),
      by_owner_(block_.row_chunks)
{
    allocate_columns(may_share && block_.col_chunks > 1 && !folds());
    if (block_.col_chunks > 1) expanded_ = HostBuffer<std::uint32_t>(block_.cols());
    if (block_.col_chunks > 1 && !shares()) {
        sent_ = HostBuffer<SlotDistance>(block_.slot_stride);
        gathered_ = HostBuffer<SlotDistance>(block_.cols());
    }
    if (folds()) {
        rows_ = HostBuffer<D>(std::size_t{block_.rows()} + 1);
        own_parents_ = HostBuffer<Vertex>(std::size_t{block_.slot_stride} + 1, kUnreached);
        changed_slots_ = HostBuffer<std::uint64_t>(word_count(block_.slot_stride), 0);
    }
}

template <typename D>
void SsspState<D>::allocate_columns(bool may_share)
{
    const std::size_t count = std::size_t{block_.cols()} + 1;
    if (may_share) {
        constexpr std::size_t line = 8;  // words of a cache line, in which only one rank should write
        const std::size_t final_words = (word_count(block_.cols()) + line - 1) / line * line;
        shared_ = comm::SharedMemory::among(grid_.column(), final_words * sizeof(std::uint64_t) + count * sizeof(D));
        if (shares()) {
            final_columns_ = reinterpret_cast<std::uint64_t*>(shared_.bytes().data());
            columns_ = {reinterpret_cast<D*>(final_columns_ + final_words), count};
            return;
        }
    }
    own_columns_ = HostBuffer<D>(count);
    columns_ = own_columns_.span();
}

template <typename D>
void SsspState<D>::start(std::span<const Vertex> sources)
{
    sources_.clear();
    changed_count_ = 0;
    const std::span<D> cleared = shares() ? columns_.subspan(block_.own_col(0).value, block_.slot_stride) : columns_;
    parallel_for(cleared.size(), kSerialBelow, [&](std::size_t i) { cleared[i] = unreached<D>(); });
    parallel_for(rows_.size(), kSerialBelow, [&](std::size_t i) { rows_[i] = unreached<D>(); });
    for (const Vertex source : sources) {
        if (graph_.partition.owner(source) != graph_.rank) continue;
        sources_.push_back(graph_.partition.local(source));
        const std::uint32_t slot = graph_.slot_of_local[sources_.back()];
        if (slot == block_.slot_stride) continue;  // the source has no edges; finish() handles it
        own_distances()[slot] = D{0};
        if (folds())
            own_parents_[slot] = kUnreached;
        else
            parents_[slot] = block_.cols();
        changed_[changed_count_++] = slot;
    }
}

template <typename D>
SsspMemory<D> SsspState<D>::memory()
{
    return {row_distances(), parents_.data(), columns_.data(), final_columns_};
}

template <typename D>
std::span<const std::uint32_t> SsspState<D>::expand(std::span<const std::uint32_t> slots,
                                                    std::span<const std::size_t> counts, int round)
{
    if (shares()) {
        const Phase phase(log_, "all-gather", round);
        grid_.column().all_gather_v(slots, counts, expanded_.span());
        return columns_of_expanded(counts);
    }
    const std::span<const SlotDistance> sent = distances_of(slots);
    if (block_.col_chunks == 1) return slots;
    {
        const Phase phase(log_, "all-gather", round);
        grid_.column().all_gather_v(sent, counts, gathered_.span());
    }
    return take_distances(gathered_.span(), counts);
}

template <typename D>
std::span<const typename SsspState<D>::SlotDistance> SsspState<D>::distances_of(std::span<const std::uint32_t> slots)
{
    const std::uint32_t first = block_.own_col(0).value;
    if (folds())
        for (const std::uint32_t slot : slots) columns_[first + slot] = own_distances()[slot];
    if (block_.col_chunks == 1) return {};
    parallel_for(slots.size(), kSerialBelow, [&](std::size_t i) { sent_[i] = {slots[i], own_distances()[slots[i]]}; });
    return {sent_.data(), slots.size()};
}

template <typename D>
std::span<const std::uint32_t> SsspState<D>::take_distances(std::span<const SlotDistance> received,
                                                            std::span<const std::size_t> counts)
{
    std::size_t position = 0;
    for (std::uint32_t chunk = 0; chunk < block_.col_chunks; ++chunk) {
        const std::uint32_t offset = chunk * block_.slot_stride;
        const std::size_t begin = position;
        position += counts[chunk];
        parallel_ranges(counts[chunk], kSerialBelow, [&](IndexRange range) {
            for (std::size_t i = begin + range.first; i < begin + range.last; ++i) {
                expanded_[i] = offset + received[i].slot;
                columns_[expanded_[i]] = received[i].distance;
            }
        });
    }
    return {expanded_.data(), position};
}

/// Makes the slots of all ranks of the grid column, which are in expanded_, columns.
template <typename D>
std::span<const std::uint32_t> SsspState<D>::columns_of_expanded(std::span<const std::size_t> counts)
{
    std::size_t position = 0;
    for (std::uint32_t chunk = 0; chunk < block_.col_chunks; ++chunk) {
        const std::uint32_t offset = chunk * block_.slot_stride;
        parallel_for(counts[chunk], kSerialBelow, [&, position](std::size_t i) { expanded_[position + i] += offset; });
        position += counts[chunk];
    }
    return {expanded_.data(), position};
}

template <typename D>
void SsspState<D>::expand_all(int round)
{
    if (shares()) return;
    if (folds()) std::copy_n(own_distances(), block_.slot_stride, columns_.data() + block_.own_col(0).value);
    if (block_.col_chunks == 1) return;
    const Phase phase(log_, "all-gather", round);
    grid_.column().all_gather_in_place(std::as_writable_bytes(columns_.first(block_.cols())));
}

template <typename D>
void SsspState<D>::refresh_rows(int round)
{
    if (!folds()) return;
    const Phase phase(log_, "all-gather", round);
    grid_.row().all_gather_in_place(std::as_writable_bytes(rows_.span().first(block_.rows())));
}

template <typename D>
void SsspState<D>::add_changed(std::uint32_t slot)
{
    if (test_bit(changed_slots_.data(), slot)) return;
    set_bit(changed_slots_.data(), slot);
    changed_[changed_count_++] = slot;
}

template <typename D>
void SsspState<D>::take(const Found& found)
{
    D& distance = own_distances()[found.slot];
    if (!(found.distance < distance)) return;
    distance = found.distance;
    own_parents_[found.slot] = found.parent;
    add_changed(found.slot);
}

template <typename D>
void SsspState<D>::commit(std::span<const std::uint32_t> improved, int round)
{
    if (!folds()) {
        changed_count_ = improved.size();
        parallel_for(improved.size(), kSerialBelow, [&](std::size_t i) { changed_[i] = improved[i]; });
        return;
    }
    sort_found(improved);
    const Phase phase(log_, "all-to-all", round);
    const std::vector<std::int64_t> counts = grid_.row().all_to_all(found_counts());
    HostBuffer<Found> received(static_cast<std::size_t>(std::reduce(counts.begin(), counts.end())));
    grid_.row().all_to_all_v(found(), found_counts(), received.span(), std::span<const std::int64_t>(counts));
    take_found(received.span());
}

template <typename D>
void SsspState<D>::sort_found(std::span<const std::uint32_t> improved)
{
    changed_count_ = 0;
    const std::uint32_t stride = block_.slot_stride;
    for (const std::uint32_t row : improved) {
        if (row / stride != block_.own_row_chunk) continue;
        own_parents_[row % stride] = graph_.vertex_of_column[parents_[row]];
        add_changed(row % stride);
    }
    const auto visit = [&](std::size_t i, auto&& f) {
        if (improved[i] / stride != block_.own_row_chunk) f(improved[i] / stride, improved[i]);
    };
    by_owner_.count(improved.size(), kSerialBelow, visit);
    found_ = HostBuffer<Found>(by_owner_.size());
    by_owner_.place(visit, [&](std::size_t position, std::uint32_t row) {
        found_[position] = {graph_.vertex_of_column[parents_[row]], rows_[row], row % stride};
    });
}

template <typename D>
void SsspState<D>::take_found(std::span<const Found> received)
{
    for (const Found& found : received) take(found);
    for (const std::uint32_t slot : changed()) changed_slots_[slot / kWordBits] = 0;
    found_ = {};
}

template <typename D>
Vertex SsspState<D>::parent(std::uint32_t slot) const
{
    return folds() ? own_parents_[slot] : graph_.vertex_of_column[parents_[slot]];
}

template <typename D>
std::uint64_t SsspState<D>::finish(D bound, std::span<D> distances, VertexArray& parents) const
{
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    const D* const own = own_distances();
    const std::uint32_t none = block_.slot_stride;
    std::uint64_t reached = 0;
    const auto write = [&](const auto* parents_of_slots, auto&& vertex_of, auto out) {
        using Id = typename decltype(out)::value_type;
        std::uint64_t count = 0;
        const std::size_t pieces = (out.size() + kPiece - 1) / kPiece;
#pragma omp parallel for reduction(+ : count) if (out.size() >= kSerialBelow)
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t first = piece * kPiece;
            const std::size_t last = std::min(out.size(), first + kPiece);
            for (std::size_t i = first; i < last; ++i) {
                distances[i] = own[slots[i]];
                out[i] = static_cast<Id>(vertex_of(parents_of_slots[slots[i]]));
            }
            // A branch on whether a vertex has edges could not be predicted. This is therefore a
            // separate loop, which is compiled to instructions without branches.
            std::uint32_t here = 0;
            for (std::size_t i = first; i < last; ++i) {
                const bool is_reached = (slots[i] != none) & (distances[i] < bound);
                distances[i] = is_reached ? distances[i] : unreached<D>();
                out[i] = is_reached ? out[i] : static_cast<Id>(kUnreached);
                here += is_reached ? 1 : 0;
            }
            count += here;
        }
        reached = count;
    };
    parents.visit([&](auto out) {
        if (folds()) {
            write(
                own_parents_.data(), [](Vertex parent) { return parent; }, out);
        } else {
            graph_.vertex_of_column.visit([&](auto vertices) {
                write(
                    parents_.data(), [vertices](std::uint32_t column) { return vertices[column]; }, out);
            });
        }
    });
    for (const std::uint32_t local : sources_) {
        if (!(distances[local] < bound)) {  // it has no edges
            ++reached;
            distances[local] = D{0};
        }
        // With negative weights a source can have a parent.
        if (parents[local] == kUnreached) parents.set(local, graph_.partition.vertex(graph_.rank, local));
    }
    return reached;
}

template <typename D>
HostBuffer<Vertex> SsspState<D>::parents_without_source() const
{
    HostBuffer<Vertex> parents(graph_.local_count());
    for (std::uint32_t i = 0; i < graph_.local_count(); ++i) {
        const std::uint32_t slot = graph_.slot_of_local[i];
        const bool has_parent = slot != block_.slot_stride && own_distances()[slot] != unreached<D>();
        parents[i] = has_parent ? parent(slot) : kUnreached;
    }
    return parents;
}

template class SsspState<std::uint32_t>;
template class SsspState<std::int64_t>;
template class SsspState<float>;
template class SsspState<double>;

}  // namespace wayfront::algo
