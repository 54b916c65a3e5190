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

/// `Searches`: HostGraphBfs or SsspSearches. All functions are collective.
template <typename Searches>
struct ObjectSearches
{
    std::shared_ptr<const Ranks> ranks;
    session::PreparedGraph prepared;  // its input without edges
    std::unique_ptr<Searches> search;
    // Searches from several sources at once, if those of `search` start from one.
    std::unique_ptr<Searches> from_several{};
    bool several_prepared = false;  // which is done when they are needed
    Usable usable;
    std::vector<Vertex> sources{};  // of the last search, if it has a result
    Searches* last = nullptr;       // that ran it
    bool nearest = false;           // whether it started from several sources

    /// The result of search_from(keys, false, result), which fills in all but the source. Errors become
    /// those that the header documents.
    template <typename Result, typename F>
    [[nodiscard]] Result result_from(Vertex source, F&& search_from)
    {
        const auto keys_of = [&] { return std::vector{prepared.input.inside("source", source)}; };
        return result_of<Result>(
            keys_of, [&](const std::vector<Vertex>& keys, Result& result) { search_from(keys, false, result); });
    }
    /// As above, of search_from(keys, true, result).
    template <typename Result, typename F>
    [[nodiscard]] Result nearest_from(std::span<const Vertex> from, F&& search_from)
    {
        const auto keys_of = [&] { return inside_of(prepared.input, from); };
        return result_of<Result>(
            keys_of, [&](const std::vector<Vertex>& keys, Result& result) { search_from(keys, true, result); });
    }

    /// Searches from one key, or from all of them at once, and writes the seconds of it. `type` is the
    /// object's. `prepare_several` makes from_several. The search becomes the last one by keep().
    template <typename Prepare>
    [[nodiscard]] Searches& run(const char* type, const std::vector<Vertex>& keys, bool from_all, double& seconds,
                                Prepare&& prepare_several)
    {
        sources.clear();
        if (from_all && !several_prepared) {
            from_several = std::forward<Prepare>(prepare_several)();
            several_prepared = true;
        }
        Searches& searches = from_all && from_several ? *from_several : *search;
        seconds = usable.run(type, [&] { return from_all ? searches.run_nearest(keys) : searches.run(keys.front()); });
        return searches;
    }
    /// An estimate, from above, of the bytes on this rank of what a search from several sources returns: for each
    /// vertex a distance, a parent and the nearest source.
    [[nodiscard]] double nearest_result_bytes(bool gather) const
    {
        constexpr double bytes_of_vertex = sizeof(std::int64_t) + 2 * sizeof(Vertex);
        const DistributedGraph& graph = *prepared.graph;
        const double others =
            gather && ranks->world.size() > 1 ? static_cast<double>(graph.partition.vertex_count()) : 0;
        return bytes_of_vertex * (graph.local_count() + others);
    }
    void keep(Searches& searches, const std::vector<Vertex>& keys, bool from_all)
    {
        sources = keys;
        last = &searches;
        nearest = from_all;
    }

private:
    template <typename Result, typename Keys, typename F>
    [[nodiscard]] Result result_of(Keys&& keys_of, F&& search_from)
    {
        const comm::Communicator& world = ranks->world;
        const ThreadsRestored threads(ranks->job.threads());
        return with_documented_errors(world, [&] {
            const std::vector<Vertex> keys = comm::run_agreed(world, std::forward<Keys>(keys_of));
            Result result;
            result.source = prepared.input.outside(keys.front());
            std::forward<F>(search_from)(keys, result);
            return result;
        });
    }
};

}  // namespace wayfront
