#include "cpu/apsp/combined_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::cpu {

namespace {

/// A thread's rows of a block of columns fill about half of a core's cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 19;
constexpr std::size_t kLeastBlockColumns = 128;
constexpr std::size_t kStripeBytes = std::size_t{4} << 20;

/// Sums of weights and distances that never wrap around. All distances fit the type. A sum that
/// exceeds the type belongs to a vertex that is not reached, or is not the smallest sum.
template <typename Out>
struct Sums
{
    // Two numbers of up to 2^31 - 1 fit 32 bits without a sign.
    using Word = std::conditional_t<std::is_same_v<Out, std::int32_t>, std::uint32_t, Out>;

    static Word weight_of(double weight)
    {
        return static_cast<Word>(std::min(weight, static_cast<double>(unreached<Out>())));
    }
    static Word add(Out distance, Word weight)
    {
        const auto sum = static_cast<Word>(static_cast<Word>(distance) + weight);
        if constexpr (std::is_same_v<Out, std::uint16_t>)
            return sum < weight ? unreached<Out>() : sum;
        else
            return sum;
    }
};

template <typename Out>
class CombinedRows final : public algo::MatrixMethod
{
public:
    CombinedRows(const DistributedGraph& graph, std::unique_ptr<algo::RowProducer> searches,
                 const algo::FeedbackVertexOptions& options)
        : graph_(graph), searches_(std::move(searches)), options_(options), vertices_(graph.slot_of_local.size())
    {
    }

    [[nodiscard]] std::string description() const override
    {
        if (matrix_.empty()) return searches_->description() + ", and combined rows";
        return searches_->description() + " for " + std::to_string(searched_) + " rows, and " +
               std::to_string(vertices_ - searched_) + " combined from others";
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stripe_rows() const override
    {
        return std::max<std::size_t>(1, kStripeBytes / std::max<std::size_t>(1, vertices_ * sizeof(Out)));
    }

    void run(ProgressListener* listener) override
    {
        matrix_ = HostBuffer<Out>(vertices_ * vertices_);
        const CsrBlock& block = graph_.block;
        const algo::RowCombination rows =
            algo::combine_rows(block.out_edges().view(), block.in_edges.view(),
                               static_cast<std::uint32_t>(graph_.connected_vertices), options_);
        searched_ = rows.searched.size();
        if (listener != nullptr) listener->begin("search", vertices_);
        search(rows, listener);
        read_terms(rows);
        combine(rows, listener);
    }

    [[nodiscard]] algo::RowBatch rows(std::size_t first, std::size_t count) override
    {
        algo::RowBatch batch;
        batch.columns = vertices_;
        batch.distances = std::span<const Out>(matrix_.data() + first * vertices_, count * vertices_);
        return batch;
    }

private:
    using Word = typename Sums<Out>::Word;

    /// A term of a combined row: the row of an out-neighbour, and the weight of the arc.
    struct Term
    {
        const Out* row;
        Word weight;
    };

    [[nodiscard]] std::size_t vertex_of(std::uint32_t slot) const
    {
        return static_cast<std::size_t>(graph_.vertex_of_column[slot]);
    }

    void search(const algo::RowCombination& rows, ProgressListener* listener)
    {
        std::vector<Vertex> sources;
        sources.reserve(rows.searched.size());
        for (const std::uint32_t slot : rows.searched) sources.push_back(static_cast<Vertex>(vertex_of(slot)));
        std::ranges::sort(sources);
        for (std::size_t first = 0; first < sources.size(); first += searches_->batch_rows()) {
            const std::size_t count = std::min(searches_->batch_rows(), sources.size() - first);
            searches_->launch(std::span(sources).subspan(first, count));
            const auto found = std::get<std::span<const Out>>(searches_->collect().distances);
            parallel_for(count, 1, [&](std::size_t i) {
                std::ranges::copy(found.subspan(i * vertices_, vertices_),
                                  matrix_.data() + static_cast<std::size_t>(sources[first + i]) * vertices_);
            });
            if (listener != nullptr) listener->advance(count);
        }
    }

    void read_terms(const algo::RowCombination& rows)
    {
        const CsrView out = graph_.block.out_edges().view();
        terms_.clear();
        ends_.clear();
        std::visit(
            [&](const auto& weights) {
                for (const std::uint32_t slot : rows.combined) {
                    for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e) {
                        double weight = 1;
                        if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
                            weight = static_cast<double>(weights[e]);
                        terms_.push_back(
                            {matrix_.data() + vertex_of(out.neighbours[e]) * vertices_, Sums<Out>::weight_of(weight)});
                    }
                    ends_.push_back(terms_.size());
                }
            },
            graph_.block.out_weights());
    }

    void combine(const algo::RowCombination& rows, ProgressListener* listener)
    {
        const std::size_t fitting =
            kBlockBytes / sizeof(Out) / std::max<std::size_t>(1, vertices_) / kLeastBlockColumns * kLeastBlockColumns;
        const std::size_t columns = std::max(fitting, kLeastBlockColumns);
        const std::size_t blocks = (vertices_ + columns - 1) / columns;
        parallel_items(blocks, [&](std::size_t block) {
            const std::size_t first = block * columns;
            const std::size_t last = std::min(vertices_, first + columns);
            std::size_t term = 0;
            for (std::size_t i = 0; i < rows.combined.size(); ++i) {
                const std::size_t vertex = vertex_of(rows.combined[i]);
                combine_part(matrix_.data() + vertex * vertices_, vertex,
                             std::span<const Term>(terms_).subspan(term, ends_[i] - term), first, last);
                term = ends_[i];
            }
            // Rows of vertices without edges.
            for (std::size_t vertex = 0; vertex < vertices_; ++vertex)
                if (graph_.slot_of_local[vertex] == graph_.block.slot_stride)
                    combine_part(matrix_.data() + vertex * vertices_, vertex, {}, first, last);
        });
        if (listener != nullptr) listener->advance(vertices_ - searched_);
    }

    /// Columns first to last - 1 of a row.
    static void combine_part(Out* row, std::size_t vertex, std::span<const Term> terms, std::size_t first,
                             std::size_t last)
    {
        for (std::size_t begin = first; begin < last; begin += kLeastBlockColumns) {
            const std::size_t count = std::min(kLeastBlockColumns, last - begin);
            std::array<Word, kLeastBlockColumns> least;
            least.fill(static_cast<Word>(unreached<Out>()));
            for (const Term& term : terms) {
                const Out* const distances = term.row + begin;
                for (std::size_t i = 0; i < count; ++i)
                    least[i] = std::min(least[i], Sums<Out>::add(distances[i], term.weight));
            }
            for (std::size_t i = 0; i < count; ++i) row[begin + i] = static_cast<Out>(least[i]);
        }
        if (vertex >= first && vertex < last) row[vertex] = 0;
    }

    const DistributedGraph& graph_;
    std::unique_ptr<algo::RowProducer> searches_;
    algo::FeedbackVertexOptions options_;
    std::size_t vertices_;
    std::size_t searched_ = 0;
    HostBuffer<Out> matrix_;
    std::vector<Term> terms_;        // the terms of the combined rows, in their order
    std::vector<std::size_t> ends_;  // the end of each row's terms
};

}  // namespace

std::unique_ptr<algo::MatrixMethod> make_combined_rows(const DistributedGraph& graph,
                                                       std::unique_ptr<algo::RowProducer> searches,
                                                       const algo::FeedbackVertexOptions& options)
{
    return algo::with_distance_type(searches->type(), [&]<typename Out>(Out) -> std::unique_ptr<algo::MatrixMethod> {
        return std::make_unique<CombinedRows<Out>>(graph, std::move(searches), options);
    });
}

}  // namespace wayfront::cpu
