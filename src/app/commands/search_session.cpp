#include "app/commands/search_session.hpp"

#include <utility>

#include "app/report/run_facts.hpp"
#include "session/output/json.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::app {

session::Json search_document(session::Json head, const session::PreparedGraph& prepared, session::Json search_facts)
{
    session::Json document = std::move(head);
    document["graph"] = graph_facts(prepared.input);
    document["search"] = std::move(search_facts);
    document["load_seconds"] = prepared.load_seconds;
    document["construction_seconds"] = prepared.construction_seconds;
    return document;
}

session::Json search_as_json(const session::LoadedGraph& input, std::span<const Vertex> sources, bool nearest,
                             double seconds)
{
    if (nearest) return {{"sources", vertices_as_json(input, sources)}, {"seconds", seconds}};
    return {{"source", session::vertex_as_json(input.numbers(), sources.front())}, {"seconds", seconds}};
}

session::Json vertices_as_json(const session::LoadedGraph& input, std::span<const Vertex> vertices)
{
    session::Json list = session::Json::array();
    for (const Vertex v : vertices) list.push_back(session::vertex_as_json(input.numbers(), v));
    return list;
}

}  // namespace wayfront::app
