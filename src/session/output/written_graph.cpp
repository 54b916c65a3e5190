#include "session/output/written_graph.hpp"

#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.hpp"
#include "graph/generators/spec.hpp"
#include "graph/generators/weights.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_target.hpp"

namespace wayfront::session {

void note_format_changes(const job::Job& job, const WrittenGraph& graph)
{
    const auto& [input, input_first, target, header, largest] = graph;
    const FileFormat format = target.format();
    const std::string& output = target.path;
    if (header.first_vertex != input_first)
        job.note(
            fmt::format("{} numbers vertices from {}, {} from {}: vertex {} becomes {}{}", input, input_first, output,
                        header.first_vertex, input_first, header.first_vertex,
                        is_edge_list(format) && header.first_vertex == 0 ? " (--one-based keeps the numbers)" : ""));
    std::vector<std::string> not_recorded;
    std::string options;
    if (format == FileFormat::csv && !header.directed) {
        not_recorded.emplace_back("that its edges are undirected");
        options += " --undirected";
    }
    if (format == FileFormat::csv && header.first_vertex == 1) {
        not_recorded.emplace_back("that vertices are numbered from 1");
        options += " --one-based";
    }
    if (!not_recorded.empty())
        job.note(fmt::format("a CSV file does not record {}: read {} with{}", fmt::join(not_recorded, " or "),
                             is_standard_output(output) ? "it" : output, options));

    if (records_vertex_count(format)) return;
    const Vertex lost = header.vertex_count - 1 - job.world().all_reduce(largest, comm::Reduction::max);
    if (lost > 0)
        job.note(fmt::format("{} files do not contain the number of vertices: {} loses the last {}, which {} no edges",
                             name_of(format), output, counted(lost, "vertex", "vertices"), lost == 1 ? "has" : "have"));
}

WeightKind kind_in_file(const job::Job& job, WeightKind kind, const std::string& spec, const GraphTarget& target)
{
    if (kind != WeightKind::float32 || !looks_like_spec(spec) || target.format() != FileFormat::gapbs_wsg) return kind;
    job.note(
        fmt::format("{} stores whole numbers as weights: a weight w of {}, a float in [0, 1), becomes 1 + floor(255 w)",
                    target.path, spec));
    return WeightKind::int32;
}

WeightKind fit_weights(const job::Job& job, Weights& weights, const std::string& spec, const GraphTarget& target)
{
    const WeightKind kind = weight_kind(weights);
    const WeightKind in_file = kind_in_file(job, kind, spec, target);
    if (in_file != kind) weights = whole_weights(std::get<HostBuffer<float>>(weights).span());
    return in_file;
}

}  // namespace wayfront::session
