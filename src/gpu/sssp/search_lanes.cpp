#include "gpu/sssp/search_lanes.hpp"

#include <deque>

#include "comm/communicator.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/copied_graph.hpp"
#include "gpu/sssp/push_pull.hpp"

namespace wayfront::gpu::sssp {

struct SearchLanes::State
{
    struct Lane
    {
        Lane(const comm::Communicator& world, const CopiedGraph& graph, const SsspTuning& tuning)
            : search(world, {graph.lists.view(), graph.facts, tuning}, stream)
        {
        }

        Stream stream;
        ResidentPushPull search;
    };

    State(const DistributedGraph& graph, std::size_t count) : copied(copy_graph(world, graph, pushes_and_pulls()))
    {
        SsspTuning tuning = pushes_and_pulls();
        tuning.blocks = static_cast<unsigned>(multiprocessors()) / static_cast<unsigned>(count);
        for (std::size_t lane = 0; lane < count; ++lane) lanes.emplace_back(world, copied, tuning);
    }

    static SsspTuning pushes_and_pulls()
    {
        SsspTuning tuning;
        tuning.near_far = false;
        return tuning;
    }

    comm::Communicator world = comm::Communicator::alone();
    CopiedGraph copied;
    std::deque<Lane> lanes;
};

SearchLanes::SearchLanes(const DistributedGraph& graph, std::size_t lanes)
    : state_(std::make_unique<State>(graph, lanes))
{
}

SearchLanes::~SearchLanes() = default;

std::size_t SearchLanes::lanes() const
{
    return state_->lanes.size();
}

void SearchLanes::launch(std::size_t lane, Vertex source)
{
    const auto vertex = static_cast<std::uint32_t>(source);
    state_->lanes[lane].search.launch({.local = vertex, .vertex = vertex});
}

const Stream& SearchLanes::stream(std::size_t lane) const
{
    return state_->lanes[lane].stream;
}

const std::uint32_t* SearchLanes::distances(std::size_t lane) const
{
    return state_->lanes[lane].search.view().result_distances;
}

std::size_t SearchLanes::most_bytes(std::size_t vertices, std::size_t slots, std::size_t arcs, bool directed,
                                    std::size_t lanes)
{
    return DeviceSssp::bytes_for(vertices, slots, {arcs, directed ? arcs : 0}, {}) +
           (lanes - 1) * DeviceSssp::state_bytes_for(vertices, slots, {});
}

}  // namespace wayfront::gpu::sssp
