// wayfront report: runs beside each other as one page, and their differences.

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/cli/subcommand.hpp"
#include "base/error.hpp"
#include "report/measured_run.hpp"
#include "report/page.hpp"
#include "report/run_comparison.hpp"
#include "session/input/text_file.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"

namespace wayfront::app {

namespace {

class ReportCommand final : public Subcommand
{
public:
    ReportCommand()
        : Subcommand({.name = "report",
                      .arguments_usage = "RUN... --output PAGE.html",
                      .summary = "Show runs beside each other as a page: times, differences, scaling",
                      .examples = "  wayfront bfs kron:14 --sources random:16 --json before.json\n"
                                  "  wayfront bfs kron:14 --sources random:16 --threads 1 --json after.json\n"
                                  "  wayfront report before.json after.json --output page.html\n"})
    {
    }

    std::string notes() const override
    {
        return "RUN is a file that --json of bfs, sssp, apsp, graph500 or plan has written; - is standard input. Each "
               "further run is compared with the first one: same, faster, slower or ambiguous, by an interval of 95% "
               "of the ratio of times; undecided without an interval. The page contains all that it needs: no network, "
               "no scripts.\n";
    }
    std::vector<Argument> arguments() override { return {{"run", nullptr, true, &files_}}; }
    std::vector<OptionGroup> options() override
    {
        OptionGroup output("Output");
        output.text("output,o", output_, "FILE", "write the page to FILE (.html), or to standard output (-)");
        return {output};
    }
    void check() const override;
    void run(job::Job& job) override;

private:
    std::vector<std::string> files_;
    std::string output_;
};

void ReportCommand::check() const
{
    if (output_.empty()) throw InputError("--output: is required, such as --output page.html");
    if (output_ != "-" && !has_extension(output_, ".html") && !has_extension(output_, ".htm"))
        throw InputError(fmt::format("--output: expected a file that ends in .html, found '{}'", output_));
}

void ReportCommand::run(job::Job& job)
{
    run_agreed(job.world(), [&] {
        if (const int ranks = job.world().size(); ranks > 1)
            throw InputError(fmt::format("report runs on one rank, but {} were started", ranks));
    });
    session::NamedFiles inputs{{"--config", common.config}};
    for (const std::string& file : files_) inputs.push_back({"RUN", file});
    session::check_outputs(job, {{"--output", output_}}, inputs);
    std::vector<report::MeasuredRun> runs;
    for (const std::string& file : files_) {
        const std::string text = session::read_whole_file(job.world(), file, file);
        run_agreed(job.world(), [&] {
            runs.push_back(report::measured_run_from_text(text, file == kStandardInput ? "standard input" : file));
        });
    }
    const std::vector<report::RunComparison> comparisons =
        run_agreed(job.world(), [&] { return report::compare_with_first(runs); });
    session::write_text(job, output_, [&] { return report::report_page(runs, comparisons); });
    if (common.quiet) return;
    run_agreed(job.world(), [&] {
        for (const report::RunComparison& comparison : comparisons) std::cout << in_words(comparison) << '\n';
        for (const report::MeasuredRun& run : std::span(runs).subspan(1))
            if (std::ranges::find(comparisons, &run, &report::RunComparison::second) == comparisons.end())
                std::cout << fmt::format("{} has no algorithm in common with {}\n", run.file, runs.front().file);
    });
}

}  // namespace

std::unique_ptr<Subcommand> make_report_command()
{
    return std::make_unique<ReportCommand>();
}

}  // namespace wayfront::app
