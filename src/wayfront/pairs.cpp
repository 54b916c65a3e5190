#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "comm/agreement.hpp"
#include "graph/distances.hpp"
#include "job/progress.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

/// The distances of answers as T: whole numbers of 64 bits, or doubles.
template <typename T>
std::vector<T> distances_of(std::span<const algo::PairAnswer> answers)
{
    std::vector<T> distances;
    distances.reserve(answers.size());
    for (const algo::PairAnswer& answer : answers)
        distances.push_back(answer.distance
                                ? std::visit([](auto length) { return static_cast<T>(length); }, *answer.distance)
                                : unreached<T>());
    return distances;
}

}  // namespace

std::vector<algo::VertexPair> list_numbers(const session::LoadedGraph& input,
                                           std::span<const std::pair<Vertex, Vertex>> pairs)
{
    if (pairs.empty()) throw InputError("pairs: expected a pair at least");
    std::vector<algo::VertexPair> listed;
    listed.reserve(pairs.size());
    for (const auto& [source, target] : pairs)
        listed.push_back({input.list_number("pairs", source), input.list_number("pairs", target)});
    return listed;
}

PairsResult answered(const job::Job& job, session::PairEngine& engine, const session::PreparedGraph& prepared,
                     const PairsQuestion& question, std::vector<Vertex>& cycle)
{
    std::vector<algo::PairAnswer> answers;
    PairsResult result;
    job::Progress progress(job, "pairs", question.pairs.size());
    try {
        result.seconds = session::seconds_of(job.world(), nullptr, "search", [&] {
            answers = engine.answer(question.pairs, question.with_paths, progress);
        });
    } catch (const Agreed&) {
        for (const Vertex vertex : engine.negative_cycle()) cycle.push_back(prepared.input.input_number(vertex));
        throw;
    }
    comm::run_agreed(job.world(), [&] {
        progress.advance(0);  // the last pairs may be those of another thread
        if (question.floats)
            result.distances = distances_of<double>(answers);
        else
            result.distances = distances_of<std::int64_t>(answers);
        if (!question.with_paths) return;
        for (algo::PairAnswer& answer : answers) {
            for (Vertex& vertex : answer.path) vertex = prepared.input.input_number(vertex);
            result.paths.push_back(std::move(answer.path));
        }
    });
    return result;
}

}  // namespace wayfront
