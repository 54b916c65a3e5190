#include "app/cli/terminal.hpp"

#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/progress.hpp"
#include "base/error.hpp"

namespace wayfront::app {

namespace {

/// No value: progress is not shown.
std::optional<ProgressLines> lines_of(ProgressForm form)
{
    switch (form) {
        case ProgressForm::automatic:
            return ::isatty(STDERR_FILENO) == 1 ? ProgressLines::changing : ProgressLines::rare;
        case ProgressForm::terminal:
            return ProgressLines::changing;
        case ProgressForm::log:
            return ProgressLines::each;
        case ProgressForm::none:
            break;
    }
    return std::nullopt;
}

template <typename... Work>
std::unique_ptr<ProgressListener> shown(ProgressForm form, Clock::time_point& last_line, Work&&... work)
{
    const std::optional<ProgressLines> lines = lines_of(form);
    return lines ? std::make_unique<ShownProgress>(*lines, last_line, std::forward<Work>(work)...) : nullptr;
}

}  // namespace

ProgressForm parse_progress_form(const std::string& text)
{
    constexpr std::array<std::pair<std::string_view, ProgressForm>, 4> forms{{{"auto", ProgressForm::automatic},
                                                                              {"terminal", ProgressForm::terminal},
                                                                              {"log", ProgressForm::log},
                                                                              {"none", ProgressForm::none}}};
    for (const auto& [name, form] : forms)
        if (text == name) return form;
    throw InputError(fmt::format("--progress: expected auto, terminal, log or none, found '{}'", text));
}

std::unique_ptr<ProgressListener> Terminal::watch(const std::string& what)
{
    return shown(progress_, last_line_, what);
}

std::unique_ptr<ProgressListener> Terminal::watch(const std::string& what, std::uint64_t total)
{
    return shown(progress_, last_line_, what, total);
}

void Terminal::say(const char* kind, std::string_view words)
{
    if (!quiet_ && said_.emplace(words).second)
        std::fprintf(stderr, "wayfront: %s: %.*s\n", kind, static_cast<int>(words.size()), words.data());
}

}  // namespace wayfront::app
