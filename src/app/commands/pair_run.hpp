// The answers to --pairs, for bfs and sssp.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/report/trace_file.hpp"
#include "job/job.hpp"
#include "session/output/json.hpp"
#include "session/output/pair_file.hpp"
#include "session/pairs/pair_engine.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

struct PairRun
{
    session::Json head;  // of the --json file
    const session::PreparedGraph& prepared;
    session::PairEngine& engine;
    std::vector<algo::VertexPair> pairs;
    std::string output;  // -: standard output
    std::string report;  // the --json file; may be empty
    session::PairFile::Columns columns;
    session::Json limits;  // facts of the report's search: its cutoff, if there is one
    bool quiet = false;
};

/// Answers all pairs, some thousands at a time, writes them, the report and the trace, and prints a
/// summary. Throws an AgreedError. Collective.
void answer_pairs(const job::Job& job, const PairRun& run, Trace& trace);

}  // namespace wayfront::app
