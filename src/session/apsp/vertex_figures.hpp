// The figures of each source of all pairs, as numbers and as a file.
//
// The form of the file is determined by its extension, and standard output (-) gets that of .csv:
//   .csv    with the header `vertex,reached,sum,eccentricity,closeness,harmonic`
//   .npy    a structured array with these fields: int64, and float64 for closeness, harmonic, and
//           the sum and the eccentricity if distances are floats
//   .json   an object with "columns" and "rows"
// A row for each source, in the order of the job. A figure that is not defined is `nan`, in JSON null;
// a sum of floats that exceeds float64 is `inf`, in JSON null.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "algo/apsp/summary.hpp"
#include "base/types.hpp"
#include "graph/vertex_numbers.hpp"
#include "job/job.hpp"

namespace wayfront::session {

/// The figures of one source: of the pairs of the source and another vertex that the source reaches.
struct VertexFigures
{
    Vertex vertex = 0;  // the source, by its number in the edge list
    std::uint64_t reached = 0;
    std::int64_t whole_sum = 0;  // the exact sum of the distances, if they are whole numbers
    double sum = 0;              // the sum of the distances as float64
    double eccentricity = 0;     // the largest distance; 0 if no vertex is reached
    std::optional<double> closeness;
    std::optional<double> harmonic;
};

/// The figures of all sources. A view.
struct FiguresOfVertices
{
    const algo::Summary& summary;  // in full detail
    std::span<const Vertex> sources;
    Vertex vertices;  // the number of vertices of the graph
    VertexNumbers numbers;

    [[nodiscard]] std::size_t size() const { return sources.size(); }
    [[nodiscard]] VertexFigures operator[](std::size_t position) const;
};

/// Throws InputError for an extension that is none of these; `option` names the file's option.
void check_figures_extension(const std::string& option, const std::string& path);

/// Throws an AgreedError if there is no disk space for the figures of so many sources.
/// `vertex_bytes`: the most that a vertex takes as text. Collective.
void require_figures_space(const job::Job& job, const std::string& path, std::size_t sources, std::size_t vertex_bytes);

/// Writes the file on rank 0; all ranks have all figures. If it cannot be written, throws an
/// AgreedError and leaves no unfinished file. Collective.
void write_figures(const job::Job& job, const std::string& path, const FiguresOfVertices& figures);

}  // namespace wayfront::session
