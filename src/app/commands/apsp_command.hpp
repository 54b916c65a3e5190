// wayfront apsp: the distances between all pairs of vertices, or a summary of them, of one graph
// (apsp_command.cpp) or of many (apsp_bulk.cpp), or the pairs within a limit (apsp_within.cpp).
// apsp_options.cpp has the options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/subcommand.hpp"
#include "app/options/cutoff_option.hpp"
#include "app/options/graph_options.hpp"
#include "app/options/source_options.hpp"
#include "base/phase.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"
#include "session/output/matrix_file.hpp"
#include "session/output/row_checkpoint.hpp"

namespace wayfront::app {

struct BulkFolder;

class ApspCommand final : public Subcommand
{
public:
    ApspCommand()
        : Subcommand(
              {.name = "apsp",
               .arguments_usage = "GRAPH|--bulk DIR|FILE",
               .summary =
                   "All pairs: distances of all vertices or within a limit, diameter, average path length, closeness",
               .examples =
                   "  wayfront apsp random:1000,4000 --weights uniform:1..n --summary\n"
                   "  wayfront apsp grid:30x30 --output distances.npy\n"
                   "  wayfront apsp grid:30x30 --sources random:5 --targets random:5 --long --output pairs.csv\n"
                   "  wayfront apsp grid:30x30 --vertices figures.csv\n"
                   "  wayfront apsp grid:30x30 --weights uniform:1..9 --within 10 --output near.npz\n"})
    {
    }

    std::string notes() const override { return plan::ApspMethodOptions::notes() + "\n" + graph_notes(); }
    std::vector<Argument> arguments() override { return {{"graph", &graph_.graph, false}}; }
    std::vector<OptionGroup> options() override;
    void check() const override;
    void check_bulk() const;
    void check_targets() const;
    void check_within() const;
    void check_long_form() const;
    void run(job::Job& job) override;

private:
    [[nodiscard]] OptionGroup pair_options();
    [[nodiscard]] OptionGroup output_options();
    /// The state of one run.
    struct Run;
    class BulkMember;
    void run_bulk_job(job::Job& job);
    void run_within(job::Job& job);
    void require_report_apart(const job::Job& job, std::span<const BulkFolder> folders,
                              std::span<const std::string> graphs) const;
    void load(const job::Job& job, const session::GraphOptions& graph, Run& run) const;
    void take_sources(const job::Job& job, Run& run) const;
    void choose(const job::Job& job, Run& run) const;
    [[nodiscard]] session::RowCheckpoint first_checkpoint(const job::Job& job, Run& run) const;
    void open_files(const job::Job& job, const session::RowCheckpoint& begin, session::Unfinished unfinished,
                    Run& run) const;
    void search(job::Job& job, Run& run);
    /// Adds the times of the phases to a report.
    static void add_phases(const Run& run, session::Json& document);
    /// Prints the graph and how it is searched.
    void print_choice(const job::Job& job, const Run& run) const;
    void report(job::Job& job, Run& run) const;
    void resume(const job::Job& job, Run& run) const;
    [[nodiscard]] std::string graph_of_checkpoint(const Run& run) const;
    [[nodiscard]] session::RowCheckpoint checkpoint_of(const Run& run) const;
    [[nodiscard]] std::optional<algo::SampledGraph> sampled_graph(const Run& run) const;
    [[nodiscard]] bool prints_summary() const;
    [[nodiscard]] bool wants_summary() const
    {
        return summary_ || (distances_.empty() && predecessors_.empty() && !validate_);
    }

    /// Whether the rows are summarised, for any output or for the report alone.
    [[nodiscard]] bool makes_summary() const
    {
        return wants_summary() || !figures_.empty() || (!json_.empty() && !targets_.given());
    }

    session::GraphOptions graph_;
    std::string bulk_;
    SourceOptions sources_;
    VertexOptions targets_{"target", RandomPurpose::targets};
    plan::ApspMethodOptions method_;
    std::optional<algo::Cutoff> within_;
    std::string distances_;
    std::string predecessors_;
    std::string figures_;  // --vertices
    std::string rates_;
    std::string json_;
    std::string checkpoint_;
    static constexpr int kCheckpointSeconds = 120;  // by default
    std::optional<int> checkpoint_seconds_;
    bool resume_ = false;
    bool long_form_ = false;
    bool summary_ = false;
    bool validate_ = false;
};

struct ApspCommand::Run : session::PreparedPairs
{
    std::unique_ptr<algo::RowProducer> producer;
    std::vector<std::unique_ptr<session::MatrixFile>> files;
    std::optional<algo::Summary> summary;
    std::optional<session::RowCheckpoint> resumed;  // the checkpoint of an earlier job
    std::size_t rows_before = 0;                    // rows that the earlier job has done
    std::size_t steps_before = 0;                   // steps of the matrix that the earlier job has done
    std::string in_words;                           // how the graph is searched, for people
    std::uint64_t edges_fingerprint = 0;
    PhaseLog log;
    double load_seconds = 0;
    double gather_seconds = 0;   // sending all edges to each rank, and checking them
    double choice_seconds = 0;   // the choice of the method with trials, without the elimination that it uses
    double prepare_seconds = 0;  // the preparation of the engine, and an elimination of vertices
    double search_seconds = 0;
};

}  // namespace wayfront::app
