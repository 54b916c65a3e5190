#include "app/search/device_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace wayfront::app {

namespace {

/// Ranks on GPUs. Each goes to the GPU with fewest ranks of those that it reaches, where it may push ranks that came before to others of theirs.
class SemiMatching
{
public:
    explicit SemiMatching(const std::vector<std::vector<int>>& visible) : visible_(visible), chosen_(visible.size(), 0) {}

    void place(std::size_t rank)
    {
        for (std::size_t room = 1;; ++room) {
            tried_.clear();
            if (seat(rank, room)) return;
        }
    }

    [[nodiscard]] const std::vector<int>& chosen() const { return chosen_; }

private:
    /// Whether there is a place for a rank on a GPU that has less than `room` ranks then; takes it, and pushes others on where that is needed.
    bool seat(std::size_t rank, std::size_t room)
    {
        const std::vector<int>& gpus = visible_[rank];
        const auto emptiest = std::ranges::min_element(gpus, {}, [this](int gpu) { return users_[gpu].size(); });
        if (users_[*emptiest].size() < room) {
            take(rank, static_cast<std::size_t>(emptiest - gpus.begin()));
            return true;
        }
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            if (std::ranges::count(tried_, gpus[i]) != 0) continue;
            tried_.push_back(gpus[i]);
            const std::vector<std::size_t> there = users_[gpus[i]];
            for (const std::size_t other : there) {
                if (!seat(other, room)) continue;
                std::erase(users_[gpus[i]], other);
                take(rank, i);
                return true;
            }
        }
        return false;
    }

    void take(std::size_t rank, std::size_t i)
    {
        users_[visible_[rank][i]].push_back(rank);
        chosen_[rank] = static_cast<int>(i);
    }

    const std::vector<std::vector<int>>& visible_;
    std::map<int, std::vector<std::size_t>> users_;
    std::vector<int> tried_;  // GPUs, for the rank that is placed and this room
    std::vector<int> chosen_;
};

}  // namespace

std::vector<int> choose_devices(const std::vector<std::vector<int>>& visible)
{
    SemiMatching matching(visible);
    for (std::size_t rank = 0; rank < visible.size(); ++rank) matching.place(rank);
    return matching.chosen();
}

}  // namespace wayfront::app
