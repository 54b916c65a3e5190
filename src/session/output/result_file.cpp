#include "session/output/result_file.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
#include "session/output/parquet_table.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

/// The rows, of all ranks together, that are in memory at a time: a few MiB with their text, which
/// no estimate of memory counts.
constexpr std::size_t kPieceRows = std::size_t{1} << 16;
constexpr int kValuesTag = 72;
constexpr int kParentsTag = 73;
constexpr int kNearestTag = 74;

struct NotReached
{
};

/// A level or a distance. A level of -1 is a whole number.
using Value = std::variant<NotReached, std::int64_t, float, double>;

template <typename T>
Value value_of(T value)
{
    if constexpr (std::is_same_v<T, std::int32_t>) return std::int64_t{value};
    if (value == unreached<T>()) return NotReached{};
    if constexpr (std::is_floating_point_v<T>)
        return value;
    else
        return static_cast<std::int64_t>(value);
}

/// Vertices have the numbers of the edge list.
struct Row
{
    Vertex vertex;
    Value value;
    Vertex parent;
    std::optional<Vertex> nearest;  // if there are several sources
};

/// The facts of the whole file that its heading contains.
struct Heading
{
    const char* value_name;
    bool real;  // whether the values are floating-point numbers
    std::span<const Vertex> sources;
    bool nearest;  // whether rows have their nearest sources
    Vertex vertices;
};

void append_value(std::string& text, const Value& value, const char* not_reached)
{
    std::visit(
        [&]<typename T>(T number) {
            if constexpr (std::is_same_v<T, NotReached>)
                text += not_reached;
            else
                append_number(text, number);
        },
        value);
}

/// One form of the file: its beginning, its rows, and its end.
class Form
{
public:
    explicit Form(VertexNumbers numbers) : numbers_(numbers) {}
    virtual ~Form() = default;
    virtual void begin(std::string& text, const Heading& heading) = 0;
    virtual void row(std::string& text, const Row& row, bool last) = 0;
    virtual void end(std::string& /*text*/) {}

protected:
    [[nodiscard]] VertexNumbers numbers() const { return numbers_; }
    /// Appends vertices, with separators between them.
    void append_list(std::string& text, std::span<const Vertex> vertices, NameForm form) const
    {
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            if (i > 0) text += ", ";
            append_vertex(text, numbers_, vertices[i], form);
        }
    }

private:
    VertexNumbers numbers_;
};

class Lines final : public Form
{
public:
    Lines(VertexNumbers numbers, const char* before_header, char separator)
        : Form(numbers),
          before_header_(before_header),
          separator_(separator),
          form_(separator == ',' ? NameForm::csv : NameForm::blanks)
    {
    }
    void begin(std::string& text, const Heading& heading) override
    {
        text += fmt::format("{}vertex{}{}{}parent", before_header_, separator_, heading.value_name, separator_);
        if (heading.nearest) text += fmt::format("{}source", separator_);
        text += '\n';
    }
    void row(std::string& text, const Row& row, bool /*last*/) override
    {
        append_vertex(text, numbers(), row.vertex, form_);
        text += separator_;
        append_value(text, row.value, "inf");
        text += separator_;
        append_vertex(text, numbers(), row.parent, form_);
        if (row.nearest) {
            text += separator_;
            append_vertex(text, numbers(), *row.nearest, form_);
        }
        text += '\n';
    }

private:
    const char* before_header_;
    char separator_;
    NameForm form_;
};

class JsonRows final : public Form
{
public:
    using Form::Form;
    void begin(std::string& text, const Heading& heading) override
    {
        text += heading.nearest ? "{\"sources\": [" : "{\"source\": ";
        append_list(text, heading.nearest ? heading.sources : heading.sources.first(1), NameForm::json);
        if (heading.nearest) text += ']';
        text += fmt::format(", \"vertices\": {}, \"columns\": [\"vertex\", \"{}\", \"parent\"{}], \"rows\": [\n",
                            heading.vertices, heading.value_name, heading.nearest ? ", \"source\"" : "");
    }
    void row(std::string& text, const Row& row, bool last) override
    {
        text += '[';
        append_vertex(text, numbers(), row.vertex, NameForm::json);
        text += ", ";
        append_value(text, row.value, "null");
        text += ", ";
        append_vertex(text, numbers(), row.parent, NameForm::json);
        if (row.nearest) {
            text += ", ";
            append_vertex(text, numbers(), *row.nearest, NameForm::json);
        }
        text += last ? "]\n" : "],\n";
    }
    void end(std::string& text) override { text += "]}\n"; }
};

/// NumPy's format.
class Npy final : public Form
{
public:
    using Form::Form;
    void begin(std::string& text, const Heading& heading) override
    {
        real_ = heading.real;
        text += npy_header(heading.real ? "<f8" : "<i8", static_cast<std::uint64_t>(heading.vertices),
                           heading.nearest ? 3 : 2);
    }
    void row(std::string& text, const Row& row, bool /*last*/) override
    {
        if (real_)
            append_row(text, number<double>(row.value, unreached<double>()), row);
        else
            append_row(text, number<std::int64_t>(row.value, -1), row);
    }

private:
    template <typename T>
    static T number(const Value& value, T not_reached)
    {
        return std::visit(
            [&]<typename Own>(Own own) {
                if constexpr (std::is_same_v<Own, NotReached>)
                    return not_reached;
                else
                    return static_cast<T>(own);
            },
            value);
    }
    template <typename T>
    void append_row(std::string& text, T value, const Row& row) const
    {
        const auto input_number = [this](Vertex v) { return static_cast<T>(v == kUnreached ? v : numbers()[v]); };
        append(text, value);
        append(text, input_number(row.parent));
        if (row.nearest) append(text, input_number(*row.nearest));
    }
    template <typename T>
    static void append(std::string& text, T element)
    {
        static_assert(std::endian::native == std::endian::little);
        text.append(reinterpret_cast<const char*>(&element), sizeof element);
    }

    bool real_ = false;
};

class ParquetRows final : public Form
{
public:
    using Form::Form;
    void begin(std::string& /*text*/, const Heading& heading) override
    {
        std::vector<ParquetColumn> columns{{"vertex", ParquetType::vertices},
                                           {heading.value_name, heading.real ? ParquetType::real : ParquetType::whole},
                                           {"parent", ParquetType::vertices}};
        if (heading.nearest) columns.push_back({"source", ParquetType::vertices});
        table_.emplace(columns, numbers());
    }
    void row(std::string& text, const Row& row, bool /*last*/) override
    {
        table_->append_vertex(0, row.vertex);
        std::visit(
            [this]<typename T>(T value) {
                if constexpr (std::is_floating_point_v<T>)
                    table_->append_real(1, value);
                else if constexpr (std::is_same_v<T, std::int64_t>)
                    append_level(value);
                else
                    table_->append_null(1);
            },
            row.value);
        table_->append_vertex(2, row.parent);
        if (row.nearest) table_->append_vertex(3, *row.nearest);
        text += table_->end_row();
    }
    void end(std::string& text) override { text += table_->finish(); }

private:
    /// Or a distance; a level of -1 is not reached.
    void append_level(std::int64_t value)
    {
        if (value == kUnreached)
            table_->append_null(1);
        else
            table_->append_whole(1, value);
    }

    std::optional<ParquetTable> table_;
};

std::unique_ptr<Form> form_of(const std::string& path, VertexNumbers numbers)
{
    if (ends_with_any_case(path, ".csv")) return std::make_unique<Lines>(numbers, "", ',');
    if (ends_with_any_case(path, ".txt")) return std::make_unique<Lines>(numbers, "# ", ' ');
    if (ends_with_any_case(path, ".json")) return std::make_unique<JsonRows>(numbers);
    if (ends_with_any_case(path, ".npy")) return std::make_unique<Npy>(numbers);
    if (is_parquet(path)) {
        require_parquet("--output", path);
        return std::make_unique<ParquetRows>(numbers);
    }
    if (OutputTarget(path).kind == OutputTarget::Kind::descriptor) return form_of(".txt", numbers);
    throw InputError(fmt::format(
        "--output: {}: expected a file extension of .txt, .csv, .npy or .json, or - for standard output", path));
}

/// The results of some vertices of one rank.
template <typename T>
struct Piece
{
    std::vector<T> values;
    std::vector<Vertex> parents;
    std::vector<Vertex> nearest;  // empty if there is one source

    Piece(std::size_t size, bool with_nearest) : values(size), parents(size), nearest(with_nearest ? size : 0) {}

    void send(const comm::Communicator& world) const
    {
        world.send(std::span<const T>(values), 0, kValuesTag);
        world.send(std::span<const Vertex>(parents), 0, kParentsTag);
        if (!nearest.empty()) world.send(std::span<const Vertex>(nearest), 0, kNearestTag);
    }
    void receive(const comm::Communicator& world, int rank)
    {
        world.receive(std::span<T>(values), rank, kValuesTag);
        world.receive(std::span<Vertex>(parents), rank, kParentsTag);
        if (!nearest.empty()) world.receive(std::span<Vertex>(nearest), rank, kNearestTag);
    }
    [[nodiscard]] Row row(Vertex vertex, std::size_t i) const
    {
        Row row{vertex, value_of(values[i]), parents[i], std::nullopt};
        if (!nearest.empty()) row.nearest = nearest[i];
        return row;
    }
};

/// A result file that is written, by rank 0. All member functions are collective.
class ResultWriter
{
public:
    ResultWriter(const job::Job& job, const std::string& path, VertexNumbers numbers, const Partition& partition)
        : world_(job.world()), partition_(partition), form_(form_of(path, numbers))
    {
        run_agreed(world_, [&] {
            if (job.first()) file_.emplace(path);
        });
    }

    template <typename T>
    void write(std::span<const T> values, const SearchResult& result)
    {
        write_text([&] {
            form_->begin(text_, {result.values.name, std::is_floating_point_v<T>, result.sources,
                                 result.nearest != nullptr, partition_.vertex_count()});
        });
        // Local number i of rank r is vertex i * P + r: a piece is a range of local numbers, of all
        // ranks.
        const auto ranks = static_cast<std::size_t>(world_.size());
        const std::size_t piece_locals = std::max<std::size_t>(1, kPieceRows / ranks);
        const std::size_t all_locals = partition_.chunk_stride();
        for (std::size_t first = 0; first < all_locals; first += piece_locals)
            write_rows(first, std::min(all_locals, first + piece_locals), values, result);
        write_text([&] { form_->end(text_); });
    }

    void commit()
    {
        run_agreed(world_, [&] {
            if (file_) file_->commit();
        });
    }

private:
    /// Writes what append() appends to text_.
    template <typename F>
    void write_text(F&& append)
    {
        run_agreed(world_, [&] {
            if (!file_) return;
            append();
            file_->write(text_);
            text_.clear();
        });
    }

    /// Writes the rows of the local numbers from `first` to `last`, in the order of vertices.
    template <typename T>
    void write_rows(std::size_t first, std::size_t last, std::span<const T> values, const SearchResult& result)
    {
        const auto piece_size = [&](int rank) {
            return std::min<std::size_t>(last, partition_.chunk_size(rank)) -
                   std::min<std::size_t>(first, partition_.chunk_size(rank));
        };
        const bool with_nearest = result.nearest != nullptr;
        Piece<T> own(piece_size(world_.rank()), with_nearest);
        for (std::size_t i = 0; i < own.values.size(); ++i) {
            own.values[i] = values[first + i];
            own.parents[i] = result.parents[first + i];
            if (with_nearest) own.nearest[i] = (*result.nearest)[first + i];
        }
        std::vector<Piece<T>> pieces;
        if (world_.rank() == 0) {
            pieces.push_back(std::move(own));
            for (int rank = 1; rank < world_.size(); ++rank)
                pieces.emplace_back(piece_size(rank), with_nearest).receive(world_, rank);
        } else {
            own.send(world_);
        }
        write_text([&] {
            for (std::size_t i = 0; i < last - first; ++i) {
                for (std::size_t rank = 0; rank < pieces.size() && i < pieces[rank].values.size(); ++rank) {
                    const auto vertex = static_cast<Vertex>((first + i) * pieces.size() + rank);
                    form_->row(text_, pieces[rank].row(vertex, i), vertex + 1 == partition_.vertex_count());
                }
            }
        });
    }

    const comm::Communicator& world_;
    const Partition& partition_;
    std::unique_ptr<Form> form_;
    std::optional<OutputFile> file_;
    std::string text_;
};

/// The size of a result file; for text, a lower bound. `nearest`: whether the file has the
/// nearest sources.
double least_result_bytes(const std::string& path, const LoadedGraph& input, bool nearest)
{
    const Vertex vertices = input.list.vertex_count;
    const std::size_t columns = nearest ? 3 : 2;  // without the column of vertices
    if (is_parquet(path)) return 0;               // it is compressed
    if (ends_with_any_case(path, ".npy"))
        return static_cast<double>(columns * sizeof(std::int64_t)) * static_cast<double>(vertices);
    constexpr std::size_t cell_bytes = std::string_view(",0").size();
    constexpr std::size_t json_cell_bytes = std::string_view(", 0").size();
    const bool json = ends_with_any_case(path, ".json");
    const std::size_t row_bytes =
        columns * (json ? json_cell_bytes : cell_bytes) + (json ? std::string_view("[]\n").size() : 1);
    return least_bytes_of_vertices(input.numbers(), vertices) +
           static_cast<double>(row_bytes) * static_cast<double>(vertices);
}

}  // namespace

ResultValues as_values(std::span<const std::int32_t> levels)
{
    return {"level", levels};
}

ResultValues as_values(const Distances& distances)
{
    return std::visit([](const auto& own) -> ResultValues { return {"distance", own.span()}; }, distances);
}

void check_result_extension(const std::string& path)
{
    form_of(path, {});
}

void require_exact_numbers(const job::Job& job, const std::string& path, const LoadedGraph& input, bool real)
{
    constexpr Vertex most_exact = Vertex{1} << 53;
    const Vertex vertices = input.list.vertex_count;
    if (!real || !ends_with_any_case(path, ".npy") || vertices == 0 || input.input_number(vertices - 1) <= most_exact)
        return;
    run_agreed(job.world(), [&] {
        throw InputError(fmt::format(
            "--output: {}: parents beside distances that are floats are float64, which rounds vertex {}; .csv keeps it",
            path, input.input_number(vertices - 1)));
    });
}

void require_result_space(const job::Job& job, const std::string& path, const LoadedGraph& input, bool nearest,
                          std::size_t files)
{
    run_agreed(job.world(), [&] {
        if (job.first())
            OutputFile::require_space(path, static_cast<double>(files) * least_result_bytes(path, input, nearest));
    });
}

void write_result(const job::Job& job, const std::string& path, const LoadedGraph& input, const Partition& partition,
                  const SearchResult& result)
{
    ResultWriter writer(job, path, input.numbers(), partition);
    std::visit([&](const auto& values) { writer.write(values, result); }, result.values.values);
    writer.commit();
}

}  // namespace wayfront::session
