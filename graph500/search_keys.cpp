#include "graph500/search_keys.hpp"

#include <unordered_set>

namespace wayfront::graph500 {

namespace {

/// A number in [0, 1) from 62 random bits.
double draw_unit(MrgState& state)
{
    constexpr double coarse = 4.65661287524579692e-10;  // 1 / (2^31 - 1)
    constexpr double fine = 2.168404346990492787e-19;   // about the square of `coarse`
    const double high = mrg_next(state) * coarse;
    const double low = mrg_next(state) * fine;
    return high + low;
}

}  // namespace

SearchKeyStream::SearchKeyStream(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2)
    : vertex_count_(vertex_count), remaining_(vertex_count), state_(mrg_skip(mrg_seed(seed1, seed2), {.low = 0, .middle = 0, .high = 2}))
{
}

std::optional<Vertex> SearchKeyStream::next()
{
    if (remaining_ == 0) return std::nullopt;
    --remaining_;
    // The four draws of a candidate are the distance between candidates.
    const double first = draw_unit(state_);
    const double second = draw_unit(state_);
    return static_cast<Vertex>((first + second) * static_cast<double>(vertex_count_)) % vertex_count_;
}

std::vector<Vertex> choose_search_keys(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2, std::size_t count, const HasEdges& has_edges)
{
    SearchKeyStream candidates(vertex_count, seed1, seed2);
    std::vector<Vertex> keys;
    std::unordered_set<Vertex> chosen;
    std::vector<Vertex> batch;
    while (keys.size() < count) {
        batch.clear();
        // Enough in one batch even if most vertices are isolated.
        const std::size_t wanted = 4 * (count - keys.size());
        while (batch.size() < wanted) {
            const std::optional<Vertex> candidate = candidates.next();
            if (!candidate) break;
            batch.push_back(*candidate);
        }
        if (batch.empty()) break;
        const std::vector<bool> touched = has_edges(batch);
        for (std::size_t i = 0; i < batch.size() && keys.size() < count; ++i) {
            if (touched[i] && chosen.insert(batch[i]).second) keys.push_back(batch[i]);
        }
    }
    return keys;
}

}  // namespace wayfront::graph500
