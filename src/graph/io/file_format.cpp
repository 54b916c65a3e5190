#include "graph/io/file_format.hpp"

#include <array>
#include <string_view>

#include "base/error.hpp"

namespace wayfront {

namespace {

struct Ending
{
    std::string_view text;
    FileFormat format;
};

constexpr std::array kEndings = {
    Ending{".gr", FileFormat::dimacs},     Ending{".mtx", FileFormat::matrix_market}, Ending{".txt", FileFormat::edge_list},
    Ending{".el", FileFormat::edge_list},  Ending{".wel", FileFormat::edge_list},     Ending{".edges", FileFormat::edge_list},
    Ending{".tsv", FileFormat::edge_list}, Ending{".csv", FileFormat::edge_list},     Ending{".graph", FileFormat::metis},
    Ending{".sg", FileFormat::gapbs_sg},   Ending{".wsg", FileFormat::gapbs_wsg},     Ending{".tuples", FileFormat::tuples},
};

std::string known_endings()
{
    std::string list;
    for (const Ending& ending : kEndings) list += std::string(ending.text) + ' ';
    return list + "(the text ones also with .gz, .xz or .zst behind)";
}

}  // namespace

Compression compression_of(const std::string& path)
{
    if (path.ends_with(".gz")) return Compression::gzip;
    if (path.ends_with(".xz")) return Compression::xz;
    if (path.ends_with(".zst")) return Compression::zstd;
    return Compression::none;
}

FileFormat format_of(const std::string& path)
{
    const bool compressed = compression_of(path) != Compression::none;
    std::string_view stem = path;
    if (compressed) stem.remove_suffix(stem.size() - stem.rfind('.'));
    for (const Ending& ending : kEndings) {
        if (!stem.ends_with(ending.text)) continue;
        if (compressed && !is_text(ending.format))
            throw InputError(path + ": a " + name_of(ending.format) + " file is binary and is not read or written compressed; unpack it first");
        return ending.format;
    }
    throw InputError(path + ": the ending of the name is that of no graph format; known are " + known_endings());
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
