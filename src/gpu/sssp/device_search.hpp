// The interface of a search for shortest paths on GPUs. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace wayfront::gpu::sssp {

/// A step of a search.
struct SsspStepRecord
{
    const char* step;
    std::uint64_t vertices;  // number of vertices at the beginning of the step
    double seconds;
    std::uint64_t sent_bytes = 0;  // bytes that this GPU has sent in messages
};

struct SsspFacts
{
    std::uint64_t reached = 0;
    std::uint64_t relaxed_arcs = 0;  // number of arcs that pushes read
    std::uint64_t pulled_arcs = 0;   // number of arcs that pulls read
    std::uint64_t steps = 0;
    std::vector<SsspStepRecord> records;
};

class DeviceSearch
{
public:
    DeviceSearch() = default;
    DeviceSearch(const DeviceSearch&) = delete;
    DeviceSearch& operator=(const DeviceSearch&) = delete;
    virtual ~DeviceSearch() = default;

    /// Searches from a vertex. The results are then in device memory.
    virtual void run(Vertex source) = 0;

    /// Whether run_nearest() is possible. If not, the next three functions throw std::logic_error.
    [[nodiscard]] virtual bool starts_from_several() const { return false; }
    /// Allocates the memory of run_nearest(). Throws ResourceError.
    virtual void prepare_nearest() { throw_one_source(); }
    /// Searches from all of `sources` at once, on one GPU: each vertex gets the distance to its
    /// nearest source. The sources are distinct.
    virtual void run_nearest(std::span<const Vertex> /*sources*/) { throw_one_source(); }
    /// Copies the nearest source of each vertex in the last run_nearest(), by local number; -1 if
    /// not reached.
    virtual void copy_nearest(std::span<std::int32_t> /*nearest*/) const { throw_one_source(); }

    /// Collects the facts of the last search from all ranks, for facts() and overflowed(). Must be
    /// called after each run(). Collective.
    virtual void collect() {}

    [[nodiscard]] virtual SsspFacts facts() const = 0;
    /// Whether the results of the last search may be incomplete, because a whole distance did not
    /// fit 32 bits or a float distance may be infinite.
    [[nodiscard]] virtual bool overflowed() const = 0;
    /// Whether overflowed() will be true after every search, because the sum of the float weights
    /// is more than half of the largest float.
    [[nodiscard]] virtual bool always_overflows() const { return false; }
    /// Copies the results of the last search, by local number: distances as their bits (if not
    /// reached, infinity or the largest whole number), and the input's numbers of parents (-1 if
    /// not reached).
    virtual void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const = 0;
    /// The method and its parameters, in words.
    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t graph_bytes() const = 0;
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

protected:
    [[noreturn]] static void throw_one_source()
    {
        throw std::logic_error("a search that starts from one source is run from several");
    }
};

}  // namespace wayfront::gpu::sssp
