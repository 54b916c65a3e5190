#include "comm/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <unistd.h>

namespace wayfront::comm {

namespace {

constexpr std::size_t kMostHostName = 256;

}  // namespace

std::string host_name()
{
    std::array<char, kMostHostName> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "an unknown host";
    return name.data();
}

void agree(const Communicator& world, const std::optional<Failure>& failure)
{
    const std::vector<std::int32_t> codes = world.all_gather(failure ? static_cast<std::int32_t>(failure->code) : 0);
    const auto first = std::ranges::find_if(codes, [](std::int32_t code) { return code != 0; });
    if (first == codes.end()) return;
    const auto rank = static_cast<int>(first - codes.begin());
    const std::string message = world.broadcast(failure ? failure->message : std::string(), rank);
    const std::string name = world.broadcast(name_of_rank(world), rank);
    const bool alike = world.all(failure && failure->message == message);
    throw AgreedError(static_cast<ExitCode>(*first), alike ? message : message + " (" + name + ")");
}

std::string run_on_first(const Communicator& world, const std::function<std::string()>& f)
{
    std::string text;
    std::int32_t code = 0;
    if (world.rank() == 0) {
        try {
            const Silence silence(world);
            text = f();
        } catch (...) {
            Failure failure = describe_current_exception();
            code = static_cast<std::int32_t>(failure.code);
            text = std::move(failure.message);
        }
    }
    world.broadcast(std::span<std::int32_t>(&code, 1), 0);
    text = world.broadcast(text, 0);
    if (code != 0) throw AgreedError(static_cast<ExitCode>(code), text);
    return text;
}

std::string name_of_rank(const Communicator& world)
{
    const std::string rank = "rank " + std::to_string(world.rank());
    const std::string host = host_name();
    const bool one_host = world.all(host == world.broadcast(host, 0));
    return one_host ? rank : rank + " on " + host;
}

void require_alike(const Communicator& world, const std::string& what, const std::string& text)
{
    const std::string wanted = world.broadcast(text, 0);
    const std::vector<std::int32_t> differs = world.all_gather<std::int32_t>(text == wanted ? 0 : 1);
    const auto first = std::ranges::find(differs, 1);
    if (first == differs.end()) return;
    const auto rank = static_cast<int>(first - differs.begin());
    const std::string found = world.broadcast(text, rank);
    const std::string own_name = name_of_rank(world);
    const std::string name_of_first = world.broadcast(own_name, 0);
    const std::string name_of_other = world.broadcast(own_name, rank);
    throw AgreedError(ExitCode::bad_input,
                      what + ": " + wanted + " (" + name_of_first + "), " + found + " (" + name_of_other + ")");
}

}  // namespace wayfront::comm
