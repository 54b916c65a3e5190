// wayfront tune: measures the rates by which methods are compared.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/date.hpp"
#include "app/cli/subcommand.hpp"
#include "base/counted.hpp"
#include "model/link_fit.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"
#include "session/rates_file.hpp"
#include "session/tuning.hpp"

namespace wayfront::app {

namespace {

/// Prints rates beside those that are built in.
template <typename Part>
void show(const char* what, const std::string& machine, const Part& rates)
{
    std::cout << fmt::format("{}\nseconds of {}, and those without tune:\n", machine, what);
    std::vector<double> built_in;
    Part::for_each(Part(), [&](const char* /*name*/, double rate) { built_in.push_back(rate); });
    std::size_t row = 0;
    Part::for_each(rates, [&](const char* name, double rate) {
        std::cout << fmt::format("  {:<20} {:10.3g} {:10.3g}\n", name, rate, built_in[row++]);
    });
}

/// A link as a network file has it.
session::Json to_json(const model::Link& link)
{
    constexpr double micro = 1e6;
    return {{"gigabytes_per_second", link.bytes_per_second / 1e9},
            {"step_microseconds", link.step * micro},
            {"doubling_microseconds", link.doubling * micro},
            {"message_microseconds", link.message * micro},
            {"uncertainty", link.uncertainty}};
}

/// Steps that were measured over links of one kind.
struct MeasuredLinks
{
    const char* name;
    model::LinkEnds ends;
    std::vector<comm::StepPoint> points;

    [[nodiscard]] model::Link link() const { return model::fit_link(points, ends); }
    /// The measured times beside those that a plan would have without them.
    void add_to(session::Json& json) const
    {
        for (const comm::StepPoint& point : points)
            json.push_back({{"link", name},
                            {"step", point.step == comm::Step::all_gather ? "all-gather" : "all-to-all"},
                            {"ranks", point.ranks},
                            {"received_bytes", point.bytes},
                            {"microseconds", point.seconds * 1e6},
                            {"fitted_microseconds", model::planned_seconds(link(), ends, point) * 1e6}});
    }
};

/// The points of the first rank of the world that has some, on all ranks. Collective.
std::vector<comm::StepPoint> points_of_first(const comm::Communicator& world, std::vector<comm::StepPoint> points)
{
    const std::int64_t none = world.size();
    const std::int64_t first =
        world.all_reduce(points.empty() ? none : std::int64_t{world.rank()}, comm::Reduction::min);
    if (first == none) return {};
    auto count = static_cast<std::int64_t>(points.size());
    world.broadcast(std::span(&count, 1), static_cast<int>(first));
    points.resize(static_cast<std::size_t>(count));
    world.broadcast(std::span(points), static_cast<int>(first));
    return points;
}

class TuneCommand final : public Subcommand
{
public:
    TuneCommand()
        : Subcommand(
              {.name = "tune",
               .arguments_usage = "",
               .summary =
                   "Measure cores and GPU, so that jobs choose the fastest algorithm; over several ranks, their links",
               .examples = "  wayfront tune --output rates.json\n"
                           "  mpirun -n 2 wayfront tune --output network.json\n"
                           "  wayfront apsp random:2000,8000 --weights uniform:1..100 --rates rates.json --summary\n"})
    {
    }

    std::string notes() const override
    {
        return "Small jobs of all pairs run by each algorithm, and breadth-first searches and searches for shortest "
               "paths, for less than a minute in all, on as many threads as other jobs, and on the first GPU that is "
               "visible (CUDA_VISIBLE_DEVICES). Their times give the rates from which apsp, bfs and sssp estimate how "
               "long each algorithm will take, on cores and on a GPU. Without --output they are "
               "written to the file that jobs read: that of the environment variable WAYFRONT_RATES, or "
               "wayfront/rates.json in the user's configuration folder. For a cluster, write them to a file that all "
               "hosts see, and set WAYFRONT_RATES. Without a GPU here, the rates of GPUs remain those of an H200.\n"
               "\n"
               "Over several ranks, the links between them are measured instead: MPI's all-gathers and all-to-alls of "
               "host "
               "memory, among 2, 4, 8, ... ranks of a host, and among one rank of each host. --output names the "
               "network "
               "file, for plan --network. If a host has several ports, of which one rank uses one, take the points out "
               "of the file, and raise the rate between hosts.\n";
    }
    std::vector<Argument> arguments() override { return {}; }
    std::vector<OptionGroup> options() override
    {
        OptionGroup output("Output");
        output.text("output,o", output_, "FILE", "write the rates, or the network, to FILE, or to standard output (-)");
        return {output};
    }
    void run(job::Job& job) override;

private:
    void measure_links(const job::Job& job) const;
    void measure_rates(const job::Job& job) const;

    std::string output_;
};

void TuneCommand::run(job::Job& job)
{
    if (job.world().size() > 1)
        measure_links(job);
    else
        measure_rates(job);
}

void TuneCommand::measure_links(const job::Job& job) const
{
    const comm::Communicator& world = job.world();
    run_agreed(world, [&] {
        if (output_.empty()) throw InputError("--output: is required over several ranks: the network file");
    });
    session::check_outputs(job, {{"--output", output_}}, {{"--config", common.config}});
    const comm::Communicator host = world.split_by_host();
    const comm::Communicator firsts = world.split(host.rank() == 0 ? 0 : 1, world.rank());
    const auto ranks_a_host = static_cast<std::int64_t>(host.size());
    const std::int64_t most = world.all_reduce(ranks_a_host, comm::Reduction::max);
    const bool even = world.all_reduce(ranks_a_host, comm::Reduction::min) == most;
    const auto measured = [&world](const comm::Communicator& ranks, bool takes_part) {
        std::vector<comm::StepPoint> points;
        if (takes_part && ranks.size() > 1) points = comm::measure_steps(ranks);
        world.barrier();
        return points_of_first(world, std::move(points));
    };
    const MeasuredLinks inside{"inside", model::LinkEnds::ranks, measured(host, true)};
    const MeasuredLinks between{"between", model::LinkEnds::hosts, measured(firsts, host.rank() == 0)};
    if (between.points.empty())
        job.note("all ranks are on one host: links between hosts were not measured, and are written like those inside");
    if (inside.points.empty())
        job.note("each host has one rank: links inside hosts were not measured, and are written like those between");
    if (!even) job.note("hosts have different numbers of ranks: the largest one is written");
    session::Json points = session::Json::array();
    inside.add_to(points);
    between.add_to(points);
    session::write_json(job, output_,
                        {{"wayfront_network", 1},
                         {"name", fmt::format("as measured on {}", today())},
                         {"ranks_per_host", most},
                         {"inside", to_json((inside.points.empty() ? between : inside).link())},
                         {"between", to_json((between.points.empty() ? inside : between).link())},
                         {"points", points}});
    if (common.quiet || output_ == "-" || world.rank() != 0) return;
    std::cout << fmt::format("written to {}\n", output_);
}

void TuneCommand::measure_rates(const job::Job& job) const
{
    const std::string file = run_agreed(job.world(), [&]() -> std::string {
        std::string path = output_.empty() ? session::usual_rates_file() : output_;
        if (path.empty())
            throw InputError("--output: is required, since neither HOME nor WAYFRONT_RATES names a place for the file");
        std::error_code failure;  // then the file cannot be written, which is reported
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        if (output_.empty() && !folder.empty()) std::filesystem::create_directories(folder, failure);
        return path;
    });
    session::check_outputs(job, {{"--output", file}}, {{"--config", common.config}});
    plan::Rates rates;
    rates.machine = fmt::format("{} ({})", session::processor_name(), counted(job.threads(), "thread", "threads"));
    rates.date = today();
    rates.core = session::measure_core_rates(job);
    const bool has_gpu = session::measure_gpu(job, rates);
    session::write_json(job, file, session::rates_document(rates));
    if (common.quiet || file == "-") return;
    show("a core", rates.machine, rates.core);
    if (has_gpu) show("a GPU", rates.gpu_machine, rates.gpu);
    std::cout << fmt::format("written to {}\n", file);
}

}  // namespace

std::unique_ptr<Subcommand> make_tune_command()
{
    return std::make_unique<TuneCommand>();
}

}  // namespace wayfront::app
