#include <bit>
#include <utility>

#include <cuda/atomic>

#include "gpu/kron/validation_levels.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::kron {

namespace {

// Orders of the faults that find_levels() offers: the class in the upper half, the vertex in the
// lower half.

/// The parent is not a vertex or is the vertex itself, or the key's parent is not the key.
constexpr Counter kBadParent = 0;
/// A reached vertex has a parent that was not reached.
constexpr Counter kUnreachedParent = Counter{1} << 32;
/// The walk is longer than kDeepestByteLevel, or does not reach the key.
constexpr Counter kLongWalk = Counter{2} << 32;

/// The length of the walk from v up to the key; kNoByteLevel if the walk does not reach the key.
/// Pre: v is reached and is not the key.
__device__ std::uint32_t walk_to_key(const ParentTree& tree, std::uint32_t v, std::uint32_t parent, Findings& findings)
{
    const RankMajorLayout& layout = tree.layout;
    if (parent >= layout.vertices || parent == v) {
        offer(findings, kBadParent | v);
        return kNoByteLevel;
    }
    std::uint32_t ancestor = parent;
    for (std::uint32_t level = 1; level <= kDeepestByteLevel; ++level) {
        if (ancestor == tree.key) return level;
        const std::int32_t next = tree.parent(layout.index(ancestor));
        // The fault belongs to the ancestor, or to its child on the walk.
        if (static_cast<std::uint32_t>(next) >= layout.vertices) {
            if (level == 1 && next == static_cast<std::int32_t>(kUnreached)) offer(findings, kUnreachedParent | v);
            return kNoByteLevel;
        }
        ancestor = static_cast<std::uint32_t>(next);
    }
    offer(findings, kLongWalk | v);
    return kNoByteLevel;
}

/// Finds each vertex's level by a walk, and stores it.
__global__ void find_levels(ParentTree tree, std::uint8_t* levels, Findings* findings)
{
    const RankMajorLayout& layout = tree.layout;
    for (std::uint64_t i = first_index(); i < layout.indices(); i += index_stride()) {
        const std::uint64_t v = layout.vertex(static_cast<std::uint32_t>(i));
        std::uint32_t level = kNoByteLevel;
        if (v < layout.vertices) {
            const std::int32_t parent = tree.parent(i);
            if (v == tree.key) {
                level = 0;
                if (parent != static_cast<std::int32_t>(tree.key)) offer(*findings, kBadParent | v);
            } else if (parent != static_cast<std::int32_t>(kUnreached)) {
                level = walk_to_key(tree, static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(parent), *findings);
            }
        }
        levels[i] = static_cast<std::uint8_t>(level);
    }
}

/// Writes the first step of each vertex, which leads to its parent. Pre: find_levels() found only
/// long walks.
__global__ void begin_doubling(ParentTree tree, std::uint64_t* steps)
{
    const RankMajorLayout& layout = tree.layout;
    const std::uint64_t key_index = layout.index(tree.key);
    for (std::uint64_t i = first_index(); i < layout.indices(); i += index_stride()) {
        const std::uint64_t v = layout.vertex(static_cast<std::uint32_t>(i));
        const std::int32_t parent = v < layout.vertices ? tree.parent(i) : static_cast<std::int32_t>(kUnreached);
        if (parent == static_cast<std::int32_t>(kUnreached))
            steps[i] = key_index << 32 | kNoLevel;
        else if (v == tree.key)
            steps[i] = key_index << 32;
        else
            steps[i] = std::uint64_t{layout.index(static_cast<std::uint32_t>(parent))} << 32 | 1;
    }
}

/// Appends the ancestor's step to the step of each vertex below the key. The ancestor's step may be
/// from before or after this round; both lead upwards. Offers the vertices that have not reached
/// the key yet.
__global__ void double_steps(RankMajorLayout layout, std::uint32_t key, std::uint64_t* steps, Findings* findings)
{
    using Step = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>;
    const std::uint32_t key_index = layout.index(key);
    for (std::uint64_t i = first_index(); i < layout.indices(); i += index_stride()) {
        const std::uint64_t own = steps[i];
        const auto ancestor = static_cast<std::uint32_t>(own >> 32);
        if (ancestor == key_index) continue;
        const std::uint64_t above = Step(steps[ancestor]).load(cuda::memory_order_relaxed);
        // The sum may wrap around on a cycle.
        const std::uint32_t distance = static_cast<std::uint32_t>(own) + static_cast<std::uint32_t>(above);
        Step(steps[i]).store((above >> 32 << 32) | distance, cuda::memory_order_relaxed);
        if (static_cast<std::uint32_t>(above >> 32) != key_index)
            offer(*findings, layout.vertex(static_cast<std::uint32_t>(i)));
    }
}

Fault fault_of(Counter order, const ParentTree& tree, const Stream& stream)
{
    if (order >= kUnreachedParent) return Fault::parent_unreached;
    const auto v = static_cast<std::uint32_t>(order);
    if (v == tree.key) return Fault::key_parent;
    return fetch(tree.parents + tree.layout.index(v), stream) == static_cast<std::int32_t>(v) ? Fault::own_parent
                                                                                              : Fault::parent_range;
}

}  // namespace

TreeLevels tree_levels(const ParentTree& tree, std::uint8_t* byte_levels, FindingsCell& findings, const Stream& stream)
{
    const RankMajorLayout& layout = tree.layout;
    findings.reset(stream);
    launch(find_levels, layout.indices(), stream, tree, byte_levels, findings.data());
    const Counter worst = findings.read(stream).first;
    TreeLevels result;
    if (worst == kNone) return result;
    if (worst < kLongWalk) {
        result.fault = fault_of(worst, tree, stream);
        result.offender = static_cast<std::uint32_t>(worst);
        return result;
    }

    result.deep_steps = DeviceBuffer<std::uint64_t>(layout.indices());
    launch(begin_doubling, layout.indices(), stream, tree, result.deep_steps.data());
    const int most_rounds = static_cast<int>(std::bit_width(layout.vertices));
    for (int round = 0; round < most_rounds; ++round) {
        findings.reset(stream);
        launch(double_steps, layout.indices(), stream, layout, tree.key, result.deep_steps.data(), findings.data());
        const Counter below = findings.read(stream).first;
        if (below == kNone) return result;
        result.offender = static_cast<std::uint32_t>(below);
    }
    result.fault = Fault::cycle;
    return result;
}

}  // namespace wayfront::gpu::kron
