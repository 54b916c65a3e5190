#include "plan/device_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace wayfront::plan {

namespace {

/// Assigns ranks to GPUs. Each new rank gets the GPU with the fewest ranks among the GPUs that it
/// sees. Ranks that have a GPU may be moved to another GPU that they see.
class SemiMatching
{
public:
    explicit SemiMatching(const std::vector<std::vector<int>>& visible) : visible_(visible), chosen_(visible.size(), 0)
    {
    }

    void place(std::size_t rank)
    {
        for (std::size_t room = 1;; ++room) {
            tried_.clear();
            if (seat(rank, room)) return;
        }
    }

    [[nodiscard]] const std::vector<int>& chosen() const { return chosen_; }

private:
    /// Places `rank` on a GPU that has less than `room` ranks, and moves other ranks if that is
    /// necessary. Returns false if there is no such place.
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
    std::vector<int> tried_;  // the GPUs that were tried for the rank with this `room`
    std::vector<int> chosen_;
};

}  // namespace

std::vector<int> choose_devices(const std::vector<std::vector<int>>& visible)
{
    SemiMatching matching(visible);
    for (std::size_t rank = 0; rank < visible.size(); ++rank) matching.place(rank);
    return matching.chosen();
}

}  // namespace wayfront::plan
