// Rows of all pairs by a search from each source, each thread with sources of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

#include "algo/apsp/converted_row.hpp"
#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::cpu {

struct SearchRowsOptions
{
    algo::DistanceType type = algo::DistanceType::float64;  // of the rows
    bool parents = false;
    /// An upper bound of whole-number distances (distance_bound.hpp); unused for other weights.
    double most_distance = 0;
    /// The bytes of a batch of rows. A batch has at least one row for each thread.
    std::size_t batch_bytes = std::size_t{4} << 20;
};

/// A Search has
///     using Graph: what the searches of all threads share, with vertices(), method() in words, and
///         select(targets), after which searches need the distances of the targets alone;
///     kWhole: whether distances are whole numbers;
///     Search(Graph&), on any thread;
///     run(source, use): searches, and calls use(labels), which have the distance(column) and
///         parent(column) of each column, unreached() for a vertex that is not reached, and, if no targets
///         were selected, distances(), those of all vertices.
/// Out is the type of the distances of the rows. A search may change no thread's number of threads.
template <typename Search, typename Out>
class SearchRows final : public algo::RowProducer
{
public:
    SearchRows(std::unique_ptr<typename Search::Graph> graph, const SearchRowsOptions& options)
        : graph_(std::move(graph)),
          batch_bytes_(options.batch_bytes),
          columns_(graph_->vertices()),
          with_parents_(options.parents)
    {
        searches_.resize(static_cast<std::size_t>(thread_count()));
        parallel_items(searches_.size(),
                       [&](std::size_t thread) { searches_[thread] = std::make_unique<Search>(*graph_); });
    }

    [[nodiscard]] std::string description() const override
    {
        return std::string(Search::Graph::method()) + " per source on " + std::to_string(searches_.size()) +
               (searches_.size() == 1 ? " thread" : " threads");
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t batch_rows() const override
    {
        // The size of a batch does not depend on the number of columns: fewer columns make no search faster, and jobs
        // stop only between batches.
        return std::max<std::size_t>(static_cast<std::size_t>(thread_count()),
                                     batch_bytes_ / std::max<std::size_t>(1, graph_->vertices() * sizeof(Out)));
    }

    bool make_columns(std::span<const Vertex> targets) override
    {
        graph_->select(targets);
        columns_ = targets.size();
        return true;
    }

    void launch(std::span<const Vertex> sources) override { sources_ = sources; }

    [[nodiscard]] algo::RowBatch collect() override
    {
        const std::size_t elements = sources_.size() * columns_;
        if (rows_.size() < elements) rows_ = HostBuffer<Out>(elements);
        if (with_parents_ && parents_.size() < elements) parents_ = HostBuffer<std::int32_t>(elements);
        std::mutex lock;
        double farthest_misfit = 0;
        for_each_search([&](std::size_t row, const auto& labels) {
            const auto distance = [&](std::size_t column) { return labels.distance(column); };
            const double misfit = algo::convert_row(labels.unreached(), distance,
                                                    rows_.span().subspan(row * columns_, columns_), Search::kWhole);
            if (with_parents_)
                for (std::size_t i = 0; i < columns_; ++i) parents_[row * columns_ + i] = labels.parent(i);
            if (misfit == 0) return;
            const std::lock_guard guard(lock);
            farthest_misfit = algo::farther(farthest_misfit, misfit);
        });
        if (farthest_misfit != 0) algo::fail_to_fit(farthest_misfit, type(), Search::kWhole);
        algo::RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns_;
        batch.distances = std::span<const Out>(rows_.data(), elements);
        if (with_parents_) batch.parents = {parents_.data(), elements};
        return batch;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        launch(sources);
        std::vector<algo::DistanceHistogram> histograms(searches_.size(), algo::DistanceHistogram(Search::kWhole));
        for_each_search([&](std::size_t row, const auto& labels) {
            algo::DistanceHistogram& own = histograms[static_cast<std::size_t>(omp_get_thread_num())];
            summary.set_row(first + row, algo::facts_of_row(labels.distances(), sources_[row], own, summary.detail()));
        });
        for (const algo::DistanceHistogram& histogram : histograms) summary.histogram().merge(histogram);
    }
    [[nodiscard]] bool summarises_fully() const override { return true; }

private:
    /// Searches from each source, on all threads, and calls use(position among the sources, labels).
    template <typename Use>
    void for_each_search(Use&& use)
    {
        const auto search = [&](std::size_t row) {
            searches_[static_cast<std::size_t>(omp_get_thread_num())]->run(
                sources_[row], [&](const auto& labels) { use(row, labels); });
        };
        parallel_items(sources_.size(), search, 1, static_cast<int>(searches_.size()));
    }

    std::unique_ptr<typename Search::Graph> graph_;
    std::size_t batch_bytes_;
    std::size_t columns_;
    bool with_parents_;
    std::vector<std::unique_ptr<Search>> searches_;  // by thread
    std::span<const Vertex> sources_;
    HostBuffer<Out> rows_;
    HostBuffer<std::int32_t> parents_;
};

}  // namespace wayfront::cpu
