#include "plan/apsp/methods.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "plan/apsp/core_methods.hpp"
#include "plan/apsp/gpu_methods.hpp"
#include "plan/apsp/method.hpp"

namespace wayfront::plan {

namespace {

bool is_in(std::span<const ApspMethod> methods, std::string_view name)
{
    return std::ranges::find(methods, name, &ApspMethod::name) != methods.end();
}

/// Each method once, those of papers last.
std::vector<const ApspMethod*> all_methods()
{
    std::vector<const ApspMethod*> all;
    for (const ApspMethod& method : core_methods()) all.push_back(&method);
    for (const ApspMethod& method : gpu_methods())
        if (!is_in(core_methods(), method.name)) all.push_back(&method);
    std::ranges::stable_partition(all, [](const ApspMethod* method) { return !method->of_paper; });
    return all;
}

}  // namespace

void ApspMethodOptions::check() const
{
    static_cast<void>(checked_method_name(method));
    const bool on_gpu = engine.engine == Engine::gpu || needs_gpu(method);
    if (needs_gpu(method) && engine.engine == Engine::cpu)
        throw InputError(fmt::format("--engine cpu: --algorithm {} runs on a GPU alone", method));
    if (gpu_memory_limit && !on_gpu) throw InputError("--gpu-memory-limit: requires --engine gpu");
    if (engine.transport != Transport::automatic && !on_gpu) throw InputError("--transport: requires --engine gpu");
    if (out_of_core && !on_gpu) throw InputError("--out-of-core: requires --engine gpu");
    if (out_of_core && method != "floyd-warshall" && !is_automatic())
        throw InputError(fmt::format("--out-of-core is for --algorithm floyd-warshall, not for {}", method));
}

std::string ApspMethodOptions::notes()
{
    std::string text =
        fmt::format("Algorithms:\n  {:<20} the fastest of those that can do the work, as a note says\n", "auto");
    bool of_paper = false;
    for (const ApspMethod* const method : all_methods()) {
        if (method->of_paper && !of_paper) text += "Algorithms of papers, which auto never chooses:\n";
        of_paper = method->of_paper;
        text += fmt::format("  {:<20} {}\n", method->name, method->help);
    }
    return text;
}

std::vector<std::string> apsp_method_names()
{
    std::vector<std::string> names{"auto"};
    for (const ApspMethod* const method : all_methods()) names.emplace_back(method->name);
    return names;
}

std::string checked_method_name(const std::string& text)
{
    const std::vector<std::string> names = apsp_method_names();
    if (std::ranges::find(names, text) != names.end()) return text;
    throw InputError(fmt::format("--algorithm: expected one of {}, found '{}'", fmt::join(names, ", "), text));
}

bool needs_gpu(std::string_view method)
{
    return is_in(gpu_methods(), method) && !is_in(core_methods(), method);
}

}  // namespace wayfront::plan
