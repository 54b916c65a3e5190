#include "graph/io/file_format.hpp"

#include <array>
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
    Extension{".gr", FileFormat::dimacs},     Extension{".mtx", FileFormat::matrix_market}, Extension{".txt", FileFormat::edge_list},
    Extension{".el", FileFormat::edge_list},  Extension{".wel", FileFormat::edge_list},     Extension{".edges", FileFormat::edge_list},
    Extension{".tsv", FileFormat::edge_list}, Extension{".csv", FileFormat::edge_list},     Extension{".graph", FileFormat::metis},
    Extension{".sg", FileFormat::gapbs_sg},   Extension{".wsg", FileFormat::gapbs_wsg},     Extension{".tuples", FileFormat::tuples},
};

std::string known_extensions()
{
    std::string list;
    for (const Extension& extension : kExtensions) list += std::string(extension.text) + ' ';
    return list + "(text formats also with .gz, .xz or .zst after it)";
}

}  // namespace

Compression compression_of(const std::string& path)
{
    if (path.ends_with(".gz")) return Compression::gzip;
    if (path.ends_with(".xz")) return Compression::xz;
    if (path.ends_with(".zst")) return Compression::zstd;
    return Compression::none;
}

std::string_view without_compression(std::string_view path)
{
    const bool compressed = compression_of(std::string(path)) != Compression::none;
    return compressed ? path.substr(0, path.rfind('.')) : path;
}

FileFormat format_of(const std::string& path)
{
    const bool compressed = compression_of(path) != Compression::none;
    const std::string_view stem = without_compression(path);
    for (const Extension& extension : kExtensions) {
        if (!stem.ends_with(extension.text)) continue;
        if (compressed && !is_text(extension.format))
            throw InputError(path + ": " + name_of(extension.format) + " files are not read or written compressed");
        return extension.format;
    }
    throw InputError(path + ": unknown file extension; known are " + known_extensions());
}

bool is_text(FileFormat format)
{
    return format != FileFormat::gapbs_sg && format != FileFormat::gapbs_wsg && format != FileFormat::tuples;
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
        case FileFormat::metis:
            return "METIS";
        case FileFormat::gapbs_sg:
            return "GAPBS .sg";
        case FileFormat::gapbs_wsg:
            return "GAPBS .wsg";
        case FileFormat::tuples:
            return "Graph500 tuples";
    }
    return "unknown";
}

}  // namespace wayfront
