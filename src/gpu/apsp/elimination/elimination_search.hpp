// All pairs on a GPU by the elimination of vertices (algo/apsp/elimination.hpp). Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/elimination.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// The distances from one source, including the distance to itself if it has edges.
struct EliminationFacts
{
    std::uint64_t sum;
    std::uint32_t reached;
    std::uint32_t most;
};

class EliminationSearch
{
public:
    /// Twice those of a histogram, so that a guess of the width may be too small by a factor of two.
    static constexpr std::uint32_t kBins = 2048;

    /// Copies the tree to this process's GPU, and allocates memory for up to `most_sources` at
    /// once. Throws ResourceError.
    EliminationSearch(const algo::Elimination& tree, std::size_t most_sources);
    ~EliminationSearch();
    EliminationSearch(const EliminationSearch&) = delete;
    EliminationSearch& operator=(const EliminationSearch&) = delete;

    struct Found
    {
        std::span<const EliminationFacts> facts;  // of each source
        // Distances from bin << exponent to ((bin + 1) << exponent) - 1; kBins bins.
        std::span<const unsigned long long> bins;
        int exponent = 0;
        std::uint32_t most = 0;  // the largest distance, at least the caller's
    };
    /// Counts the distances from `count` sources, which are vertices in device memory, in bins that
    /// are at most as wide as those of a DistanceHistogram of them and of distances up to `most`.
    /// `exponent` is a guess of their width; if it does not suit, all are counted again. Waits for
    /// the stream. The result is valid until the next call.
    [[nodiscard]] Found count(const std::uint32_t* sources, std::size_t count, int exponent, std::uint32_t most,
                              const Stream& stream);

    /// Starts to write the rows of `count` sources, which are in device memory, one after the
    /// other. `type` is uint16 or int32.
    void search(const std::uint32_t* sources, std::size_t count, algo::DistanceType type, std::byte* rows,
                std::size_t stride, const Stream& stream);

    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the bytes, for use before they are allocated.
    [[nodiscard]] static std::size_t most_bytes(const algo::Elimination& tree, std::size_t most_sources);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
