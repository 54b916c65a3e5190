#include "session/input/watched_edges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace wayfront::session {

void WatchedSource::edges(EdgeCount first, std::span<PackedEdge> out) const
{
    constexpr std::size_t piece_edges = std::size_t{1} << 18;
    for (std::size_t done = 0; done < out.size(); done += piece_edges) {
        const std::size_t count = std::min(piece_edges, out.size() - done);
        source_.edges(first + static_cast<EdgeCount>(done), out.subspan(done, count));
        progress_.advance(count);
    }
}

std::span<const PackedEdge> WatchedFeed::chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const
{
    if (first == 0) {
        reported_ = 0;
        progress_.begin(fmt::format("pass {} over the edges", ++pass_), static_cast<std::uint64_t>(size()));
    } else if (first > reported_) {
        progress_.advance(static_cast<std::uint64_t>(first - std::exchange(reported_, first)));
    }
    return feed_.chunk(first, count, scratch);
}

}  // namespace wayfront::session
