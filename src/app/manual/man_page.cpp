#include "app/manual/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "app/cli/command_line.hpp"
#include "app/cli/date.hpp"
#include "app/cli/help_text.hpp"
#include "app/cli/version.hpp"

namespace wayfront::app {

namespace {

constexpr unsigned kColumns = 72;  // the columns of a terminal of 80, less the indentation of man

/// `text` as roff shows it: as plain characters, without requests.
std::string plain(std::string_view text)
{
    std::string roff;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && c == '.') roff += "\\&";
        begins_line = c == '\n';
        switch (c) {
            case '\\':
                roff += "\\e";
                break;
            case '-':
                roff += "\\-";
                break;
            case '\'':
                roff += "\\(aq";
                break;
            case '`':
                roff += "\\(ga";
                break;
            case '^':
                roff += "\\(ha";
                break;
            case '~':
                roff += "\\(ti";
                break;
            default:
                roff += c;
        }
    }
    return roff;
}

/// A paragraph, which roff fills.
std::string filled(std::string_view text)
{
    return plain(wrapped(text, kColumns));
}

/// Lines that keep their breaks.
std::string unfilled(std::string_view text)
{
    return fmt::format(".nf\n{}.fi\n", plain(wrapped(text, kColumns)));
}

std::string head(const std::string& name, std::string_view summary)
{
    std::string title = name;
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return fmt::format(".TH {} 1 {} \"wayfront {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", plain(title),
                       date_of_build(), program_version(), plain(name), plain(summary));
}

std::string term(const OptionReference& option)
{
    const std::string letter = option.letter.empty() ? "" : fmt::format(R"(\fB\-{}\fR, )", option.letter);
    const std::string value = option.value_name.empty() ? "" : fmt::format(" \\fI{}\\fR", plain(option.value_name));
    return fmt::format(R"({}\fB\-\-{}\fR{})", letter, plain(option.name), value);
}

std::string exit_status()
{
    std::string text = ".SH EXIT STATUS\n";
    for (const ExitCodeHelp& exit : exit_codes())
        text += fmt::format(".TP\n.B {}\n{}", exit.code, filled(exit.meaning));
    return text;
}

/// A reference to another page of section 1.
std::string reference_to(std::string_view page)
{
    return fmt::format(".BR {} (1)", plain(page));
}

}  // namespace

std::string man_page(std::span<const CommandReference> commands)
{
    std::string page = head("wayfront", program_summary());
    page +=
        ".SH SYNOPSIS\n"
        ".B wayfront\n.I SUBCOMMAND\n[\\fIarguments\\fR] [\\fIoptions\\fR]\n.br\n"
        ".B mpirun \\-n\n.I RANKS\n.B wayfront\n.I SUBCOMMAND\n[\\fIarguments\\fR] [\\fIoptions\\fR]\n"
        ".SH SUBCOMMANDS\n";
    for (const CommandReference& command : commands)
        page += fmt::format(".TP\n{}\n{}", reference_to("wayfront-" + command.name), filled(command.summary));
    page +=
        ".SH OPTIONS\n"
        ".TP\n.B \\-\\-help\n" +
        filled("Print the subcommands.") + ".TP\n.B \\-\\-version\n" +
        filled("Print the version, and the libraries of the build.") + ".TP\n.B manual\n" +
        filled(
            "Print the names of the manual pages and of the completions for shells. 'wayfront manual NAME' "
            "prints one.");
    page += exit_status();
    page += ".SH SEE ALSO\n";
    for (const CommandReference& command : commands)
        page += reference_to("wayfront-" + command.name) + (&command == &commands.back() ? "\n" : ",\n");
    return page;
}

std::string man_page(const CommandReference& command)
{
    std::string page = head("wayfront-" + command.name, command.summary);
    page += fmt::format(".SH SYNOPSIS\n.B wayfront {}\n{}[\\fIoptions\\fR]\n", command.name,
                        command.arguments_usage.empty() ? "" : plain(command.arguments_usage) + "\n");
    page += ".SH OPTIONS\n";
    for (const GroupReference& group : command.groups) {
        page += fmt::format(".SS {}\n", plain(group.title));
        for (const OptionReference& option : group.options)
            page += fmt::format(".TP\n{}\n{}", term(option), filled(option.meaning));
    }
    page += ".SH EXAMPLES\n" + unfilled(command.examples);
    if (!command.notes.empty()) page += ".SH NOTES\n" + unfilled(command.notes);
    page += exit_status() + fmt::format(".SH SEE ALSO\n{}\n", reference_to("wayfront"));
    return page;
}

}  // namespace wayfront::app
