#include "session/rates_file.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "comm/agreement.hpp"
#include "session/input/text_file.hpp"

namespace wayfront::session {

namespace {

constexpr const char* kFormat = "wayfront_rates";
constexpr int kVersion = 2;

/// The value of an environment variable; empty if it is not set.
std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string text_of(const Json& document, const char* key, const std::string& name)
{
    const auto found = document.find(key);
    if (found == document.end() || !found->is_string())
        throw InputError(fmt::format("{}: expected a text as \"{}\"", name, key));
    return found->get<std::string>();
}

/// Reads the rates of cores or of GPUs. A rate that is missing keeps its value.
template <typename Part>
void read_part(const Json& document, const char* key, Part& rates, const std::string& name)
{
    const auto part = document.find(key);
    if (part == document.end() || !part->is_object())
        throw InputError(fmt::format("{}: expected an object as \"{}\"", name, key));
    std::size_t known = 0;
    Part::for_each(rates, [&](const char* rate_name, double& rate) {
        const auto found = part->find(rate_name);
        if (found == part->end()) return;
        ++known;
        if (!found->is_number() || !std::isfinite(found->get<double>()) || found->get<double>() <= 0)
            throw InputError(
                fmt::format("{}: expected seconds above 0 as \"{}\", found {}", name, rate_name, found->dump()));
        rate = found->get<double>();
    });
    if (known != part->size())
        throw InputError(fmt::format("{}: has a rate of another name than those of wayfront tune", name));
}

/// Whether a document is a file of rates that another version of wayfront has written.
bool is_of_other_version(const Json& document)
{
    return document.is_object() && document.contains(kFormat) && document[kFormat] != kVersion;
}

std::string other_version(const std::string& file)
{
    return fmt::format("{}: is for another version of wayfront", file);
}

}  // namespace

Json rates_document(const plan::Rates& rates)
{
    Json document = {{kFormat, kVersion}, {"machine", rates.machine}, {"date", rates.date}};
    const auto add = [&document](const char* part) {
        return [&document, part](const char* name, double rate) { document[part][name] = rate; };
    };
    plan::CoreRates::for_each(rates.core, add("core"));
    if (rates.gpu_machine == plan::Rates().gpu_machine) return document;  // the GPU's rates are the built-in ones
    document["gpu_machine"] = rates.gpu_machine;
    plan::GpuRates::for_each(rates.gpu, add("gpu"));
    return document;
}

plan::Rates rates_from_text(const std::string& text, const std::string& name)
{
    const Json document = Json::parse(text, nullptr, false);
    if (is_of_other_version(document)) throw InputError(other_version(name) + "; run wayfront tune again");
    if (!document.is_object() || !document.contains(kFormat))
        throw InputError(fmt::format("{}: expected a file that wayfront tune has written", name));
    plan::Rates rates;
    rates.machine = text_of(document, "machine", name);
    rates.date = text_of(document, "date", name);
    read_part(document, "core", rates.core, name);
    if (!document.contains("gpu")) return rates;
    rates.gpu_machine = text_of(document, "gpu_machine", name);
    read_part(document, "gpu", rates.gpu, name);
    return rates;
}

std::string usual_rates_file()
{
    if (std::string file = variable("WAYFRONT_RATES"); !file.empty()) return file == "none" ? "" : file;
    std::filesystem::path folder = variable("XDG_CONFIG_HOME");
    if (folder.empty() && !variable("HOME").empty()) folder = std::filesystem::path(variable("HOME")) / ".config";
    return folder.empty() ? "" : (folder / "wayfront" / "rates.json").string();
}

FoundRates find_rates(const comm::Communicator& world, const std::string& path)
{
    // A file that the user names has to exist, and to be of this version. The first rank's environment decides.
    const bool is_named = !path.empty() || !run_on_first(world, [] { return variable("WAYFRONT_RATES"); }).empty();
    const std::string file = !path.empty() ? path : run_on_first(world, [&]() -> std::string {
        std::string usual = usual_rates_file();
        std::error_code failure;  // then reading it says why
        return is_named || std::filesystem::exists(usual, failure) ? usual : "";
    });
    if (file.empty()) return {};
    const char* const where = !path.empty() ? "--rates: " : is_named ? "WAYFRONT_RATES: " : "";
    const std::string text = read_whole_file(world, file, where + file);
    return run_agreed(world, [&]() -> FoundRates {
        if (!is_named && is_of_other_version(Json::parse(text, nullptr, false)))
            return {{}, fmt::format("{}, and the built-in rates are used", other_version(file))};
        return {rates_from_text(text, file), ""};
    });
}

plan::Rates rates_of(const job::Job& job, const std::string& path)
{
    FoundRates found = find_rates(job.world(), path);
    if (!found.note.empty()) job.note(found.note);
    return std::move(found.rates);
}

}  // namespace wayfront::session
