// Stretches of a bottom-up level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront::gpu::bfs {

/// The stretches of a bitmap whose chunks have equal size: stretch i has the same words of every
/// chunk. A word has 32 bits.
struct Stretches
{
    std::size_t chunks = 1;
    std::size_t chunk_words = 0;
    std::size_t stretch_words = 1;  // the last stretch may have fewer

    [[nodiscard]] std::size_t count() const { return (chunk_words + stretch_words - 1) / stretch_words; }

    /// Calls f(words) for the words of the stretch in each chunk.
    template <typename F>
    void for_each_range(std::size_t stretch, F&& f) const
    {
        const std::size_t first = stretch * stretch_words;
        const std::size_t last = std::min(first + stretch_words, chunk_words);
        for (std::size_t chunk = 0; chunk < chunks; ++chunk)
            f(IndexRange{chunk * chunk_words + first, chunk * chunk_words + last});
    }
};

/// Largest number of stretches of a level. A stretch costs a launch per chunk, and time on the
/// host.
inline constexpr std::size_t kMostStretches = 16;

/// The number of slots of a stretch whose results are taken separately, a positive multiple of 64.
/// All stretches have equal size. Their number is the largest one, between 1 and kMostStretches,
/// with at least `least` slots in each stretch.
inline std::uint32_t slots_per_stretch(std::uint32_t slot_stride, std::uint32_t least)
{
    const std::size_t stretches = std::clamp<std::size_t>(slot_stride / least, 1, kMostStretches);
    return static_cast<std::uint32_t>(std::max(kWordBits, round_up_to_word((slot_stride + stretches - 1) / stretches)));
}

}  // namespace wayfront::gpu::bfs
