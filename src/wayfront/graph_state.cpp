#include "wayfront/graph_state.hpp"

#include "comm/session.hpp"

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

app::CommonOptions common_options(const LoadOptions& options)
{
    app::CommonOptions common;
    common.quiet = true;
    common.threads = options.threads;
    return common;
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

Ranks::Ranks(const LoadOptions& options)
    : world(communicator_of(options)), job(world, common_options(options), [tell = options.on_note](std::string_view text) {
          if (tell) tell(text);
      })
{
}

std::shared_ptr<const Ranks> make_ranks(const LoadOptions& options)
{
    if (options.threads < 0) throw InputError("the number of threads is negative");
    try {
        return std::make_shared<const Ranks>(options);
    } catch (const Error&) {
        throw;
    } catch (...) {
        const app::Failure failure = app::describe_current_exception();
        throw_documented(failure.code, failure.message);
    }
}

std::optional<app::Engine> asked_engine(Engine engine)
{
    switch (engine) {
        case Engine::cpu:
            return app::Engine::cpu;
        case Engine::gpu:
            return app::Engine::gpu;
        case Engine::split:
            return app::Engine::split;
        case Engine::automatic:
            break;
    }
    return std::nullopt;
}

app::LoadedGraph facts_of(const app::LoadedGraph& input)
{
    app::LoadedGraph facts;
    facts.name = input.name;
    facts.format = input.format;
    facts.first_vertex = input.first_vertex;
    facts.edges = input.edges;
    facts.list.vertex_count = input.list.vertex_count;
    facts.list.directed = input.list.directed;
    return facts;
}

}  // namespace wayfront
