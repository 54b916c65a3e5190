#include "session/search_tree.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace wayfront::session {

Path path_to(const comm::Communicator& world, const Partition& partition, const VertexArray& parents, Vertex target,
             TreeOrder order)
{
    Path path{target, {target}};
    for (;;) {
        const Vertex v = path.vertices.back();
        Vertex parent = partition.owner(v) == world.rank() ? parents[partition.local(v)] : kUnreached;
        world.broadcast(std::span(&parent, 1), partition.owner(v));
        if (parent == kUnreached) return {target, {}};
        if (parent == v) break;
        path.vertices.push_back(parent);
        if (static_cast<Vertex>(path.vertices.size()) > partition.vertex_count())
            throw std::logic_error("the parents of a search form a cycle");
    }
    if (order == TreeOrder::from_root) std::ranges::reverse(path.vertices);
    return path;
}

}  // namespace wayfront::session
