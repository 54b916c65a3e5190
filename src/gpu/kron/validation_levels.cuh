// The first step of validation on the GPU, which finds the levels of all vertices from the parents
// alone, and the findings that kernels of validation report.
//
// A level is the length of the walk from the vertex up to the key. One thread walks for each
// vertex: four or five random loads in a Kronecker graph. If a walk is too long for a byte, all
// levels are computed again by pointer doubling, in 64-bit pairs of ancestor and distance. The
// distances at least double in each round, so a vertex that has not reached the key after ceil(log2
// n) rounds descends from a cycle.
//
// Pointer doubling: J. C. Wyllie: The complexity of parallel computations. PhD thesis, Cornell
// University, 1979.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"
#include "gpu/kron/validation.hpp"
#include "gpu/kron/validation_layout.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::kron {

using Counter = unsigned long long;  // type of the operands of atomicMin and atomicAdd

inline constexpr Counter kNone = ~Counter{0};

/// The findings of a kernel. `first` is the smallest order of the faults that it found; each kernel
/// defines its orders.
struct Findings
{
    Counter first = kNone;
    Counter tuples = 0;
    Counter reached = 0;
    Counter deepest = 0;
};

/// Reports a fault with this order.
__device__ inline void offer(Findings& findings, Counter order)
{
    // An outdated value is too large, and only costs an atomic operation.
    if (order < findings.first) atomicMin(&findings.first, order);
}

struct FindingsPlan : MemoryPlan
{
    FindingsPlan() : findings(array<Findings>("findings", 1)) {}

    PlannedArray<Findings> findings;
};

/// Findings in device memory, and their copies on the host.
class FindingsCell
{
public:
    FindingsCell() : device_(FindingsPlan().findings), host_(2) { host_.data()[0] = Findings{}; }

    [[nodiscard]] Findings* data() noexcept { return device_.data(); }
    /// Resets the findings to none.
    void reset(const Stream& stream) { copy_async(std::span<const Findings>(host_.data(), 1), device_.span(), stream); }
    /// Returns the findings. Waits for the stream.
    [[nodiscard]] Findings read(const Stream& stream)
    {
        copy_async(std::span<const Findings>(device_.data(), 1), host_.span().subspan(1), stream);
        stream.synchronize();
        return host_.data()[1];
    }

private:
    DeviceBuffer<Findings> device_;
    // Element 0: no findings. Element 1: the last findings that were read.
    PinnedBuffer<Findings> host_;
};

/// The result of a search: a tree, by the parents of all vertices.
struct ParentTree
{
    RankMajorLayout layout;
    std::uint32_t key;
    const std::int32_t* parents;  // by index

    /// The parent of the vertex at index i.
    [[nodiscard]] __device__ std::int32_t parent(std::uint64_t i) const { return __ldg(parents + i); }
};

/// The levels of unreached vertices in both kinds of arrays. In 32-bit arithmetic, which wraps
/// around, they differ by more than 1 from any level in the array.
inline constexpr std::uint32_t kNoByteLevel = 255;
inline constexpr std::uint32_t kDeepestByteLevel = 253;
inline constexpr std::uint32_t kNoLevel = 0xC0000000;

/// Levels of trees whose depth is at most kDeepestByteLevel.
struct ByteLevels
{
    static constexpr std::uint32_t kUnreachedLevel = kNoByteLevel;
    const std::uint8_t* levels;
    [[nodiscard]] __device__ std::uint32_t operator[](std::uint32_t i) const { return __ldg(levels + i); }
};

/// Steps of pointer doubling: the upper half is the index of an ancestor, the lower half the
/// distance to this ancestor. After the last round, the ancestor is the key.
struct DeepLevels
{
    static constexpr std::uint32_t kUnreachedLevel = kNoLevel;
    const std::uint64_t* steps;
    [[nodiscard]] __device__ std::uint32_t operator[](std::uint32_t i) const
    {
        return static_cast<std::uint32_t>(__ldg(steps + i));
    }
};

/// The result of tree_levels().
struct TreeLevels
{
    Fault fault = Fault::none;  // fault of rule 1, with which the levels are undefined
    std::uint32_t offender = 0;
    DeviceBuffer<std::uint64_t> deep_steps;  // empty if all levels fit a byte
};

/// Finds the levels of all vertices from the gathered parents, and writes them to `byte_levels`,
/// which has tree.layout.indices() elements, if they fit. Waits for the stream. Allocates 8 bytes
/// per index if a tree is deeper than kDeepestByteLevel or has a cycle.
[[nodiscard]] TreeLevels tree_levels(const ParentTree& tree, std::uint8_t* byte_levels, FindingsCell& findings,
                                     const Stream& stream);

}  // namespace wayfront::gpu::kron
