// The first step of validation on the GPU: the levels of all vertices, from the parents alone, and what kernels of validation report.
//
// A level is the length of the walk from the vertex up to the key, one thread a vertex: four or five random loads each in a Kronecker graph. Where a
// walk is longer than a byte can tell, all levels are found again by pointer doubling, in 64-bit pairs of ancestor and distance, whose distances at
// least double in a round: after ceil(log2 n) rounds a vertex that has not arrived hangs from a cycle.
//
// Pointer doubling: J. C. Wyllie: The complexity of parallel computations. PhD thesis, Cornell University, 1979.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "gpu/kron/validation.hpp"
#include "gpu/kron/validation_layout.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

using Counter = unsigned long long;  // the type that atomicMin and atomicAdd take

inline constexpr Counter kNone = ~Counter{0};

/// What a kernel found. `first` is the least order of what is wrong; what an order means differs from kernel to kernel.
struct Findings
{
    Counter first = kNone;
    Counter tuples = 0;
    Counter reached = 0;
    Counter deepest = 0;
};

/// Notes something wrong.
__device__ inline void offer(Findings& findings, Counter order)
{
    if (order < findings.first) atomicMin(&findings.first, order);  // a stale value is too large, and costs an atomic
}

/// Findings in device memory, and the way to them and back.
class FindingsCell
{
public:
    FindingsCell() : device_(1), host_(2) { host_.data()[0] = Findings{}; }

    [[nodiscard]] Findings* data() noexcept { return device_.data(); }
    /// Nothing is found yet.
    void reset(const Stream& stream) { copy_async(std::span<const Findings>(host_.data(), 1), device_.span(), stream); }
    /// Waits for the stream.
    [[nodiscard]] Findings read(const Stream& stream)
    {
        copy_async(std::span<const Findings>(device_.data(), 1), host_.span().subspan(1), stream);
        stream.synchronize();
        return host_.data()[1];
    }

private:
    DeviceBuffer<Findings> device_;
    PinnedBuffer<Findings> host_;  // nothing found; what was read last
};

/// The level of an unreached vertex: in 32-bit arithmetic that wraps, further than 1 from any level, of its array.
inline constexpr std::uint32_t kNoByteLevel = 255;
inline constexpr std::uint32_t kDeepestByteLevel = 253;
inline constexpr std::uint32_t kNoLevel = 0xC0000000;

/// Levels of trees that are at most kDeepestByteLevel deep.
struct ByteLevels
{
    static constexpr std::uint32_t kUnreachedLevel = kNoByteLevel;
    const std::uint8_t* levels;
    [[nodiscard]] __device__ std::uint32_t operator[](std::uint32_t i) const { return __ldg(levels + i); }
};

/// Steps of pointer doubling: the index of an ancestor in the upper half, the distance from there in the lower. In the end the ancestor is the key.
struct DeepLevels
{
    static constexpr std::uint32_t kUnreachedLevel = kNoLevel;
    const std::uint64_t* steps;
    [[nodiscard]] __device__ std::uint32_t operator[](std::uint32_t i) const { return static_cast<std::uint32_t>(__ldg(steps + i)); }
};

/// What tree_levels found.
struct TreeLevels
{
    Fault fault = Fault::none;  // of rule 1; the levels are then worthless
    std::uint32_t offender = 0;
    DeviceBuffer<std::uint64_t> deep_steps;  // empty: all levels fit bytes
};

/// Finds the levels of all vertices from the gathered parents, and writes them to `byte_levels`, layout.indices() elements, if they fit. Waits for
/// the stream. Allocates 8 bytes an index for a tree deeper than kDeepestByteLevel, or a cycle.
[[nodiscard]] TreeLevels tree_levels(const RankMajorLayout& layout, std::uint32_t key, const std::int32_t* parents, std::uint8_t* byte_levels,
                                     FindingsCell& findings, const Stream& stream);

}  // namespace wayfront::gpu
