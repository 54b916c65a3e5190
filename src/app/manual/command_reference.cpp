#include "app/manual/command_reference.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <typeinfo>

#include <boost/program_options.hpp>

#include "app/cli/command_line.hpp"
#include "app/cli/subcommand.hpp"
#include "session/input/graph_input.hpp"

namespace wayfront::app {

namespace {

namespace po = boost::program_options;

bool is_word(std::string_view part)
{
    return !part.empty() && part.front() >= 'a' && part.front() <= 'z' &&
           part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// The parts of a value's name in lower case: auto and p2p of "auto|p2p|N", random: of "random:K".
std::vector<std::string> words_of(std::string_view value_name)
{
    std::vector<std::string> words;
    while (!value_name.empty()) {
        const std::size_t end = std::min(value_name.find('|'), value_name.size());
        const std::string_view part = value_name.substr(0, end);
        value_name.remove_prefix(std::min(end + 1, value_name.size()));
        const std::size_t colon = part.find(':');
        if (!is_word(part.substr(0, colon))) continue;
        words.emplace_back(colon == std::string_view::npos ? part : part.substr(0, colon + 1));
    }
    return words;
}

bool names_files(std::string_view value_name)
{
    return value_name.find("FILE") != std::string_view::npos || value_name.find("DIR") != std::string_view::npos;
}

std::vector<std::string> specs()
{
    std::vector<std::string> specs;
    for (const GeneratorHelp& generator : generator_help()) specs.push_back(std::string(generator.name) + ':');
    return specs;
}

OptionReference describe(const OptionGroup& group, const po::option_description& option)
{
    OptionReference reference;
    reference.name = option.long_name();
    reference.meaning = option.description();
    const std::string letter = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (letter.starts_with('-')) reference.letter = letter.substr(1);
    const po::value_semantic& semantic = *option.semantic();
    if (semantic.max_tokens() == 0) return reference;
    reference.value_name = semantic.name();
    if (const auto* typed = dynamic_cast<const po::typed_value_base*>(&semantic); typed != nullptr)
        reference.repeatable = typed->value_type() == typeid(std::vector<std::string>);
    const auto offered = group.offered().find(reference.name);
    reference.values.words = offered == group.offered().end() ? words_of(reference.value_name) : offered->second;
    reference.values.files = names_files(reference.value_name);
    return reference;
}

std::vector<GroupReference> describe(const OptionGroup& group)
{
    std::vector<GroupReference> groups;
    const auto add = [&](const std::string& title, const po::options_description& options) {
        if (options.options().empty()) return;
        groups.push_back({title, {}});
        for (const auto& option : options.options()) groups.back().options.push_back(describe(group, *option));
    };
    add(group.title(), group.basic_options());
    add(group.title() + ", more", group.advanced_options());
    return groups;
}

ArgumentReference describe(const Argument& argument)
{
    ArgumentReference reference{argument.name, {}, argument.targets != nullptr};
    const bool output = reference.name == "output";
    if (!output && !reference.repeatable) reference.values.words = specs();
    reference.values.files = reference.name != "spec";
    return reference;
}

CommandReference describe(Subcommand& command)
{
    CommandReference reference;
    reference.name = command.name();
    reference.arguments_usage = command.words().arguments_usage;
    reference.summary = command.words().summary;
    reference.examples = command.words().examples;
    reference.notes = command.notes();
    if (const std::string more = command.advanced_notes(); !more.empty())
        reference.notes += (reference.notes.empty() ? "" : "\n") + more;
    for (const Argument& argument : command.arguments()) reference.arguments.push_back(describe(argument));
    for (const OptionGroup& group : option_groups(command))
        for (GroupReference& part : describe(group)) reference.groups.push_back(std::move(part));
    return reference;
}

}  // namespace

std::vector<OptionReference> CommandReference::options() const
{
    std::vector<OptionReference> all;
    for (const GroupReference& group : groups) all.insert(all.end(), group.options.begin(), group.options.end());
    return all;
}

std::vector<CommandReference> describe_commands()
{
    std::vector<CommandReference> commands;
    for (const auto& command : make_subcommands()) commands.push_back(describe(*command));
    return commands;
}

std::string in_short(const std::string& meaning)
{
    constexpr std::size_t kLongest = 72;
    std::string text = meaning;
    for (const char* const end : {"; ", ": ", ". ", " ["}) text = text.substr(0, text.find(end));
    if (text.size() > kLongest) text = text.substr(0, text.find(" ("));
    if (text.size() > kLongest) text = text.substr(0, text.rfind(' ', kLongest)) + " ...";
    return text;
}

}  // namespace wayfront::app
