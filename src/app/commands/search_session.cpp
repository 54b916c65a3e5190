#include "app/commands/search_session.hpp"

#include <utility>

#include "app/io/json.hpp"
#include "app/io/run_facts.hpp"

namespace wayfront::app {

Json search_document(const char* subcommand, const PreparedGraph& prepared, Json search_facts)
{
    Json document = json_head(subcommand);
    document["graph"] = graph_facts(prepared.input);
    document["search"] = std::move(search_facts);
    document["load_seconds"] = prepared.load_seconds;
    document["construction_seconds"] = prepared.construction_seconds;
    return document;
}

Json vertices_as_json(const LoadedGraph& input, const std::vector<Vertex>& vertices)
{
    Json numbers = Json::array();
    for (const Vertex v : vertices) numbers.push_back(input.outside(v));
    return numbers;
}

}  // namespace wayfront::app
