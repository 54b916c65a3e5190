#include "algo/strong_components.hpp"

#include <algorithm>
#include <limits>

namespace wayfront::algo {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class Search
{
public:
    explicit Search(CsrView out) : out_(out), low_(out.lists, kNone)
    {
        found_.component.assign(out.lists, kNone);
        found_.order.reserve(out.lists);
    }

    StrongComponents run() &&
    {
        for (std::uint32_t root = 0; root < out_.lists; ++root) {
            if (low_[root] == kNone) enter(root);
            while (!path_.empty()) advance();
        }
        return std::move(found_);
    }

private:
    /// A vertex on the path of the search.
    struct Step
    {
        std::uint32_t vertex;
        std::uint32_t index;  // vertices that were seen before it
        std::uint64_t next;   // its next out-edge
    };

    void enter(std::uint32_t vertex)
    {
        path_.push_back({vertex, seen_, out_.begin(vertex)});
        low_[vertex] = seen_++;
        open_.push_back(vertex);
    }

    /// Follows an edge of the last vertex of the path, or leaves the vertex.
    void advance()
    {
        Step& last = path_.back();
        if (last.next == out_.end(last.vertex)) {
            leave();
            return;
        }
        const std::uint32_t other = out_.neighbours[last.next++];
        if (low_[other] == kNone)
            enter(other);
        else if (found_.component[other] == kNone)
            low_[last.vertex] = std::min(low_[last.vertex], low_[other]);
    }

    void leave()
    {
        const Step last = path_.back();
        path_.pop_back();
        if (low_[last.vertex] == last.index) close_component(last.vertex);
        if (path_.empty()) return;
        std::uint32_t& before = low_[path_.back().vertex];
        before = std::min(before, low_[last.vertex]);
    }

    /// Makes a component of `first` and all open vertices that the search has seen after it.
    void close_component(std::uint32_t first)
    {
        std::uint32_t vertex = kNone;
        do {
            vertex = open_.back();
            open_.pop_back();
            found_.component[vertex] = components_;
            found_.order.push_back(vertex);
        } while (vertex != first);
        ++components_;
    }

    CsrView out_;
    StrongComponents found_;
    std::vector<std::uint32_t> low_;   // the smallest index that a vertex is known to reach; kNone: not seen
    std::vector<std::uint32_t> open_;  // seen, without a component
    std::vector<Step> path_;
    std::uint32_t seen_ = 0;
    std::uint32_t components_ = 0;
};

}  // namespace

StrongComponents strong_components(CsrView out)
{
    return Search(out).run();
}

}  // namespace wayfront::algo
