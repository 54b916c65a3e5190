// All pairs of one graph, prepared: its edges on each rank, the sources, the plan and the validator.
//
// The steps are gather_pairs(), construct_pairs(), the caller's choice of sources, and plan_pairs().
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algo/apsp/row_validator.hpp"
#include "algo/apsp/rows.hpp"
#include "algo/apsp/sampled_figures.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "base/progress_listener.hpp"
#include "base/types.hpp"
#include "graph/block_weights.hpp"
#include "job/job.hpp"
#include "plan/apsp/methods.hpp"
#include "plan/apsp/plan.hpp"
#include "plan/engine_plan.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/matrix_file.hpp"
#include "session/whole_graph.hpp"

namespace wayfront::session {

/// Move-only. The plan's work refers to `sources`, the plan and its engines to the graph.
struct PreparedPairs
{
    LoadedGraph input;  // with all edges, until release_edges()
    WeightType weights = WeightType::none;
    bool negative_weights = false;
    std::vector<Vertex> negative_cycle;  // in the order of its edges; empty if there is none
    WholeGraph whole;
    std::vector<Vertex> sources;
    std::optional<std::vector<Vertex>> targets;  // the columns that are wanted; no value: all vertices
    plan::EnginePlan engine;                     // the requested engine; after plan_pairs(), the engine that is used
    plan::ApspWork work;
    plan::ApspPlan plan;
    /// Whether searches start from the targets and follow edges backwards. Then `whole`, `work` and `plan` are
    /// those of these searches, which compute the columns of the matrix.
    bool by_columns = false;
    std::unique_ptr<algo::RowValidator> validator;  // null: rows are not validated
    double construction_seconds = 0;

    /// Whether each vertex is a source, once.
    [[nodiscard]] bool all_sources() const;
    /// `negative_cycle` with the input's numbers.
    [[nodiscard]] std::vector<Vertex> outside_cycle() const;
    /// The shape of the files of rows. The object outlives them.
    [[nodiscard]] MatrixShape shape() const
    {
        return {sources, input.list.vertex_count, targets, input.numbers(), plan.most_distance};
    }
};

/// Gathers the edges of all ranks on each rank, and chooses the type of the weights. Throws an
/// AgreedError if the graph has too many vertices, if sums of weights may exceed every type, or if
/// there is a cycle of negative length, which is then in pairs.negative_cycle. Pre: pairs.input has the
/// rank's share. Collective.
void gather_pairs(const job::Job& job, const plan::ApspMethodOptions& options, PreparedPairs& pairs);

/// Throws an AgreedError if the memory of a host does not suffice to validate rows. Collective.
void require_pairs_validation_memory(const job::Job& job, const PreparedPairs& pairs);

/// Constructs the graph on each rank. Adds a span to the log, which may be null. Collective.
void construct_pairs(const job::Job& job, PreparedPairs& pairs, PhaseLog* log = nullptr);

/// Makes each vertex a source.
void take_all_sources(PreparedPairs& pairs);

/// The rows that are wanted, and their use.
struct PairsUse
{
    std::vector<IndexRange> done;  // positions whose rows an earlier job has made
    bool rows = false;             // otherwise a summary is enough
    bool full_summary = false;     // whether the summary is in full detail
    bool parents = false;
    bool checkpoint = false;
    bool in_bulk_job = false;  // whether the graph is one of many of a bulk job
    bool validate = false;
};

/// Chooses engine, method and type (plan_apsp()), and makes the validator. If there are far fewer targets
/// than sources, whole rows are not needed, and distances are whole numbers, searches start from the
/// targets. Throws an AgreedError. Collective.
void plan_pairs(const job::Job& job, const plan::ApspMethodOptions& options, const PairsUse& use, PreparedPairs& pairs);

/// Makes the engine of the planned rows, whose prepare() the caller calls next. The sources of each rank are
/// those of pair_rows_of(). `listener` may be null. `pairs` outlives the engine. Throws an AgreedError.
/// Collective.
[[nodiscard]] std::unique_ptr<algo::RowProducer> make_pair_rows(const job::Job& job, const PreparedPairs& pairs,
                                                                ProgressListener* listener);

/// The positions of the sources whose rows this rank makes.
[[nodiscard]] std::vector<IndexRange> pair_rows_of(const job::Job& job, const PreparedPairs& pairs);

/// The graph from which the sources were drawn at random, to bound estimates. Pre: plan_pairs(); no weight is negative.
[[nodiscard]] algo::SampledGraph sampled_graph(const PreparedPairs& pairs);

/// Frees the edges, which plan_pairs() reads for a validator only.
void release_edges(PreparedPairs& pairs);

}  // namespace wayfront::session
