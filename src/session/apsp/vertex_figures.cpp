#include "session/apsp/vertex_figures.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "graph/io/file_format.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"
#include "session/output/array_text.hpp"
#include "session/output/vertex_text.hpp"

namespace wayfront::session {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One form of the file: its beginning, its rows, and its end.
class Form
{
public:
    Form(bool whole, VertexNumbers numbers) : whole_(whole), numbers_(numbers) {}
    virtual ~Form() = default;
    virtual void begin(std::string& text, std::size_t rows) const = 0;
    virtual void row(std::string& text, const VertexFigures& figures, bool last) const = 0;
    virtual void end(std::string& /*text*/) const {}

protected:
    /// Whether distances are whole numbers.
    [[nodiscard]] bool whole() const { return whole_; }
    [[nodiscard]] VertexNumbers numbers() const { return numbers_; }
    /// Calls f(number) for each number of a row behind its vertex.
    template <typename F>
    void for_each_number(const VertexFigures& figures, F&& f) const
    {
        f(static_cast<std::int64_t>(figures.reached));
        if (whole_) {
            f(figures.whole_sum);
            f(static_cast<std::int64_t>(figures.eccentricity));
        } else {
            f(figures.sum);
            f(figures.eccentricity);
        }
        f(figures.closeness.value_or(kNan));
        f(figures.harmonic.value_or(kNan));
    }

private:
    bool whole_;
    VertexNumbers numbers_;
};

class Lines final : public Form
{
public:
    using Form::Form;
    void begin(std::string& text, std::size_t /*rows*/) const override
    {
        text += "vertex,reached,sum,eccentricity,closeness,harmonic\n";
    }
    void row(std::string& text, const VertexFigures& figures, bool /*last*/) const override
    {
        append_vertex(text, numbers(), figures.vertex, NameForm::csv);
        for_each_number(figures, [&text](auto number) {
            text += ',';
            append_number(text, number);
        });
        text += '\n';
    }
};

class JsonRows final : public Form
{
public:
    using Form::Form;
    void begin(std::string& text, std::size_t /*rows*/) const override
    {
        text +=
            "{\"columns\": [\"vertex\", \"reached\", \"sum\", \"eccentricity\", \"closeness\", \"harmonic\"], "
            "\"rows\": [\n";
    }
    void row(std::string& text, const VertexFigures& figures, bool last) const override
    {
        text += '[';
        append_vertex(text, numbers(), figures.vertex, NameForm::json);
        for_each_number(figures, [&](auto number) {
            text += ", ";
            if (std::isfinite(static_cast<double>(number)))
                append_number(text, number);
            else
                text += "null";
        });
        text += last ? "]\n" : "],\n";
    }
    void end(std::string& text) const override { text += "]}\n"; }
};

/// NumPy's format.
class Records final : public Form
{
public:
    using Form::Form;
    void begin(std::string& text, std::size_t rows) const override
    {
        const char* const distance = whole() ? "<i8" : "<f8";
        text += npy_header({.type = fmt::format("[('vertex', '<i8'), ('reached', '<i8'), ('sum', '{}'), "
                                                "('eccentricity', '{}'), ('closeness', '<f8'), ('harmonic', '<f8')]",
                                                distance, distance),
                            .shape = fmt::format("({},)", rows)});
    }
    void row(std::string& text, const VertexFigures& figures, bool /*last*/) const override
    {
        static_assert(std::endian::native == std::endian::little);
        const auto append = [&text](auto number) {
            text.append(reinterpret_cast<const char*>(&number), sizeof number);
        };
        append(static_cast<std::int64_t>(numbers()[figures.vertex]));
        for_each_number(figures, append);
    }
};

/// Null if no form has this extension.
std::unique_ptr<Form> form_of(const std::string& path, bool whole, VertexNumbers numbers)
{
    if (ends_with_any_case(path, ".csv") || is_standard_output(path)) return std::make_unique<Lines>(whole, numbers);
    if (ends_with_any_case(path, ".json")) return std::make_unique<JsonRows>(whole, numbers);
    if (ends_with_any_case(path, ".npy")) return std::make_unique<Records>(whole, numbers);
    return nullptr;
}

}  // namespace

VertexFigures FiguresOfVertices::operator[](std::size_t position) const
{
    const algo::RowFacts& facts = summary.rows()[position];
    return {.vertex = sources[position],
            .reached = facts.reached,
            .whole_sum = facts.whole_sum,
            .sum = std::ldexp(facts.sum, static_cast<int>(facts.sum_exponent)),
            .eccentricity = facts.eccentricity,
            .closeness = algo::closeness_of(facts, vertices),
            .harmonic = algo::harmonic_closeness_of(facts)};
}

void check_figures_extension(const std::string& option, const std::string& path)
{
    if (form_of(path, true, {}) == nullptr)
        throw InputError(fmt::format(
            "{}: {}: expected a file extension of .csv, .npy or .json, or - for standard output", option, path));
}

void require_figures_space(const job::Job& job, const std::string& path, std::size_t sources, std::size_t vertex_bytes)
{
    // A vertex, five numbers of at most 24 characters, their separators, and the header.
    const double most_bytes_a_row = static_cast<double>(vertex_bytes) + 5 * (24 + 2) + 5;
    constexpr double most_header_bytes = 512;
    run_agreed(job.world(), [&] {
        if (job.first())
            OutputFile::require_space(path, most_header_bytes + most_bytes_a_row * static_cast<double>(sources));
    });
}

void write_figures(const job::Job& job, const std::string& path, const FiguresOfVertices& figures)
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        const std::unique_ptr<Form> form = form_of(path, figures.summary.whole(), figures.numbers);
        OutputFile file(path);
        std::string text;
        form->begin(text, figures.size());
        for (std::size_t position = 0; position < figures.size(); ++position) {
            form->row(text, figures[position], position + 1 == figures.size());
            if (text.size() < kPieceBytes) continue;
            file.write(text);
            text.clear();
        }
        form->end(text);
        file.write(text);
        file.commit();
    });
}

}  // namespace wayfront::session
