// A search for shortest paths on GPUs, as the host sees it. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace wayfront::gpu::sssp {

/// A step of a search, between two barriers of its kernel.
struct SsspStepRecord
{
    const char* step;
    std::uint64_t vertices;  // vertices at the beginning of the step
    double seconds;
    std::uint64_t sent_bytes = 0;  // by this GPU, in messages
};

struct SsspFacts
{
    std::uint64_t reached = 0;
    std::uint64_t relaxed_arcs = 0;  // that pushes looked at
    std::uint64_t pulled_arcs = 0;   // that pulls looked at
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

    /// Searches from a vertex. Afterwards the results are in device memory.
    virtual void run(Vertex source) = 0;

    /// Whether run_nearest() is possible. If not, it throws std::logic_error, like the next two.
    [[nodiscard]] virtual bool starts_from_several() const { return false; }
    /// Allocates what run_nearest() needs. Throws ResourceError.
    virtual void prepare_nearest() { throw_one_source(); }
    /// Searches from all of `sources` at once, which are distinct, on one GPU: parents lead to the nearest one.
    virtual void run_nearest(std::span<const Vertex> /*sources*/) { throw_one_source(); }
    /// Copies the nearest sources of the last run_nearest(), by local number; -1 if not reached.
    virtual void copy_nearest(std::span<std::int32_t> /*nearest*/) const { throw_one_source(); }

    /// Collects the facts of the last search from all ranks, for facts() and overflowed(). To be
    /// called after each run(). Collective.
    virtual void collect() {}

    [[nodiscard]] virtual SsspFacts facts() const = 0;
    /// Whether the results of the last search may be incomplete, since a whole distance did not fit
    /// 32 bits, or a float one may be infinite.
    [[nodiscard]] virtual bool overflowed() const = 0;
    /// Whether overflowed() will be true after every search, because the sum of the float weights
    /// is more than half of the largest float.
    [[nodiscard]] virtual bool always_overflows() const { return false; }
    /// Copies the last results: distances as their bits (infinity, or the largest number, if not
    /// reached), and the input's numbers of parents (-1), by local number.
    virtual void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const = 0;
    /// The method, with its parameters, in words.
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
