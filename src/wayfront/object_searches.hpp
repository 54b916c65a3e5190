// The parts that Bfs and ShortestPaths share: the prepared searches of an object, and which of them ran last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "comm/agreement.hpp"
#include "session/prepared_graph.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

/// The start of a search, with the numbers of the edge list.
struct Start
{
    std::vector<Vertex> sources{};
    bool nearest = false;  // whether one search starts from all of them
};

/// `Searches`: HostGraphBfs or SsspSearches. `Options`: those of the object. All functions are collective.
template <typename Searches, typename Options>
struct ObjectSearches
{
    ObjectSearches(std::shared_ptr<const Ranks> object_ranks, Options object_options)
        : ranks(std::move(object_ranks)), options(std::move(object_options))
    {
        options.on_progress = nullptr;
    }

    std::shared_ptr<const Ranks> ranks;
    Options options;                  // without on_progress
    session::PreparedGraph prepared;  // its input without edges
    std::unique_ptr<Searches> search;
    // Searches from several sources at once, if those of `search` start from one.
    std::unique_ptr<Searches> from_several{};
    bool several_prepared = false;  // whether from_several was prepared, which happens when it is needed
    Usable usable;
    Start last_start{};        // the start of the last search, if it has a result
    Searches* last = nullptr;  // the searches that ran the last search

    /// The result of search_from(start, result) from one source, which fills in all but the source. Errors
    /// become those that the header documents.
    template <typename Result, typename F>
    [[nodiscard]] Result result_from(Vertex source, F&& search_from)
    {
        return result_of<Result>([&] { return Start{{prepared.input.list_number("source", source)}}; },
                                 std::forward<F>(search_from));
    }
    /// The same from all of `sources` at once.
    template <typename Result, typename F>
    [[nodiscard]] Result nearest_from(std::span<const Vertex> sources, F&& search_from)
    {
        return result_of<Result>(
            [&] {
                return Start{list_numbers(prepared.input, sources), true};
            },
            std::forward<F>(search_from));
    }

    /// Searches, and writes the seconds of it. `type` is the object's. `prepare_several` makes from_several.
    /// The search becomes the last one by keep().
    template <typename Prepare>
    [[nodiscard]] Searches& run(const char* type, const Start& start, double& seconds, Prepare&& prepare_several)
    {
        last_start = {};
        if (start.nearest && !several_prepared) {
            from_several = std::forward<Prepare>(prepare_several)();
            several_prepared = true;
        }
        Searches& searches = start.nearest && from_several ? *from_several : *search;
        seconds = usable.run(type, [&] {
            return start.nearest ? searches.run_nearest(start.sources) : searches.run(start.sources.front());
        });
        return searches;
    }
    /// An estimate, from above, of the bytes on this rank of what a search from several sources returns: for each
    /// vertex a distance, a parent and the nearest source.
    [[nodiscard]] double nearest_result_bytes() const
    {
        constexpr double bytes_of_vertex = sizeof(std::int64_t) + 2 * sizeof(Vertex);
        const DistributedGraph& graph = *prepared.graph;
        const double others =
            options.gather && ranks->world.size() > 1 ? static_cast<double>(graph.partition.vertex_count()) : 0;
        return bytes_of_vertex * (graph.local_count() + others);
    }
    void keep(Searches& searches, const Start& start)
    {
        last_start = start;
        last = &searches;
    }

    /// Returns use(*last). Errors become those that the header documents, also the one if there is no result.
    template <typename Use>
    auto with_last(Use&& use) const
    {
        return with_documented_errors(ranks->world, [&] {
            require_result(*ranks, last_start.sources);
            return std::forward<Use>(use)(*last);
        });
    }

    /// Whether searches or their validation still read the edges.
    [[nodiscard]] bool reads_edges() const { return options.validate || prepared.lists_on_gpu; }
    [[nodiscard]] EngineDescription engine() const
    {
        const session::EngineFacts facts = search->facts();
        const comm::GridShape shape = prepared.grid->shape();
        return {facts.engine, facts.transport, facts.device, {shape.rows, shape.columns}};
    }

private:
    template <typename Result, typename MakeStart, typename F>
    [[nodiscard]] Result result_of(MakeStart&& make_start, F&& search_from)
    {
        const comm::Communicator& world = ranks->world;
        const ThreadsRestored threads(ranks->job.threads());
        return with_documented_errors(world, [&] {
            const Start start = comm::run_agreed(world, std::forward<MakeStart>(make_start));
            Result result;
            result.source = prepared.input.input_number(start.sources.front());
            std::forward<F>(search_from)(start, result);
            return result;
        });
    }
};

}  // namespace wayfront
