// Shared by the tests of file formats: a folder for files, plain copies of the data that was read,
// and messages of errors.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "graph/io/graph_file.hpp"
#include "graph/io/graph_writer.hpp"

namespace wayfront::io_testing {

/// Writes a whole graph.
inline void write_graph(const std::string& path, const EdgeList& graph, Vertex first_vertex = 0)
{
    const std::size_t edges = graph.edges.size();
    GraphWriter writer(path, {.vertex_count = graph.vertex_count,
                              .edge_count = static_cast<EdgeCount>(edges),
                              .directed = graph.directed,
                              .weights = weight_kind(graph.weights),
                              .first_vertex = first_vertex});
    writer.append(graph.edges.span(), weight_span(graph.weights, 0, edges));
    writer.commit();
}

/// A folder of its own for each test, which is removed afterwards.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        // In memory if there is such a folder, because committing a file to a disk takes time.
        const std::filesystem::path memory = "/dev/shm";
        std::string pattern = ((::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path()) /
                               "wayfront-io-XXXXXX")
                                  .string();
        path_ = ::mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

    std::string write(std::string_view name, std::string_view bytes) const
    {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }

    /// The names of the files in the folder, sorted.
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path)
{
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

inline std::vector<Edge> edges_of(const EdgeList& list)
{
    std::vector<Edge> edges;
    for (const PackedEdge& edge : list.edges) edges.push_back(edge.unpack());
    return edges;
}

inline std::vector<std::int32_t> integers_of(const EdgeList& list)
{
    const auto& weights = std::get<HostBuffer<std::int32_t>>(list.weights);
    return {weights.begin(), weights.end()};
}

inline std::vector<float> floats_of(const EdgeList& list)
{
    const auto& weights = std::get<HostBuffer<float>>(list.weights);
    return {weights.begin(), weights.end()};
}

inline EdgeList make_list(Vertex vertex_count, bool directed, const std::vector<Edge>& edges)
{
    EdgeList list;
    list.vertex_count = vertex_count;
    list.directed = directed;
    list.edges = HostBuffer<PackedEdge>(edges.size());
    std::ranges::transform(edges, list.edges.begin(), [](Edge edge) { return PackedEdge::pack(edge); });
    return list;
}

template <typename Weight>
EdgeList make_list(Vertex vertex_count, bool directed, const std::vector<Edge>& edges,
                   const std::vector<Weight>& weights)
{
    EdgeList list = make_list(vertex_count, directed, edges);
    HostBuffer<Weight> buffer(weights.size());
    std::ranges::copy(weights, buffer.begin());
    list.weights = std::move(buffer);
    return list;
}

/// Parses a whole text, like read_graph().
inline GraphShare parse_whole(FileFormat format, std::string_view text, int threads = 0)
{
    GraphShare share = parse_text(format, text, "file", {.format = {}, .part = 0, .parts = 1, .threads = threads});
    check_totals("file", share.facts);
    adopt(share, share.facts);
    return share;
}

/// The message of the error of type Wanted that f() throws; another text if f() throws none or
/// another error.
template <typename Wanted, typename F>
std::string message_of(F f)
{
    try {
        f();
    } catch (const Wanted& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("another error: ") + error.what();
    }
    return "no error";
}

template <typename F>
std::string input_error(F f)
{
    return message_of<InputError>(f);
}

}  // namespace wayfront::io_testing

namespace wayfront {
/// Prints an edge in the messages of failed tests.
inline void PrintTo(const Edge& edge, std::ostream* out)
{
    *out << edge.source << "->" << edge.target;
}
}  // namespace wayfront
