#include "wayfront/graph_state.hpp"

#include <exception>
#include <memory>

#include "comm/agreement.hpp"
#include "comm/session.hpp"
#include "job/host_threads.hpp"
#include "job/listener.hpp"

namespace wayfront {

namespace {

comm::Communicator communicator_of(const LoadOptions& options)
{
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
        throw InputError("grid: expected at least 1 row and 1 column, found " + std::to_string(grid->rows) + "x" + std::to_string(grid->columns));
}

Ranks::Ranks(comm::Communicator ranks, const LoadOptions& options)
    : world(std::move(ranks)), job(world, options.threads, std::make_shared<job::NotesTo>(options.on_note))
{
    if (options.watch_ranks && world.size() > 1) watch.emplace(world);
}

Ranks::~Ranks()
{
    if (!watch) return;
    watch.reset();
    // After an error of this rank alone, the others may be elsewhere.
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
            require_enumerator("direction", options.direction, EdgeDirection::undirected);
            if (options.threads < 0 || options.threads > job::kMostThreads)
                throw InputError("threads: expected a number from 0 to " + std::to_string(job::kMostThreads) + ", found " +
                                 std::to_string(options.threads));
        });
        return std::make_shared<const Ranks>(std::move(world), options);
    });
}

session::LoadedGraph facts_of(const session::LoadedGraph& input)
{
    session::LoadedGraph facts;
    facts.name = input.name;
    facts.format = input.format;
    facts.first_vertex = input.first_vertex;
    facts.edges = input.edges;
    facts.list.vertex_count = input.list.vertex_count;
    facts.list.directed = input.list.directed;
    return facts;
}

}  // namespace wayfront
