#include "wayfront/graph_state.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "comm/agreement.hpp"
#include "comm/session.hpp"
#include "job/host_threads.hpp"
#include "session/search_tree.hpp"

namespace wayfront {

namespace {

comm::Communicator communicator_of(const LoadOptions& options)
{
    if (options.alone) {
        if (options.communicator) throw InputError("alone: a communicator was given, too");
        return comm::Communicator::alone();
    }
    if (!comm::mpi_is_active()) {
        if (options.communicator) throw InputError("a communicator was given, but MPI is not initialised");
        return comm::Communicator::alone();
    }
    return options.communicator ? comm::Communicator::from_fortran(*options.communicator) : comm::Communicator::world();
}

}  // namespace

void throw_documented(ExitCode code, const std::string& message)
{
    switch (code) {
        case ExitCode::bad_input:
            throw InputError(message);
        case ExitCode::resources:
            throw ResourceError(message);
        case ExitCode::good:
        case ExitCode::wrong_result:
        case ExitCode::stopped:
            break;
    }
    throw ResultError(message);
}

void require_grid(const std::optional<Grid>& grid)
{
    if (grid && (grid->rows < 1 || grid->columns < 1))
        throw InputError("grid: expected at least 1 row and 1 column, found " + std::to_string(grid->rows) + "x" +
                         std::to_string(grid->columns));
}

Ranks::Ranks(comm::Communicator ranks, const LoadOptions& options)
    : world(std::move(ranks)),
      listener(std::make_shared<CallListener>(options.on_note)),
      job(world, options.threads, listener)
{
    if (options.watch_ranks && world.size() > 1) watch.emplace(world);
}

Ranks::~Ranks()
{
    if (!watch) return;
    watch.reset();
    // After an error of this rank alone, the other ranks may not reach this barrier.
    if (std::uncaught_exceptions() > 0) return;
    try {
        world.barrier();
    } catch (const Error&) {  // MPI has failed, and the job ends
    }
}

std::shared_ptr<const Ranks> make_ranks(const LoadOptions& options)
{
    comm::Communicator world = communicator_of(options);
    return with_documented_errors(world, [&] {
        comm::run_agreed(world, [&] {
            require_enumerator("direction", options.direction, EdgeDirection::reversed);
            if (options.threads < 0 || options.threads > job::kMostThreads)
                throw InputError("threads: expected a number from 0 to " + std::to_string(job::kMostThreads) +
                                 ", found " + std::to_string(options.threads));
        });
        return std::make_shared<const Ranks>(std::move(world), options);
    });
}

void require_result(const Ranks& ranks, std::span<const Vertex> sources)
{
    comm::run_agreed(ranks.world, [&] {
        if (sources.empty()) throw InputError("there is no result: no search has been made, or the last one failed");
    });
}

std::vector<Vertex> list_numbers(const session::LoadedGraph& input, std::span<const Vertex> sources)
{
    if (sources.empty()) throw InputError("sources: expected a vertex at least");
    std::vector<Vertex> listed;
    listed.reserve(sources.size());
    for (const Vertex source : sources) listed.push_back(input.list_number("sources", source));
    std::ranges::sort(listed);
    listed.erase(std::ranges::unique(listed).begin(), listed.end());
    return listed;
}

void input_numbers(const session::LoadedGraph& input, const VertexArray& vertices, std::span<Vertex> numbers)
{
    vertices.visit([&](auto own) {
        std::ranges::transform(own, numbers.begin(), [&](auto vertex) { return input.input_number(vertex); });
    });
}

std::vector<Vertex> path_in_tree(const Ranks& ranks, const session::PreparedGraph& prepared, const VertexArray& parents,
                                 Vertex target)
{
    const comm::Communicator& world = ranks.world;
    const Vertex end = comm::run_agreed(world, [&] { return prepared.input.list_number("target", target); });
    session::Path path =
        session::path_to(world, prepared.graph->partition, parents, end, session::tree_order(prepared.input.reversed));
    std::ranges::transform(path.vertices, path.vertices.begin(),
                           [&](Vertex v) { return prepared.input.input_number(v); });
    return std::move(path.vertices);
}

void write_tree(const Ranks& ranks, const session::PreparedGraph& prepared, const std::string& path,
                const session::SearchResult& result)
{
    const bool real = std::holds_alternative<std::span<const float>>(result.values.values) ||
                      std::holds_alternative<std::span<const double>>(result.values.values);
    comm::run_agreed(ranks.world, [&] {
        if (path == "-") throw InputError("expected the name of a file, not of standard output");
        session::check_result_extension(path);
    });
    session::require_exact_numbers(ranks.job, path, prepared.input, real);
    session::write_result(ranks.job, path, prepared.input, prepared.graph->partition, result);
}

bool Graph::State::has_float_weights() const
{
    if (on_gpu) return is_floating_point(on_gpu->weight_type(double_precision));
    const WeightSpans all = weights();
    return std::holds_alternative<std::span<const float>>(all) || std::holds_alternative<std::span<const double>>(all);
}

WeightType Graph::State::weight_type() const
{
    if (on_gpu) return on_gpu->weight_type(double_precision);
    const WeightType type = choose_weight_type(ranks->world, weights());
    return type == WeightType::float32 && double_precision ? WeightType::float64 : type;
}

ReleasableFeed& Graph::State::lend_edges(std::shared_ptr<const State> graph, bool weighted,
                                         session::PreparedGraph& prepared)
{
    const WeightType own = weighted ? graph->weight_type() : WeightType::none;
    std::unique_ptr<EdgeFeed> edges = graph->feed(weighted && own == WeightType::none ? WeightType::uint32 : own);
    prepared.input = facts_of(graph->input);
    auto feed = std::make_unique<ReleasableFeed>(std::move(graph), std::move(edges), own != WeightType::none);
    ReleasableFeed& lent = *feed;
    prepared.feed = std::move(feed);
    return lent;
}

std::unique_ptr<EdgeFeed> Graph::State::feed(WeightType type) const
{
    if (on_gpu) return std::make_unique<GpuFeed>(*on_gpu, type);
    if (arrays) return std::make_unique<ArrayFeed>(*arrays, type);
    return std::make_unique<ListFeed>(input.list, type);
}

EdgeList Graph::State::copied_edges() const
{
    if (!arrays && !on_gpu) {
        EdgeList copy{input.list.vertex_count, input.list.directed, HostBuffer<PackedEdge>(input.list.edges.size()),
                      copy_of(weights())};
        std::ranges::copy(input.list.edges, copy.edges.begin());
        return copy;
    }
    EdgeList copy = on_gpu ? on_gpu->on_host().copied() : arrays->copied();
    if (double_precision && weight_kind(copy.weights) == WeightKind::float32)
        static_cast<void>(promote_weights(copy, WeightKind::float64));
    return copy;
}

session::LoadedGraph facts_of(const session::LoadedGraph& input)
{
    session::LoadedGraph facts;
    facts.name = input.name;
    facts.format = input.format;
    facts.first_vertex = input.first_vertex;
    facts.named = input.named;
    facts.names = input.names;
    facts.reversed = input.reversed;
    facts.edges = input.edges;
    facts.list.vertex_count = input.list.vertex_count;
    facts.list.directed = input.list.directed;
    return facts;
}

}  // namespace wayfront
