#include "app/commands/search_session.hpp"

#include <utility>

#include "app/io/run_facts.hpp"

namespace wayfront::app {

nlohmann::ordered_json search_document(const char* subcommand, const PreparedGraph& prepared, nlohmann::ordered_json search_facts)
{
    nlohmann::ordered_json document = json_head(subcommand);
    document["graph"] = graph_facts(prepared.input);
    document["search"] = std::move(search_facts);
    document["load_seconds"] = prepared.load_seconds;
    document["construction_seconds"] = prepared.construction_seconds;
    return document;
}

nlohmann::ordered_json vertices_as_json(const LoadedGraph& input, const std::vector<Vertex>& vertices)
{
    nlohmann::ordered_json numbers = nlohmann::ordered_json::array();
    for (const Vertex v : vertices) numbers.push_back(input.outside(v));
    return numbers;
}

}  // namespace wayfront::app
