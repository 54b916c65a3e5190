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

    void text(std::string_view key, std::string_view value) { out_ << fmt::format("{:<31} {}\n", fmt::format("{}:", key), value); }
    void number(std::string_view key, double value, int digits = kSixDigits) { text(key, fmt::format("{:.{}g}", value, digits)); }
    void headline(std::string_view key, double value) { out_ << fmt::format("{:<29}!  {:g}\n", fmt::format("{}:", key), value); }

    /// The seven statistics of a quantity. `kernel` is "bfs  ", "sssp " or empty.
    void all(std::string_view kernel, std::string_view quantity, const std::vector<double>& values, int digits = kSixDigits)
    {
        const Statistics s = statistics(values);
        const auto line = [&](std::string_view name, double value) { number(fmt::format("{}{}_{}", kernel, name, quantity), value, digits); };
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

void write_report(std::ostream& out, const Report& report)
{
    constexpr std::string_view bfs = "bfs  ";
    constexpr std::string_view sssp = "sssp ";
    const std::vector<double> edges = column(report.bfs, &SearchRecord::edges);
    const std::vector<double> bfs_seconds = column(report.bfs, &SearchRecord::seconds);

    Lines lines(out);
    lines.text("SCALE", fmt::format("{}", report.scale));
    lines.text("edgefactor", fmt::format("{}", report.edge_factor));
    lines.text("NBFS", fmt::format("{}", report.bfs.size()));
    lines.number("graph_generation", report.generation_seconds);
    lines.text("num_mpi_processes", fmt::format("{}", report.processes));
    lines.number("construction_time", report.construction_seconds);

    lines.all(bfs, "time", bfs_seconds);
    if (report.sssp) lines.all(sssp, "time", column(*report.sssp, &SearchRecord::seconds));
    lines.all("", "nedge", edges, kEdgeDigits);
    lines.teps(bfs, edges, bfs_seconds);
    if (report.sssp) lines.teps(sssp, column(*report.sssp, &SearchRecord::edges), column(*report.sssp, &SearchRecord::seconds));
    lines.all(bfs, "validate", column(report.bfs, &SearchRecord::validate_seconds));
    if (report.sssp) lines.all(sssp, "validate", column(*report.sssp, &SearchRecord::validate_seconds));

    for (const auto& [key, value] : report.extra) lines.text(key, value);
}

}  // namespace wayfront::graph500
