// wayfront apsp --bulk: many graphs, computed by the threads or the GPUs of all ranks.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/apsp_bulk_results.hpp"
#include "app/commands/apsp_command.hpp"
#include "app/commands/apsp_summary.hpp"
#include "app/report/run_facts.hpp"
#include "base/counted.hpp"
#include "job/progress.hpp"
#include "session/apsp/bulk_job.hpp"
#include "session/apsp/bulk_pairs.hpp"
#include "session/input/graph_list.hpp"
#include "session/output/json.hpp"
#include "session/output/lazy_matrix_file.hpp"
#include "session/output/named_files.hpp"
#include "session/output/text_output.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

void ApspCommand::check_bulk() const
{
    if (!graph_.graph.empty())
        throw InputError(fmt::format("--bulk {} takes the place of GRAPH, {}", bulk_, graph_.graph));
    if (!checkpoint_.empty()) throw InputError("--bulk and --checkpoint do not go together");
    if (common.verbose) throw InputError("--bulk and --verbose do not go together");
    if (!graph_.vertex_numbers.empty())
        throw InputError("--bulk and --vertex-numbers do not go together; --json lists the vertices of each graph");
    if (resume_) throw InputError("--bulk and --resume do not go together");
    if (!figures_.empty())
        throw InputError("--bulk and --vertices do not go together; --json has the summary of each graph");
    session::GraphOptions any = graph_;
    any.graph = "any.el";
    any.check();
}

/// One graph of --bulk: a run of its own, without messages.
class ApspCommand::BulkMember final : public session::BulkPairs
{
public:
    BulkMember(const ApspCommand& command, const std::string& graph, const plan::EnginePlan& engine,
               std::span<const BulkFolder> folders)
        : command_(command), options_(command.graph_), folders_(folders)
    {
        options_.graph = graph;
        run_.engine = engine;
    }

    /// A JSON object, in one line.
    [[nodiscard]] std::string facts() const override
    {
        session::Json facts = {
            {"graph", graph_facts(run_.input)},
            {"search", {{"algorithm", run_.plan.method->name}, {"dtype", algo::name_of(run_.plan.type)}}}};
        // The keys are the options without their dashes.
        for (const BulkFolder& folder : folders_)
            if (!folder.path.empty()) facts[folder.option + 2] = folder.file_of(options_.graph);
        facts["validated_rows"] = run_.validator ? run_.validator->checked_rows() : 0;
        facts["summary"] = summary_facts({run_.input, run_.sources, run_.all_sources(), run_.plan.whole}, summary());
        if (command_.json_.empty()) {
            for (const char* list : {"histogram", "vertices", "eccentricities", "closeness", "center", "periphery"})
                facts["summary"].erase(list);
        } else {
            facts["notes"] = notes();
        }
        return facts.dump(-1, ' ', false, session::Json::error_handler_t::replace);
    }

private:
    [[nodiscard]] session::PreparedPairs& pairs() override { return run_; }
    [[nodiscard]] const session::PreparedPairs& pairs() const override { return run_; }
    void gather(const job::Job& job) override
    {
        options_.check();
        command_.load(job, options_, run_);
    }
    void plan(const job::Job& job) override { command_.choose(job, run_); }
    [[nodiscard]] std::vector<algo::RowConsumer*> consumers() override
    {
        constexpr std::array contents{session::MatrixContent::distances, session::MatrixContent::parents};
        for (std::size_t i = 0; i < contents.size(); ++i) {
            if (folders_[i].path.empty()) continue;
            files_.emplace_back([this, i, content = contents[i]] {
                return std::make_unique<session::MatrixFile>(
                    job(), session::MatrixFileOptions{folders_[i].file_of(options_.graph), content, run_.plan.type},
                    run_.shape());
            });
        }
        std::vector<algo::RowConsumer*> files;
        for (session::LazyMatrixFile& file : files_) files.push_back(&file);
        return files;
    }
    void finish(const job::Job& job) override
    {
        for (session::LazyMatrixFile& file : files_) file.commit(job);
    }

    const ApspCommand& command_;
    session::GraphOptions options_;
    std::span<const BulkFolder> folders_;  // of distances and of predecessors
    Run run_;
    std::list<session::LazyMatrixFile> files_;
};

/// Throws an AgreedError if the report would replace a graph or the result of one. Collective.
void ApspCommand::require_report_apart(const job::Job& job, std::span<const BulkFolder> folders,
                                       std::span<const std::string> graphs) const
{
    session::NamedFiles outputs{{"--json", json_}};
    session::NamedFiles inputs;
    for (const std::string& graph : graphs) {
        inputs.push_back({"a graph of --bulk", graph});
        for (const BulkFolder& folder : folders)
            if (!folder.path.empty()) outputs.push_back({folder.option, folder.file_of(graph)});
    }
    run_agreed(job.world(), [&] {
        if (job.first()) session::require_distinct(outputs, inputs);
    });
}

void ApspCommand::run_bulk_job(job::Job& job)
{
    session::check_outputs(job, {{"--json", json_}},
                           {{"--bulk", bulk_},
                            {"--sources", sources_.are_random() ? "" : sources_.many},
                            {"--config", common.config},
                            {"--rates", rates_}});
    const std::vector<std::string> graphs = session::list_graphs(job, "--bulk", bulk_, !graph_.extension.empty());
    const std::array folders{BulkFolder{"--output", distances_}, BulkFolder{"--predecessors", predecessors_}};
    create_bulk_folders(job, folders, graphs);
    if (!json_.empty()) require_report_apart(job, folders, graphs);

    const plan::EnginePlan processors = plan::choose_apsp_engine(job, method_);
    const std::unique_ptr<algo::BulkEngine> engine = session::make_bulk_engine(job, processors);
    job::Progress progress(job, "all pairs");
    std::vector<session::BulkOutcome> outcomes;
    const double seconds = session::seconds_of(job.world(), nullptr, "search", [&] {
        outcomes = session::run_bulk(job, {.graphs = graphs.size(),
                                           .make =
                                               [&](std::size_t number) {
                                                   return std::make_unique<BulkMember>(*this, graphs[number],
                                                                                       processors, folders);
                                               },
                                           .engine = *engine,
                                           .progress = progress});
    });
    progress.clear();
    if (job.first()) {
        if (!common.quiet || prints_summary()) std::cout << bulk_table(graphs, outcomes);
        const auto computed = static_cast<std::size_t>(
            std::ranges::count_if(outcomes, [](const session::BulkOutcome& outcome) { return !outcome.failure; }));
        const std::string of_all = computed < graphs.size() ? fmt::format("{} of ", computed) : "";
        if (!common.quiet)
            std::cout << fmt::format("computed {}{} by {} in {:.4g} s\n", of_all,
                                     counted(graphs.size(), "graph", "graphs"), engine->description(), seconds);
    }
    session::Json document = json_head(job, *this);
    document["search"] = {{"ranks", job.world().size()},
                          {"threads", job.threads()},
                          {"engine", processors.on_device() ? "gpu" : "cpu"},
                          {"description", engine->description()}};
    if (processors.on_device()) document["search"]["device"] = processors.device;
    document["seconds"] = seconds;
    document["graphs"] = bulk_facts(graphs, outcomes);
    session::write_json(job, json_, document);
    fail_if_any_failed(job, graphs, outcomes);
}

}  // namespace wayfront::app
