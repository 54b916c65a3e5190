#include "graph/io/file_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/error.hpp"

namespace wayfront {

namespace {

struct Extension
{
    std::string_view text;
    FileFormat format;
};

constexpr std::array kExtensions = {
    Extension{".gr", FileFormat::dimacs},       Extension{".mtx", FileFormat::matrix_market},
    Extension{".txt", FileFormat::edge_list},   Extension{".el", FileFormat::edge_list},
    Extension{".wel", FileFormat::edge_list},   Extension{".edges", FileFormat::edge_list},
    Extension{".tsv", FileFormat::edge_list},   Extension{".csv", FileFormat::csv},
    Extension{".graph", FileFormat::metis},     Extension{".sg", FileFormat::gapbs_sg},
    Extension{".wsg", FileFormat::gapbs_wsg},   Extension{".tuples", FileFormat::tuples},
    Extension{".graphml", FileFormat::graphml}, Extension{".gml", FileFormat::gml},
};

/// Formats that NetworkX reads and this program does not read.
struct ForeignFormat
{
    std::string_view extension;
    std::string_view name;
    std::string_view reader;
};

constexpr std::array kForeignFormats = {
    ForeignFormat{".gexf", "GEXF", "read_gexf"},
};

[[noreturn]] void refuse(const std::string& path, const ForeignFormat& foreign)
{
    std::string message = path + ": ";
    message += foreign.name;
    message +=
        " is neither read nor written; NetworkX converts it to an edge list: python3 -c \"import networkx as nx; ";
    message += "G = nx.convert_node_labels_to_integers(nx.";
    message += foreign.reader;
    message += "('" + path + "')); f = open('graph.wel', 'wb'); ";
    // All attributes that are numbers become columns with their names.
    message += "A = sorted({a for _, _, d in G.edges(data=True) for a in d if type(d[a]) in (int, float)}); ";
    message +=
        "f.write(('# %s graph\\n# Nodes: %d Edges: %d\\n# %s\\n' % ('Directed' if G.is_directed() else 'Undirected', "
        "len(G), "
        "G.number_of_edges(), '\\t'.join(['source', 'target'] + A))).encode()); ";
    message += "nx.write_edgelist(G, f, '\\t', data=A)\"";
    throw InputError(message);
}

std::string known_extensions()
{
    std::string list;
    for (const Extension& extension : kExtensions) list += std::string(extension.text) + ' ';
    return list + "(text formats also with .gz, .xz or .zst after it)";
}

}  // namespace

bool ends_with_any_case(std::string_view text, std::string_view ending)
{
    const auto alike = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return text.size() >= ending.size() && std::ranges::equal(text.substr(text.size() - ending.size()), ending, alike);
}

Compression compression_of(const std::string& path)
{
    if (ends_with_any_case(path, ".gz")) return Compression::gzip;
    if (ends_with_any_case(path, ".xz")) return Compression::xz;
    if (ends_with_any_case(path, ".zst")) return Compression::zstd;
    return Compression::none;
}

std::string_view without_compression(std::string_view path)
{
    const bool compressed = compression_of(std::string(path)) != Compression::none;
    return compressed ? path.substr(0, path.rfind('.')) : path;
}

bool has_known_extension(const std::string& path)
{
    const std::string_view stem = without_compression(path);
    const auto ends_stem = [stem](const auto& one) { return ends_with_any_case(stem, one); };
    return std::ranges::any_of(kExtensions, ends_stem, &Extension::text) ||
           std::ranges::any_of(kForeignFormats, ends_stem, &ForeignFormat::extension);
}

std::vector<std::string> graph_extensions()
{
    std::vector<std::string> names;
    names.reserve(kExtensions.size());
    for (const Extension& extension : kExtensions) names.emplace_back(extension.text.substr(1));
    return names;
}

FileFormat format_of(const std::string& path)
{
    const bool compressed = compression_of(path) != Compression::none;
    const std::string_view stem = without_compression(path);
    for (const Extension& extension : kExtensions) {
        if (!ends_with_any_case(stem, extension.text)) continue;
        if (compressed && !is_text(extension.format))
            throw InputError(path + ": " + name_of(extension.format) + " files are not supported in compressed form");
        return extension.format;
    }
    for (const ForeignFormat& foreign : kForeignFormats)
        if (ends_with_any_case(stem, foreign.extension)) refuse(path, foreign);
    throw InputError(path + ": unknown file extension; known are " + known_extensions());
}

bool is_edge_list(FileFormat format)
{
    return format == FileFormat::edge_list || format == FileFormat::csv;
}

bool records_vertex_count(FileFormat format)
{
    return format != FileFormat::csv && format != FileFormat::tuples;
}

int first_vertex_of(FileFormat format)
{
    return format == FileFormat::dimacs || format == FileFormat::matrix_market || format == FileFormat::metis ? 1 : 0;
}

bool has_extension(std::string_view path, std::string_view extension)
{
    return ends_with_any_case(without_compression(path), extension);
}

bool is_text(FileFormat format)
{
    return format != FileFormat::gapbs_sg && format != FileFormat::gapbs_wsg && format != FileFormat::tuples;
}

bool declares_names(FileFormat format)
{
    return format == FileFormat::graphml || format == FileFormat::gml;
}

const char* name_of(FileFormat format)
{
    switch (format) {
        case FileFormat::dimacs:
            return "DIMACS";
        case FileFormat::matrix_market:
            return "Matrix Market";
        case FileFormat::edge_list:
            return "edge list";
        case FileFormat::csv:
            return "CSV";
        case FileFormat::metis:
            return "METIS";
        case FileFormat::gapbs_sg:
            return "GAPBS .sg";
        case FileFormat::gapbs_wsg:
            return "GAPBS .wsg";
        case FileFormat::tuples:
            return "Graph500 tuples";
        case FileFormat::graphml:
            return "GraphML";
        case FileFormat::gml:
            return "GML";
    }
    return "unknown";
}

}  // namespace wayfront
