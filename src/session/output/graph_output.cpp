#include "session/output/graph_output.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "job/host_memory.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kPieceEdges = std::size_t{1} << 20;
constexpr int kEdgesTag = 74;
constexpr int kWeightsTag = 75;

std::span<const std::byte> weight_bytes(const Weights& weights, std::size_t first, std::size_t count)
{
    std::span<const std::byte> bytes;
    visit_weights(weights, [&](const auto& all) { bytes = std::as_bytes(all.span().subspan(first, count)); });
    return bytes;
}

std::span<std::byte> writable_bytes(Weights& weights)
{
    std::span<std::byte> bytes;
    visit_weights(weights, [&](auto& all) { bytes = std::as_writable_bytes(all.span()); });
    return bytes;
}

}  // namespace

GraphOutput::GraphOutput(const job::Job& job, const GraphTarget& target, const GraphHeader& header)
    : job_(job), path_(target.path), finds_largest_(!records_vertex_count(target.format())), weights_(header.weights)
{
    run_agreed(job.world(), [&] {
        if (job.first()) writer_.emplace(target.path, header, target.format());
    });
    // The writer allocates its arrays at once, but they take memory only as they are filled.
    const auto bytes = static_cast<double>(writer_bytes(target.format(), header));
    const double piece_bytes = static_cast<double>(kPieceEdges * (sizeof(PackedEdge) + bytes_of(header.weights)));
    require_memory(job, (job.first() ? bytes : 0) + piece_bytes, "writing " + target.path);
}

/// Writes edges, whose weights begin at `first` among `weights`.
void GraphOutput::write(std::span<const PackedEdge> edges, const Weights& weights, std::size_t first,
                        job::Progress& progress)
{
    writer_->append(edges, weight_span(weights, first, edges.size()));
    progress.advance(edges.size());
}

void GraphOutput::append(const EdgeList& share, job::Progress& progress)
{
    const comm::Communicator& world = job_.world();
    if (finds_largest_)
        for (const PackedEdge edge : share.edges) largest_ = std::max({largest_, edge.source(), edge.target()});
    const std::vector<std::uint64_t> sizes = world.all_gather(static_cast<std::uint64_t>(share.edges.size()));
    run_agreed(world, [&] {
        if (!writer_) return;
        for (std::size_t first = 0; first < share.edges.size(); first += kPieceEdges)
            write(share.edges.span().subspan(first, std::min(kPieceEdges, share.edges.size() - first)), share.weights,
                  first, progress);
    });
    for (int rank = 1; rank < world.size(); ++rank) {
        const std::size_t size = sizes[static_cast<std::size_t>(rank)];
        for (std::size_t first = 0; first < size; first += kPieceEdges) {
            const std::size_t count = std::min(kPieceEdges, size - first);
            if (world.rank() == rank) {
                world.send(share.edges.span().subspan(first, count), 0, kEdgesTag);
                if (weights_ != WeightKind::none) world.send(weight_bytes(share.weights, first, count), 0, kWeightsTag);
            }
            HostBuffer<PackedEdge> edges(writer_ ? count : 0);
            Weights weights = weight_buffer(weights_, edges.size());
            if (writer_) {
                world.receive(edges.span(), rank, kEdgesTag);
                if (weights_ != WeightKind::none) world.receive(writable_bytes(weights), rank, kWeightsTag);
            }
            run_agreed(world, [&] {
                if (writer_) write(edges.span(), weights, 0, progress);
            });
        }
    }
}

void GraphOutput::commit(job::Progress& progress)
{
    progress.begin("complete " + path_, 0);
    run_agreed(job_.world(), [&] {
        if (writer_) writer_->commit();
    });
}

}  // namespace wayfront::session
