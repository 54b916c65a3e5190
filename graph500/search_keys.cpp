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
    : vertex_count_(vertex_count),
      remaining_(vertex_count),
      state_(mrg_skip(mrg_seed(seed1, seed2), {.low = 0, .middle = 0, .high = 2}))
{
}

std::optional<Vertex> SearchKeyStream::next()
{
    if (remaining_ == 0) return std::nullopt;
    --remaining_;
    // Candidates are four draws apart: a candidate takes four draws.
    const double first = draw_unit(state_);
    const double second = draw_unit(state_);
    return static_cast<Vertex>((first + second) * static_cast<double>(vertex_count_)) % vertex_count_;
}

std::vector<Vertex> choose_search_keys(Vertex vertex_count, std::uint64_t seed1, std::uint64_t seed2, std::size_t count,
                                       const HasEdges& has_edges)
{
    constexpr std::size_t kBatchInOrder = std::size_t{1} << 16;
    std::vector<Vertex> keys;
    std::unordered_set<Vertex> chosen;
    std::vector<Vertex> batch;
    // Takes batches of up to wanted() candidates until there are enough keys, or no candidates.
    const auto choose = [&](const auto& next, const auto& wanted) {
        while (keys.size() < count) {
            batch.clear();
            for (std::size_t left = wanted(); left > 0; --left) {
                const std::optional<Vertex> candidate = next();
                if (!candidate) break;
                batch.push_back(*candidate);
            }
            if (batch.empty()) return;
            const std::vector<bool> touched = has_edges(batch);
            for (std::size_t i = 0; i < batch.size() && keys.size() < count; ++i)
                if (touched[i] && chosen.insert(batch[i]).second) keys.push_back(batch[i]);
        }
    };
    SearchKeyStream candidates(vertex_count, seed1, seed2);
    // One batch has enough candidates even if most vertices are isolated.
    choose([&] { return candidates.next(); }, [&] { return 4 * (count - keys.size()); });
    Vertex vertex = 0;
    choose([&] { return vertex < vertex_count ? std::optional(vertex++) : std::nullopt; },
           [] { return kBatchInOrder; });
    return keys;
}

}  // namespace wayfront::graph500
