// Texts that ranks write to a file: reports, traces and pages.
#pragma once

#include <functional>
#include <string>

#include "job/job.hpp"
#include "session/output/json.hpp"

namespace wayfront::session {

/// Writes the text that rank 0 makes to `path`. If it cannot be made or written, throws an AgreedError and leaves no
/// unfinished file. Collective.
void write_text(const job::Job& job, const std::string& path, const std::function<std::string()>& make);

/// Rank 0 writes `document` to `path` unless `path` is empty. Collective.
void write_json(const job::Job& job, const std::string& path, const Json& document);

/// The text around and between the texts of ranks.
struct WordsAround
{
    std::string begin, between, end;
};

/// Rank 0 writes the texts of all ranks, in their order. It has one text in memory at a time. Collective.
void write_texts_of_ranks(const job::Job& job, const std::string& path, const WordsAround& words, std::string text);

}  // namespace wayfront::session
