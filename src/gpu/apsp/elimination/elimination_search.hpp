// All pairs on a GPU by the elimination of vertices (algo/apsp/elimination.hpp). Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algo/apsp/elimination.hpp"
#include "gpu/apsp/rows/typed_rows.hpp"

namespace wayfront::gpu {
class Stream;
}  // namespace wayfront::gpu

namespace wayfront::gpu::apsp {

/// Figures of the distances from one source, including the distance to itself if the source has
/// edges.
struct EliminationFacts
{
    std::uint64_t sum;
    std::uint32_t reached;
    std::uint32_t most;
};

class EliminationSearch
{
public:
    /// Twice the number of bins of a histogram, so that the guessed width may be too small by a
    /// factor of two.
    static constexpr std::uint32_t kBins = 2048;

    /// Copies the tree to this process's GPU, and allocates memory for `most_sources` sources at
    /// once. Throws ResourceError.
    EliminationSearch(const algo::Elimination& tree, std::size_t most_sources);
    ~EliminationSearch();
    EliminationSearch(const EliminationSearch&) = delete;
    EliminationSearch& operator=(const EliminationSearch&) = delete;

    struct Found
    {
        std::span<const EliminationFacts> facts;  // facts of each source
        // kBins bins; bin b counts the distances from b << exponent to ((b + 1) << exponent) - 1.
        std::span<const unsigned long long> bins;
        int exponent = 0;
        std::uint32_t most = 0;  // largest distance, not less than the argument `most`
    };
    /// Counts the distances from `count` sources in bins that are not wider than the bins of a
    /// DistanceHistogram of these distances and of distances up to `most`. `sources` are vertices
    /// in device memory. `exponent`: guess of the width; if it is wrong, all distances are counted
    /// again. Waits for the stream. The result is valid until the next call.
    [[nodiscard]] Found count(const std::uint32_t* sources, std::size_t count, int exponent, std::uint32_t most,
                              const Stream& stream);

    /// Starts to write the rows of `count` sources. `sources` is in device memory. The rows have
    /// vertices() distances, as uint16 or int32.
    void search(const std::uint32_t* sources, std::size_t count, const TypedRows& rows, const Stream& stream);

    [[nodiscard]] std::size_t vertices() const;
    [[nodiscard]] std::size_t bytes() const;
    /// An upper bound of the bytes for a tree.
    [[nodiscard]] static std::size_t most_bytes(const algo::Elimination& tree, std::size_t most_sources);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
