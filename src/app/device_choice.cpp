#include "app/device_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace wayfront::app {

namespace {

/// A matching of ranks with GPUs, each of which takes `room` ranks at most, by augmenting paths.
class Matching
{
public:
    explicit Matching(const std::vector<std::vector<std::string>>& visible) : visible_(visible), chosen_(visible.size(), 0) {}

    /// Places all ranks; whether they fit.
    [[nodiscard]] bool place(std::size_t room)
    {
        room_ = room;
        users_.clear();
        for (std::size_t rank = 0; rank < visible_.size(); ++rank) {
            tried_.clear();
            if (!seat(rank)) return false;
        }
        return true;
    }

    [[nodiscard]] const std::vector<int>& chosen() const { return chosen_; }

private:
    /// Places a rank, and other ranks elsewhere where that makes room.
    bool seat(std::size_t rank)
    {
        const std::vector<std::string>& gpus = visible_[rank];
        const auto emptiest = std::ranges::min_element(gpus, {}, [this](const std::string& gpu) { return users_[gpu].size(); });
        if (users_[*emptiest].size() < room_) {
            take(rank, static_cast<std::size_t>(emptiest - gpus.begin()));
            return true;
        }
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            if (std::ranges::count(tried_, gpus[i]) != 0) continue;
            tried_.push_back(gpus[i]);
            const std::vector<std::size_t> there = users_[gpus[i]];
            for (const std::size_t other : there) {
                if (!seat(other)) continue;
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

    const std::vector<std::vector<std::string>>& visible_;
    std::size_t room_ = 1;
    std::map<std::string, std::vector<std::size_t>> users_;
    std::vector<std::string> tried_;
    std::vector<int> chosen_;
};

}  // namespace

std::vector<int> choose_devices(const std::vector<std::vector<std::string>>& visible)
{
    Matching matching(visible);
    for (std::size_t room = 1; !matching.place(room);) ++room;
    return matching.chosen();
}

}  // namespace wayfront::app
