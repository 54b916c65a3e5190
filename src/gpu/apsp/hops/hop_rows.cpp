#include "gpu/apsp/hops/hop_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "algo/apsp/row_loop.hpp"
#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

class HopRows final : public RowMaker
{
public:
    HopRows(const DistributedGraph& graph, std::size_t spare_bytes, const comm::Communicator* ranks)
        : ranks_(ranks), search_(graph, {.spare_bytes = spare_bytes, .plan = {}, .ranks = ranks})
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return "breadth-first search on the GPU from " + std::to_string(BitParallelSearch::kSources) +
               " sources at once";
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override
    {
        return row_stride(search_.vertices(), algo::DistanceType::uint16);
    }
    [[nodiscard]] std::size_t summary_sources() const override { return hop_summary_sources(vertices()); }
    [[nodiscard]] std::size_t sources_of_pass() const override { return BitParallelSearch::kSources; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        auto* const rows = reinterpret_cast<std::uint16_t*>(buffer.data());
        const std::uint32_t count = sources.count();
        for (std::uint32_t first = 0; first < count; first += BitParallelSearch::kSources)
            search_.search(sources.on_device + first, std::min(count - first, BitParallelSearch::kSources),
                           rows + first * stride(), stride(), stream);
        return {buffer.data(), stride(), static_cast<std::uint32_t>(vertices()), sources.on_device, count, false};
    }
    bool summarise(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary,
                   const Stream& stream) override
    {
        const BitParallelSearch::Found found = search_.count(sources, count, stream);
        for (std::size_t i = 0; i < found.facts.size(); ++i) summary.set_row(first + i, row_facts(found.facts[i]));
        add_levels(found.levels, summary);
        return true;
    }
    bool summarise_together(std::span<const Vertex> sources, std::span<const IndexRange> left, algo::Summary& summary,
                            const Stream& stream) override
    {
        std::vector<std::uint32_t> wanted;
        for (const IndexRange range : left)
            std::ranges::transform(sources.subspan(range.first, range.size()), std::back_inserter(wanted),
                                   [](Vertex v) { return static_cast<std::uint32_t>(v); });
        if (!search_.can_count_together(wanted.size())) return false;
        DeviceBuffer<std::uint32_t> on_device(RowBatchPlan(wanted.size(), 0).sources);
        copy_async(std::span<const std::uint32_t>(wanted), on_device.span(), stream);
        const BitParallelSearch::Found found = search_.count_together(on_device.data(), wanted.size(), stream);
        auto facts = found.facts.begin();
        for (const IndexRange range : algo::part_of_ranges(left, static_cast<std::size_t>(ranks_->rank()),
                                                           static_cast<std::size_t>(ranks_->size())))
            for (std::size_t position = range.first; position < range.last; ++position)
                summary.set_row(position, row_facts(*facts++));
        add_levels(found.levels, summary);
        return true;
    }

private:
    static algo::RowFacts row_facts(const HopFacts& facts)
    {
        return {facts.reached, static_cast<double>(facts.eccentricity), static_cast<double>(facts.sum)};
    }
    static void add_levels(std::span<const std::uint64_t> levels, algo::Summary& summary)
    {
        for (std::size_t level = 0; level < levels.size(); ++level)
            summary.histogram().add(static_cast<double>(level + 1), levels[level]);
    }

    const comm::Communicator* ranks_;
    BitParallelSearch search_;
};

}  // namespace

std::unique_ptr<RowMaker> make_hop_rows(const DistributedGraph& graph, std::size_t spare_bytes,
                                        const comm::Communicator* ranks)
{
    return std::make_unique<HopRows>(graph, spare_bytes, ranks);
}

std::size_t hop_summary_sources(std::size_t vertices)
{
    constexpr std::size_t most = 65536;
    return std::clamp<std::size_t>(vertices, 1, most);
}

std::size_t hop_rows_bytes(std::size_t vertices, std::size_t arcs, bool rows, double most_distance)
{
    if (rows) return BitParallelSearch::most_bytes(vertices, arcs, most_distance);
    // Ranks that summarise together have all sources in device memory.
    return BitParallelSearch::most_bytes(vertices, arcs, 0) + RowBatchPlan(vertices, 0).bytes();
}

}  // namespace wayfront::gpu::apsp
