#include "graph500/report.hpp"

#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "graph500/statistics.hpp"

namespace wayfront::graph500 {

namespace {

constexpr int kSixDigits = 6;  // as %g of printf
constexpr int kEdgeDigits = 11;

class Lines
{
public:
    explicit Lines(std::ostream& out) : out_(out) {}

    void text(std::string_view key, std::string_view value)
    {
        out_ << fmt::format("{:<31} {}\n", fmt::format("{}:", key), value);
    }
    void number(std::string_view key, double value, int digits = kSixDigits)
    {
        text(key, fmt::format("{:.{}g}", value, digits));
    }
    void headline(std::string_view key, double value)
    {
        out_ << fmt::format("{:<29}!  {:g}\n", fmt::format("{}:", key), value);
    }

    /// The seven statistics of a quantity. `kernel` is "bfs  ", "sssp " or empty.
    void all(std::string_view kernel, std::string_view quantity, const std::vector<double>& values,
             int digits = kSixDigits)
    {
        const Statistics s = statistics(values);
        const auto line = [&](std::string_view name, double value) {
            number(fmt::format("{}{}_{}", kernel, name, quantity), value, digits);
        };
        line("min", s.min);
        line("firstquartile", s.first_quartile);
        line("median", s.median);
        line("thirdquartile", s.third_quartile);
        line("max", s.max);
        line("mean", s.mean);
        line("stddev", s.stddev);
    }

    void teps(std::string_view kernel, const std::vector<double>& edges, const std::vector<double>& seconds)
    {
        const TepsStatistics s = teps_statistics(edges, seconds);
        const auto key = [&](std::string_view name) { return fmt::format("{}{}_TEPS", kernel, name); };
        number(key("min"), s.min);
        number(key("firstquartile"), s.first_quartile);
        number(key("median"), s.median);
        number(key("thirdquartile"), s.third_quartile);
        number(key("max"), s.max);
        headline(key("harmonic_mean"), s.harmonic_mean);
        number(key("harmonic_stddev"), s.harmonic_stddev);
    }

private:
    std::ostream& out_;
};

template <typename Member>
std::vector<double> column(const std::vector<SearchRecord>& records, Member member)
{
    std::vector<double> values;
    values.reserve(records.size());
    for (const SearchRecord& record : records) values.push_back(static_cast<double>(record.*member));
    return values;
}

}  // namespace

const std::vector<SearchRecord>& first_kernel(const Report& report)
{
    return report.bfs ? *report.bfs : *report.sssp;
}

void write_report(std::ostream& out, const Report& report)
{
    constexpr std::string_view bfs = "bfs  ";
    constexpr std::string_view sssp = "sssp ";
    const auto edges = [](const std::vector<SearchRecord>& searches) { return column(searches, &SearchRecord::edges); };
    const auto seconds = [](const std::vector<SearchRecord>& searches) {
        return column(searches, &SearchRecord::seconds);
    };
    const auto validate_seconds = [](const std::vector<SearchRecord>& searches) {
        return column(searches, &SearchRecord::validate_seconds);
    };

    Lines lines(out);
    lines.text("SCALE", fmt::format("{}", report.scale));
    lines.text("edgefactor", fmt::format("{}", report.edge_factor));
    lines.text("NBFS", fmt::format("{}", first_kernel(report).size()));
    lines.number("graph_generation", report.generation_seconds);
    lines.text("num_mpi_processes", fmt::format("{}", report.processes));
    lines.number("construction_time", report.construction_seconds);

    if (report.bfs) lines.all(bfs, "time", seconds(*report.bfs));
    if (report.sssp) lines.all(sssp, "time", seconds(*report.sssp));
    lines.all("", "nedge", edges(first_kernel(report)), kEdgeDigits);
    if (report.bfs) lines.teps(bfs, edges(*report.bfs), seconds(*report.bfs));
    if (report.sssp) lines.teps(sssp, edges(*report.sssp), seconds(*report.sssp));
    if (report.bfs) lines.all(bfs, "validate", validate_seconds(*report.bfs));
    if (report.sssp) lines.all(sssp, "validate", validate_seconds(*report.sssp));

    for (const auto& [key, value] : report.extra) lines.text(key, value);
}

}  // namespace wayfront::graph500
