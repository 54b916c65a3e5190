// Shows what a job says on standard error, which is a terminal, a log, or read by nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/phase.hpp"
#include "job/listener.hpp"

namespace wayfront::app {

/// How progress is shown: as a line that changes, or as lines for a log; `automatic`: the line on a
/// terminal, and elsewhere lines, but only of work that takes long.
enum class ProgressForm { automatic, terminal, log, none };

/// The form that --progress names. Throws InputError.
[[nodiscard]] ProgressForm parse_progress_form(const std::string& text);

class Terminal final : public job::Listener
{
public:
    /// With `quiet`, nothing is shown.
    Terminal(bool quiet, ProgressForm progress) : quiet_(quiet), progress_(quiet ? ProgressForm::none : progress) {}

    /// Prints "wayfront: note: WORDS", once for the same words.
    void note(std::string_view words) override { say("note", words); }
    void warn(std::string_view words) override { say("warning", words); }

    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what) override;
    [[nodiscard]] std::unique_ptr<ProgressListener> watch(const std::string& what, std::uint64_t total) override;

private:
    void say(const char* kind, std::string_view words);

    bool quiet_;
    ProgressForm progress_;
    Clock::time_point last_line_ = Clock::now();  // when the last line of progress was written to a log
    std::set<std::string, std::less<>> said_;     // the notes and warnings that were printed
};

}  // namespace wayfront::app
