// The methods for shortest paths, the options of commands that choose one, and who runs it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "comm/process_grid.hpp"
#include "graph/block_weights.hpp"
#include "graph/csr.hpp"
#include "plan/engine_request.hpp"
#include "plan/search_times.hpp"
#include "plan/sssp_times.hpp"

namespace wayfront::plan {

/// In graphs of fewer edges per vertex, paths are long, and there is nothing to pull: GPUs do not search them by
/// push-pull if nothing else is asked for.
inline constexpr double kLongPathsBelowDegree = 8;

/// A method for shortest paths: its name, the processors that run it, the options that it allows, and its time.
struct SsspTraits
{
    algo::SsspMethod method;
    std::string_view name;          // in --algorithm
    std::string_view help;          // one line
    bool on_cores = false;          // the hosts run the method: on their cores, or driving a GPU for each rank
    bool on_gpus = false;           // GPUs run the method on their own
    bool one_rank = false;          // the method runs on one rank only
    bool windows = false;           // --delta sets the width of its windows
    bool phase_times = false;       // the method reads --phase-times
    bool negative_weights = false;  // weights may be negative
    bool whole_64_bits = false;     // on a GPU, whole weights may have 64 bits
    bool of_paper = false;          // a paper's method, which is not the fastest one any more
    ListOrder list_order = ListOrder::neighbours;
    // The hosts' method for a search whose distances a GPU cannot represent.
    algo::SsspMethod in_64_bits = algo::SsspMethod::automatic;

    // The seconds of one core of each rank for one search, by what is known before and after construction; null if auto
    // does not choose it by time.
    double (*seconds)(const CoreRates& rates, const SsspCase& graph) = nullptr;
    double (*seconds_by_shape)(const CoreRates& rates, const SearchShape& shape) = nullptr;

    [[nodiscard]] bool needs_gpu() const { return !on_cores; }
};

[[nodiscard]] const SsspTraits& traits_of(algo::SsspMethod method);

/// A method of cores, and why it was chosen.
struct SsspChoice
{
    algo::SsspMethod method = algo::SsspMethod::automatic;  // automatic: the search chooses
    std::string reason{};                                   // empty if an option names it
    // Methods whose estimated time is so close that a trial may find them faster, by their estimates.
    std::vector<algo::SsspMethod> rivals{};
};

/// The method of cores that takes the least time, and what was compared.
[[nodiscard]] SsspChoice fastest_sssp_method(const CoreRates& rates, const SsspCase& graph);
/// The same, and its rivals, for the cores of the only rank, which has constructed the graph, with lists in the order
/// `lists`: methods that read them in another order are left out.
[[nodiscard]] SsspChoice fastest_sssp_method(const CoreRates& rates, const SsspCase& graph, const SearchShape& shape,
                                             ListOrder lists);

/// Why GPUs cannot search on their own by this method in a graph with such weights; empty if they
/// can. `graph` is its name.
[[nodiscard]] std::string weights_obstacle(const SsspTraits& method, const std::string& graph, WeightType type,
                                           bool negative);

/// The names of the methods that allow negative weights, in words.
[[nodiscard]] std::string methods_for_negative_weights();

/// The options --algorithm, --delta, --phase-times and --engine.
struct SsspMethodOptions
{
    algo::SsspMethod method = algo::SsspMethod::automatic;
    std::optional<double> delta;
    std::optional<algo::PhaseTimes> phase_times;
    EngineRequest engine;  // the CPU or GPUs
    // The grid that the command line asks for; GPUs search together on a grid of one column, or of one row in an
    // undirected graph.
    std::optional<comm::GridShape> grid;
    bool smallest_parents = false;  // whether the smallest valid parents are asked for
    bool cuts_off = false;          // whether distances are limited
    bool nearest = false;           // whether searches start from several sources at once

    [[nodiscard]] const SsspTraits& traits() const { return traits_of(method); }
    [[nodiscard]] bool is_automatic() const { return method == algo::SsspMethod::automatic; }

    /// Explains each algorithm in a line of the help.
    [[nodiscard]] static std::string notes();
    /// Throws InputError if the options contradict each other.
    void check() const;
};

/// The names of all methods, for --algorithm.
[[nodiscard]] std::vector<std::string> sssp_method_names();

/// The method that `text` names in --algorithm. Throws InputError.
[[nodiscard]] algo::SsspMethod sssp_method_named(const std::string& text);

}  // namespace wayfront::plan
