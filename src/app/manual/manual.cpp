#include "app/manual/manual.hpp"

#include <functional>
#include <vector>

#include <fmt/format.h>

#include "app/cli/suggestion.hpp"
#include "app/manual/command_reference.hpp"
#include "app/manual/completion.hpp"
#include "app/manual/man_page.hpp"
#include "app/manual/options_page.hpp"
#include "base/error.hpp"

namespace wayfront::app {

namespace {

struct Page
{
    std::string name;
    std::function<std::string()> make;
};

std::vector<Page> pages_of(const std::vector<CommandReference>& commands)
{
    std::vector<Page> pages;
    pages.push_back({"wayfront.1", [&commands] { return man_page(commands); }});
    for (const CommandReference& command : commands)
        pages.push_back({fmt::format("wayfront-{}.1", command.name), [&command] { return man_page(command); }});
    pages.push_back({"wayfront.bash", [&commands] { return bash_completion(commands); }});
    pages.push_back({"_wayfront", [&commands] { return zsh_completion(commands); }});
    pages.push_back({"wayfront.fish", [&commands] { return fish_completion(commands); }});
    pages.push_back({"options.md", [&commands] { return options_page(commands); }});
    return pages;
}

}  // namespace

std::string manual_text(std::span<const std::string> words)
{
    if (words.size() > 1) throw InputError("too many arguments: wayfront manual [NAME]");
    const std::vector<CommandReference> commands = describe_commands();
    std::string list;
    std::vector<std::string> names;
    for (const Page& page : pages_of(commands)) {
        if (!words.empty() && page.name == words.front()) return page.make();
        names.push_back(page.name);
        list += page.name + '\n';
    }
    if (words.empty()) return list;
    throw InputError(fmt::format("there is no page '{}'{} ('wayfront manual' lists the pages)", words.front(),
                                 did_you_mean(words.front(), names)));
}

}  // namespace wayfront::app
