// Searches of one graph from one key after another, by any algorithm and on any processors, as they
// are timed and reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/phase.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::session {

/// The engine of a search, for reports. Equal on all ranks, except that the bytes are this rank's.
struct EngineFacts
{
    std::string engine;                   // "cpu", "gpu", "split:0.25"
    std::int64_t connected_vertices = 0;  // the vertices of the graph that have edges

    // The following are of searches on GPUs.
    std::string device;           // the GPU's name; empty on the CPU
    std::string transport;        // how GPUs reach each other
    std::size_t graph_bytes = 0;  // the bytes of device memory that the graph uses
    std::size_t state_bytes = 0;  // the bytes of device memory besides the graph
    // The bytes of device memory that the construction took at its peak; 0 if the host constructed
    // the graph.
    std::size_t construction_peak_bytes = 0;
};

/// Every member function is collective over the grid's world.
class TimedSearch
{
public:
    TimedSearch(const TimedSearch&) = delete;  // parts refer to each other
    TimedSearch& operator=(const TimedSearch&) = delete;
    virtual ~TimedSearch() = default;

    /// Returns for each vertex whether it has an edge other than a self-loop; false for numbers
    /// beyond the last vertex.
    [[nodiscard]] virtual std::vector<bool> have_edges(std::span<const Vertex> vertices) const = 0;

    /// Searches from `key` and returns the seconds of the slowest rank, from before the key is
    /// visited until the result is complete. Before the timed search, an engine may adapt itself to
    /// the times of the last search, and repeat that search to do so.
    double run(Vertex key)
    {
        tune();
        timed_search(std::span(&key, 1), false);
        note_search();
        return seconds_;
    }
    /// Whether a search has run, so that its memory is in use.
    [[nodiscard]] bool has_searched() const { return !sources_.empty(); }
    /// Whether run_nearest() is possible. Searches of several GPUs on their own start from one vertex.
    [[nodiscard]] virtual bool starts_from_several() const { return true; }
    /// Allocates the device memory that run_nearest() needs, if it needs any. Throws ResourceError.
    virtual void prepare_nearest() {}
    /// Searches from all of `sources` at once, which are distinct and ascending, and returns the seconds as
    /// run() does; the engine does not adapt itself before. The result has the nearest source of each vertex.
    /// Throws std::logic_error if starts_from_several() is false.
    double run_nearest(std::span<const Vertex> sources)
    {
        timed_search(sources, true);
        note_search();
        return seconds_;
    }

protected:
    /// The grid outlives the object.
    explicit TimedSearch(const comm::ProcessGrid& grid) : grid_(grid) {}

    [[nodiscard]] const comm::ProcessGrid& grid() const { return grid_; }
    [[nodiscard]] const comm::Communicator& world() const { return grid_.world(); }
    // The following are of the last search.
    [[nodiscard]] Vertex key() const { return sources_.front(); }
    [[nodiscard]] std::span<const Vertex> sources() const { return sources_; }
    [[nodiscard]] bool is_nearest() const { return is_nearest_; }  // whether it was run_nearest()
    /// The time of the last search; equal on all ranks.
    [[nodiscard]] double seconds() const { return seconds_; }

    /// Searches between two barriers: from one vertex, or for the nearest one of several.
    void timed_search(std::span<const Vertex> sources, bool is_nearest)
    {
        sources_.assign(sources.begin(), sources.end());
        is_nearest_ = is_nearest;
        world().barrier();
        const Clock::time_point begin = Clock::now();
        if (is_nearest)
            search_nearest(sources_);
        else
            search(sources_.front());
        world().barrier();
        seconds_ = world().all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);
    }

private:
    /// Is called before each search; its time does not count.
    virtual void tune() {}
    virtual void search(Vertex key) = 0;
    virtual void search_nearest(std::span<const Vertex> /*sources*/)
    {
        throw std::logic_error("searches that start from one vertex are run from several");
    }
    /// Is called after each search; its time does not count.
    virtual void note_search() {}

    const comm::ProcessGrid& grid_;
    std::vector<Vertex> sources_;
    bool is_nearest_ = false;
    double seconds_ = 0;
};

/// Prepares run_nearest(). Returns false if it is not possible, or if device memory does not suffice.
[[nodiscard]] inline bool can_prepare_nearest(TimedSearch& searches)
{
    return searches.starts_from_several() &&
           plan::memory_obstacle_of([&] { searches.prepare_nearest(); }).words.empty();
}

}  // namespace wayfront::session
