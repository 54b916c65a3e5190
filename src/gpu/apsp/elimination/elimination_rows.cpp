// Rows by elimination of vertices, as a RowMethod.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/apsp/elimination/elimination_search.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "gpu/apsp/rows/row_method.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Number of sources of a call. The distances to ancestors take memory for each source, and the
/// bins of a block must not overflow. With spare memory the number is larger, so that fewer
/// launches wait for their last warps.
std::size_t elimination_sources(const RowEngineOptions& options)
{
    const algo::Elimination& tree = *options.elimination;
    constexpr std::size_t most = 65536;
    constexpr std::size_t way_bytes = std::size_t{256} << 20;
    constexpr std::size_t most_with_spare_memory = 262144;
    constexpr std::size_t distances = std::size_t{1} << 37;
    const std::size_t by_ways = way_bytes / sizeof(std::uint32_t) / std::max<std::size_t>(1, tree.height);
    const std::size_t by_distances = distances / std::max<std::size_t>(1, tree.size());
    const std::size_t wanted =
        options.sources > 0 ? std::min(options.sources, tree.positions.size()) : tree.positions.size();
    const auto at_most = [&](std::size_t limit) {
        const std::size_t rounded = (wanted + 31) / 32 * 32;
        return std::max<std::size_t>(32, std::min({limit, by_distances, rounded}) / 32 * 32);
    };
    const std::size_t usual = at_most(std::min(most, by_ways));
    const std::size_t with_spare_memory = at_most(most_with_spare_memory);
    const bool fits = EliminationSearch::most_bytes(tree, with_spare_memory) <=
                      EliminationSearch::most_bytes(tree, usual) + options.spare_bytes / 2;
    return fits ? with_spare_memory : usual;
}

class EliminationRows final : public RowMaker
{
public:
    explicit EliminationRows(const RowEngineOptions& options)
        : most_sources_(elimination_sources(options)),
          search_(*options.elimination, most_sources_),
          type_(options.type),
          // The bound of distances is often at most twice the largest distance.
          exponent_(algo::DistanceHistogram::whole_exponent(static_cast<std::uint64_t>(options.most_distance) / 2))
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return "elimination of vertices, and a pass over them for each source on the GPU";
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] std::size_t summary_sources() const override { return most_sources_; }
    [[nodiscard]] std::size_t sources_of_pass() const override { return 32; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        const std::size_t count = sources.count();
        const auto length = static_cast<std::uint32_t>(vertices());
        for (std::size_t first = 0; first < count; first += most_sources_)
            search_.search(sources.on_device + first, std::min(count - first, most_sources_),
                           {.type = type_,
                            .begin = buffer.data() + first * stride_ * bytes_of(type_),
                            .stride = stride_,
                            .length = length},
                           stream);
        return {buffer.data(), stride_, length, sources.on_device, sources.count(), false};
    }
    bool summarise(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary,
                   const Stream& stream) override
    {
        // The first part of a large batch shows the width of bins. If the guess was wrong, only
        // this part is counted again.
        constexpr std::uint32_t large = 8192;
        constexpr std::uint32_t parts = 8;
        const std::uint32_t begin = most_ == 0 && count > large ? count / parts / 32 * 32 : 0;
        if (begin > 0) add_counts(sources, begin, first, summary, stream);
        add_counts(sources + begin, count - begin, first + begin, summary, stream);
        return true;
    }

private:
    void add_counts(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary,
                    const Stream& stream)
    {
        const EliminationSearch::Found found = search_.count(sources, count, exponent_, most_, stream);
        exponent_ = found.exponent;
        most_ = found.most;
        std::vector<std::uint64_t> bins(found.bins.begin(), found.bins.end());
        for (std::size_t i = 0; i < found.facts.size(); ++i) {
            const EliminationFacts& facts = found.facts[i];
            // A source with edges reaches itself, which is not counted here.
            const std::uint64_t itself = facts.reached > 0 ? 1 : 0;
            bins[0] -= itself;
            summary.set_row(first + i,
                            {facts.reached - itself, static_cast<double>(facts.most), static_cast<double>(facts.sum)});
        }
        while (!bins.empty() && bins.back() == 0) bins.pop_back();
        algo::DistanceHistogram histogram;
        histogram.restore(exponent_, std::move(bins), {});
        histogram.cover(most_);
        summary.histogram().merge(histogram);
    }

    std::size_t most_sources_;
    EliminationSearch search_;
    algo::DistanceType type_;
    std::size_t stride_ = row_stride(search_.vertices(), type_);
    int exponent_;            // exponent of the width of bins
    std::uint32_t most_ = 0;  // largest distance so far
};

std::string obstacle_to_elimination(const DistributedGraph& graph, const RowEngineOptions& options)
{
    if (weight_type(graph.block.out_weights()) == WeightType::float32) return kOtherRoundings;
    return options.elimination == nullptr ? "too many arcs would have to be added" : "";
}

std::size_t bytes_of_elimination(const DistributedGraph& /*graph*/, const RowEngineOptions& options)
{
    return EliminationSearch::most_bytes(*options.elimination, elimination_sources(options));
}

std::unique_ptr<RowMaker> make_elimination(const DistributedGraph& /*graph*/, const RowEngineOptions& options)
{
    return std::make_unique<EliminationRows>(options);
}

std::size_t summary_sources_of_elimination(const RowEngineOptions& options, std::size_t /*vertices*/)
{
    return elimination_sources(options);
}

}  // namespace

constinit const RowMethod RowMethod::elimination{.obstacle = obstacle_to_elimination,
                                                 .bytes = bytes_of_elimination,
                                                 .make = make_elimination,
                                                 .summary_sources = summary_sources_of_elimination};

}  // namespace wayfront::gpu::apsp
