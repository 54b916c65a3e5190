// The file of a machine's rates, which `wayfront tune` writes and jobs read:
//
//     {"wayfront_rates": 2, "machine": "AMD EPYC ...", "date": "2026-11-27",
//      "core": {"search_arc": 1.25e-09, ...}, "gpu_machine": "NVIDIA H200", "gpu": {...}}
//
// All rates are seconds. A rate that is missing keeps its default, as all rates of GPUs do if the
// machine that was measured has none.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "job/job.hpp"
#include "plan/rates.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

[[nodiscard]] Json rates_document(const plan::Rates& rates);

/// Throws InputError, "NAME: ...", if the text is no file of rates.
[[nodiscard]] plan::Rates rates_from_text(const std::string& text, const std::string& name);

/// The file that tune writes and jobs read if no other is named: that of the environment variable
/// WAYFRONT_RATES, or wayfront/rates.json in the user's configuration folder ($XDG_CONFIG_HOME, or
/// ~/.config). Empty if WAYFRONT_RATES is "none", or if the environment names no folder.
[[nodiscard]] std::string usual_rates_file();

struct FoundRates
{
    plan::Rates rates{};
    std::string note{};  // why the usual file is not used; empty if it is, or if there is none
};

/// The rates in the file `path`, or if it is empty, in usual_rates_file() if there is one, and
/// otherwise the defaults; also if the file of the configuration folder, which nobody names, is of
/// another version of wayfront. Rank 0 reads, so that all ranks have the same. Throws an AgreedError
/// if a file cannot be read. Collective.
[[nodiscard]] FoundRates find_rates(const comm::Communicator& world, const std::string& path);

/// The same for a job, to whose listener the note goes.
[[nodiscard]] plan::Rates rates_of(const job::Job& job, const std::string& path = "");

}  // namespace wayfront::session
