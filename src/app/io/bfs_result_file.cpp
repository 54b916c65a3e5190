#include "app/io/bfs_result_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/failure.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"

namespace wayfront::app {

namespace {

constexpr std::size_t kPieceRows = std::size_t{1} << 20;  // of all ranks together
constexpr int kLevelsTag = 72;
constexpr int kParentsTag = 73;

struct Row
{
    Vertex vertex;
    std::int64_t level;
    Vertex parent;
};

void append_number(std::string& text, std::int64_t value)
{
    std::array<char, 24> digits;  // more than any 64-bit number has
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

/// One form of the file: what stands before, in and after the rows.
class Form
{
public:
    virtual ~Form() = default;
    virtual void begin(std::string& text, Vertex source, Vertex vertices) const = 0;
    virtual void row(std::string& text, const Row& row, bool last) const = 0;
    virtual void end(std::string& /*text*/) const {}
};

class Lines final : public Form
{
public:
    Lines(const char* header, char separator) : header_(header), separator_(separator) {}
    void begin(std::string& text, Vertex /*source*/, Vertex /*vertices*/) const override { text += header_; }
    void row(std::string& text, const Row& row, bool /*last*/) const override
    {
        append_number(text, row.vertex);
        text += separator_;
        append_number(text, row.level);
        text += separator_;
        append_number(text, row.parent);
        text += '\n';
    }

private:
    const char* header_;
    char separator_;
};

class Json final : public Form
{
public:
    void begin(std::string& text, Vertex source, Vertex vertices) const override
    {
        text += fmt::format("{{\"source\": {}, \"vertices\": {}, \"columns\": [\"vertex\", \"level\", \"parent\"], \"rows\": [\n", source, vertices);
    }
    void row(std::string& text, const Row& row, bool last) const override
    {
        text += '[';
        append_number(text, row.vertex);
        text += ", ";
        append_number(text, row.level);
        text += ", ";
        append_number(text, row.parent);
        text += last ? "]\n" : "],\n";
    }
    void end(std::string& text) const override { text += "]}\n"; }
};

/// NumPy's format, version 1.0: magic, length of the header, header padded to a multiple of 64, then the array.
class Npy final : public Form
{
public:
    void begin(std::string& text, Vertex /*source*/, Vertex vertices) const override
    {
        constexpr std::size_t unit = 64;
        constexpr std::size_t prefix = 10;
        std::string header = fmt::format("{{'descr': '<i8', 'fortran_order': False, 'shape': ({}, 2), }}", vertices);
        header.append(unit - (prefix + header.size() + 1) % unit, ' ');
        header += '\n';
        text += "\x93NUMPY\x01";
        text += '\0';
        text += static_cast<char>(header.size() & 0xFF);
        text += static_cast<char>(header.size() >> 8);
        text += header;
    }
    void row(std::string& text, const Row& row, bool /*last*/) const override
    {
        static_assert(std::endian::native == std::endian::little);
        text.append(reinterpret_cast<const char*>(&row.level), sizeof row.level);
        text.append(reinterpret_cast<const char*>(&row.parent), sizeof row.parent);
    }
};

std::unique_ptr<Form> form_of(const std::string& path)
{
    if (path.ends_with(".csv")) return std::make_unique<Lines>("vertex,level,parent\n", ',');
    if (path.ends_with(".txt")) return std::make_unique<Lines>("# vertex level parent\n", ' ');
    if (path.ends_with(".json")) return std::make_unique<Json>();
    if (path.ends_with(".npy")) return std::make_unique<Npy>();
    if (OutputTarget(path).kind == OutputTarget::Kind::descriptor) return form_of(".txt");
    throw InputError(fmt::format("--output: {}: expected a file extension of .txt, .csv, .npy or .json, or - for standard output", path));
}

/// Levels and parents of some vertices of one rank.
struct Piece
{
    std::vector<std::int32_t> levels;
    std::vector<Vertex> parents;

    explicit Piece(std::size_t size) : levels(size), parents(size) {}
};

}  // namespace

void check_result_extension(const std::string& path)
{
    form_of(path);
}

void write_bfs_result(const Job& job, const std::string& path, const LoadedGraph& input, const Partition& partition, Vertex source,
                      std::span<const std::int32_t> levels, const VertexArray& parents)
{
    const comm::Communicator& world = job.world();
    const std::unique_ptr<Form> form = form_of(path);
    const Vertex vertices = partition.vertex_count();
    std::optional<OutputFile> file;
    std::string text;
    run_agreed(world, [&] {
        if (!job.first()) return;
        file.emplace(path);
        form->begin(text, input.outside(source), vertices);
    });

    // Local number i of rank r is vertex i * P + r: a piece is a range of local numbers, of all ranks.
    const auto ranks = static_cast<std::size_t>(world.size());
    const std::size_t piece_locals = std::max<std::size_t>(1, kPieceRows / ranks);
    const std::size_t all_locals = partition.chunk_stride();
    for (std::size_t first = 0; first < all_locals; first += piece_locals) {
        const std::size_t last = std::min(all_locals, first + piece_locals);
        const auto piece_size = [&](int rank) {
            return std::min<std::size_t>(last, partition.chunk_size(rank)) - std::min<std::size_t>(first, partition.chunk_size(rank));
        };
        Piece own(piece_size(world.rank()));
        for (std::size_t i = 0; i < own.levels.size(); ++i) {
            own.levels[i] = levels[first + i];
            own.parents[i] = parents[first + i];
        }
        std::vector<Piece> pieces;
        if (job.first()) {
            pieces.push_back(std::move(own));
            for (int rank = 1; rank < world.size(); ++rank) {
                Piece& piece = pieces.emplace_back(piece_size(rank));
                world.receive(std::span<std::int32_t>(piece.levels), rank, kLevelsTag);
                world.receive(std::span<Vertex>(piece.parents), rank, kParentsTag);
            }
        } else {
            world.send(std::span<const std::int32_t>(own.levels), 0, kLevelsTag);
            world.send(std::span<const Vertex>(own.parents), 0, kParentsTag);
        }
        run_agreed(world, [&] {
            for (std::size_t i = 0; i < last - first; ++i) {
                for (std::size_t rank = 0; rank < pieces.size() && i < pieces[rank].levels.size(); ++rank) {
                    const auto vertex = static_cast<Vertex>((first + i) * ranks + rank);
                    form->row(text, {input.outside(vertex), pieces[rank].levels[i], input.outside(pieces[rank].parents[i])}, vertex + 1 == vertices);
                }
            }
            if (file) file->write(text);
            text.clear();
        });
    }
    run_agreed(world, [&] {
        if (!file) return;
        form->end(text);
        file->write(text);
        file->commit();
    });
}

}  // namespace wayfront::app
