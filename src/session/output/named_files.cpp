#include "session/output/named_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comm/agreement.hpp"
#include "graph/io/input_file.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"

namespace wayfront::session {

namespace {

/// Texts that identify the file. Two names of the same file have a text in common: that of the
/// inode if the file exists, or that of the name with all links followed, since an output need not
/// exist yet. A device has no text, because several outputs may be written to it. The name "-"
/// means the descriptor `standard_stream`.
std::vector<std::string> identities(const std::string& path, int standard_stream)
{
    std::vector<std::string> found;
    struct stat status
    {
    };
    const bool exists = path == "-" ? ::fstat(standard_stream, &status) == 0 : ::stat(path.c_str(), &status) == 0;
    // A terminal or a connection is both standard input and standard output.
    if (path == "-" && standard_stream == STDIN_FILENO && !(exists && S_ISREG(status.st_mode))) return found;
    if (exists && S_ISCHR(status.st_mode) && path != "-") return found;
    if (exists) found.push_back(fmt::format("inode {}:{}", status.st_dev, status.st_ino));
    if (path == "-") return found;
    // If no part of a relative name exists, weakly_canonical() does not add the current folder.
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    const std::string canonical = error ? path : std::filesystem::weakly_canonical(absolute, error).string();
    found.push_back("name " + (error ? path : canonical));
    return found;
}

/// The files that are named, and the files that belong to them.
NamedFiles expanded(const NamedFiles& files)
{
    NamedFiles all;
    for (const NamedFile& file : files) {
        if (file.path.empty()) continue;
        all.push_back(file);
        if (file.format == FileFormat::tuples) all.push_back({file.role + "'s weights", file.path + ".weights", {}});
    }
    return all;
}

/// Throws InputError if two inputs are to be read from standard input.
void require_one_reader(const NamedFiles& inputs)
{
    const auto from_standard_input = [](const NamedFile& file) { return file.path == kStandardInput; };
    const auto first = std::ranges::find_if(inputs, from_standard_input);
    if (first == inputs.end()) return;
    const auto second = std::find_if(first + 1, inputs.end(), from_standard_input);
    if (second == inputs.end()) return;
    throw InputError(fmt::format("{} and {} both name standard input (-), which can be read only once; name a file",
                                 first->role, second->role));
}

/// Throws InputError if the tuples go to a stream: the name of the second file is made of the name
/// of the first, and a stream has none.
void require_place_for_weights(const NamedFile& tuples)
{
    if (OutputTarget(tuples.path).kind != OutputTarget::Kind::descriptor) return;
    throw InputError(
        fmt::format("{}: {}: the weights of tuples are in a second file, so tuples cannot be written to standard "
                    "output; name a file",
                    tuples.role, tuples.path));
}

}  // namespace

void require_distinct(const NamedFiles& outputs, const NamedFiles& inputs)
{
    struct Known
    {
        NamedFile file;
        bool read;
    };
    require_one_reader(inputs);
    std::map<std::string, Known> known;
    for (const NamedFile& file : expanded(inputs))
        for (const std::string& identity : identities(file.path, STDIN_FILENO)) known.insert({identity, {file, true}});
    for (const NamedFile& file : expanded(outputs)) {
        const std::vector<std::string> names = identities(OutputTarget(file.path).path, STDOUT_FILENO);
        for (const std::string& identity : names) {
            const auto other = known.find(identity);
            if (other == known.end()) continue;
            const auto& [named, read] = other->second;
            throw InputError(read
                                 ? fmt::format("{}: {} is the same file as {}, which is read; writing would destroy it",
                                               file.role, file.path, named.role)
                                 : fmt::format("{} and {} name the same file, {}", named.role, file.role, file.path));
        }
        for (const std::string& identity : names) known.insert({identity, {file, false}});
    }
}

void check_outputs(const job::Job& job, const NamedFiles& outputs, const NamedFiles& inputs)
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        const NamedFiles written = expanded(outputs);
        require_distinct(outputs, inputs);
        for (const NamedFile& file : written) {
            if (file.format == FileFormat::tuples) require_place_for_weights(file);
            OutputFile::check(file.path);
        }
        if (std::ranges::any_of(written, [](const NamedFile& file) { return is_standard_output(file.path); }))
            std::cout.rdbuf(std::cerr.rdbuf());
    });
}

}  // namespace wayfront::session
