#include "graph/io/contents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "graph/io/tokens.hpp"

namespace wayfront::io {

namespace {

using namespace std::string_view_literals;

struct Signature
{
    std::string_view bytes;
    std::string_view meaning;
};

constexpr std::array kSignatures = {
    Signature{"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive; unpack it first"},
    Signature{"Rar!\x1A\x07"sv, "a RAR archive; unpack it first"},
    Signature{"\x04\x22\x4D\x18"sv, "compressed by lz4; unpack it first (gzip, xz and zstd are read)"},
    // UTF-32 begins as UTF-16 does.
    Signature{"\xFF\xFE\0\0"sv, "UTF-32; convert it first: iconv -f UTF-32 -t UTF-8"},
    Signature{"\0\0\xFE\xFF"sv, "UTF-32; convert it first: iconv -f UTF-32 -t UTF-8"},
    Signature{"\xFF\xFE"sv, "UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"},
    Signature{"\xFE\xFF"sv, "UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"},
    Signature{"\x93NUMPY"sv, "an array of NumPy; a graph is a list of edges"},
    Signature{"PAR1"sv, "a Parquet file; write its columns as CSV first"},
    Signature{"\x89HDF\r\n"sv, "an HDF5 file; write its edges as a text first"},
    Signature{"%PDF"sv, "a PDF document"},
    Signature{">>graph6<<"sv, "graph6; write its edges as lines `source target` first"},
    Signature{">>sparse6<<"sv, "sparse6; write its edges as lines `source target` first"},
    Signature{"version https://git-lfs"sv, "a pointer of Git LFS instead of the file; get it with git lfs pull"},
};

std::string_view without_blanks_before(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool is_bzip2(std::string_view bytes)
{
    constexpr std::size_t level_at = 3;
    return bytes.starts_with("BZh") && bytes.size() > level_at && is_digit(bytes[level_at]) &&
           bytes.substr(level_at + 1).starts_with("1AY&SY");
}

bool is_tar(std::string_view bytes)
{
    constexpr std::size_t place = 257;
    return bytes.size() > place && bytes.substr(place).starts_with("ustar");
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

Compression compression_of_contents(std::string_view bytes)
{
    if (bytes.starts_with("\x1F\x8B"sv)) return Compression::gzip;
    if (bytes.starts_with("\xFD"
                          "7zXZ\0"sv))
        return Compression::xz;
    if (bytes.starts_with("\x28\xB5\x2F\xFD"sv)) return Compression::zstd;
    return Compression::none;
}

std::string foreign_contents(std::string_view bytes)
{
    for (const Signature& signature : kSignatures)
        if (bytes.starts_with(signature.bytes)) return std::string(signature.meaning);
    if (is_bzip2(bytes)) return "compressed by bzip2; unpack it first (gzip, xz and zstd are read)";
    if (is_tar(bytes)) return "a TAR archive; unpack it first";
    const std::string_view begin = bytes.substr(0, kLookedAtBytes);
    const std::string text = lower(without_blanks_before(begin));
    if (text.starts_with("<!doctype html") || text.starts_with("<html"))
        return "an HTML page; was there an error while it was downloaded?";
    if (text.starts_with('{') || text.starts_with("[{") || text.starts_with("[["))
        return "JSON; write lines `source target weight` first";
    if (begin.find('\0') != std::string_view::npos) return "binary data";
    return "";
}

std::optional<FileFormat> format_of_contents(std::string_view bytes)
{
    const std::string text = lower(without_byte_order_mark(bytes).substr(0, kLookedAtBytes));
    if (text.starts_with("%%matrixmarket") || text.starts_with("%matrixmarket")) return FileFormat::matrix_market;
    for (const std::string_view kind :
         {"% sym", "% asym", "% bip", "# nodes:", "# directed graph", "# undirected graph"})
        if (text.starts_with(kind)) return FileFormat::edge_list;
    if ((text.starts_with("<?xml") || text.starts_with('<')) && text.find("<graphml") != std::string::npos)
        return FileFormat::graphml;
    std::string_view line = text;
    while (line.starts_with("c ") || line.starts_with("c\n"))
        line.remove_prefix(std::min(line.find('\n'), line.size() - 1) + 1);
    for (const std::string_view header : {"p sp ", "p tw ", "p edge ", "p col "})
        if (line.starts_with(header)) return FileFormat::dimacs;
    return std::nullopt;
}

}  // namespace wayfront::io
