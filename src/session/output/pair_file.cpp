#include "session/output/pair_file.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

enum class Form { csv, txt, json };

Form form_of(const std::string& path)
{
    if (ends_with_any_case(path, ".csv")) return Form::csv;
    if (ends_with_any_case(path, ".txt")) return Form::txt;
    if (ends_with_any_case(path, ".json")) return Form::json;
    if (OutputTarget(path).kind == OutputTarget::Kind::descriptor) return Form::txt;
    throw InputError(fmt::format(
        "--output: {}: expected a file extension of .txt, .csv or .json, or - for standard output, for pairs", path));
}

}  // namespace

void check_pair_extension(const std::string& path)
{
    form_of(path);
}

struct PairFile::State
{
    const job::Job& job;
    const LoadedGraph& input;
    Form form;
    Columns columns;
    std::optional<OutputFile> file{};  // only rank 0 has the file
    bool first = true;                 // no row was written

    void append_heading(std::string& text) const
    {
        switch (form) {
            case Form::csv:
                text += columns.paths ? "source,target,distance,path\n" : "source,target,distance\n";
                break;
            case Form::txt:
                text += columns.paths ? "# source target distance path\n" : "# source target distance\n";
                break;
            case Form::json:
                text += fmt::format(R"({{"columns": ["source", "target", "distance"{}], "rows": [)",
                                    columns.paths ? R"(, "path")" : "");
        }
    }

    void append_distance(std::string& text, const algo::PairAnswer& answer) const
    {
        if (answer.distance)
            std::visit([&text](auto distance) { append_number(text, distance); }, *answer.distance);
        else
            text += columns.levels ? "-1" : form == Form::json ? "null" : "inf";
    }

    void append_row(std::string& text, const algo::VertexPair& pair, const algo::PairAnswer& answer) const
    {
        const std::string_view separator = form == Form::csv ? "," : form == Form::txt ? " " : ", ";
        append_end(text, pair.source);
        text += separator;
        append_end(text, pair.target);
        text += separator;
        append_distance(text, answer);
        if (!columns.paths) return;
        if (form != Form::txt) text += separator;
        if (form == Form::json) text += '[';
        std::string path;
        for (std::size_t i = 0; i < answer.path.size(); ++i) {
            if (form == Form::txt || i > 0) path += form == Form::json ? ", " : " ";
            append_vertex(path, input.numbers(), answer.path[i],
                          form == Form::json ? NameForm::json : NameForm::blanks);
        }
        if (form == Form::csv)
            append_csv_field(text, path);
        else
            text += path;
        if (form == Form::json) text += ']';
    }

    void append_end(std::string& text, Vertex v) const
    {
        append_vertex(text, input.numbers(), v,
                      form == Form::csv    ? NameForm::csv
                      : form == Form::json ? NameForm::json
                                           : NameForm::blanks);
    }
};

void PairFile::require_space(const job::Job& job, const std::string& path, const LoadedGraph& input,
                             std::span<const algo::VertexPair> pairs)
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        const VertexNumbers numbers = input.numbers();
        std::size_t bytes = 0;
        for (const algo::VertexPair& pair : pairs)
            bytes += numbers.in_words(pair.source).size() + numbers.in_words(pair.target).size();
        constexpr std::size_t other_bytes = std::string_view(",,0\n").size();  // in a row
        OutputFile::require_space(path, static_cast<double>(bytes + other_bytes * pairs.size()));
    });
}

PairFile::PairFile(const job::Job& job, const std::string& path, const LoadedGraph& input, Columns columns)
    : state_(new State{job, input, form_of(path), columns})
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        std::string text;
        state_->append_heading(text);
        state_->file.emplace(path);
        state_->file->write(text);
    });
}

PairFile::PairFile(PairFile&&) noexcept = default;
PairFile& PairFile::operator=(PairFile&&) noexcept = default;
PairFile::~PairFile() = default;

void PairFile::write(std::span<const algo::VertexPair> pairs, std::span<const algo::PairAnswer> answers)
{
    run_agreed(state_->job.world(), [&] {
        if (!state_->file) return;
        std::string text;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (state_->form == Form::json) text += state_->first ? "\n[" : ",\n[";
            state_->append_row(text, pairs[i], answers[i]);
            text += state_->form == Form::json ? "]" : "\n";
            state_->first = false;
        }
        state_->file->write(text);
    });
}

void PairFile::commit()
{
    run_agreed(state_->job.world(), [&] {
        if (!state_->file) return;
        if (state_->form == Form::json) state_->file->write("\n]}\n");
        state_->file->commit();
    });
}

}  // namespace wayfront::session
