#include "session/output/text_output.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "comm/agreement.hpp"
#include "graph/io/output_file.hpp"

namespace wayfront::session {

void write_text(const job::Job& job, const std::string& path, const std::function<std::string()>& make)
{
    run_agreed(job.world(), [&] {
        if (!job.first()) return;
        OutputFile file(path);
        file.write(make());
        file.commit();
    });
}

void write_json(const job::Job& job, const std::string& path, const Json& document)
{
    if (path.empty()) return;
    write_text(job, path, [&] { return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; });
}

void write_texts_of_ranks(const job::Job& job, const std::string& path, const WordsAround& words, std::string text)
{
    constexpr int tag = 71;
    const comm::Communicator& world = job.world();
    const std::vector<std::uint64_t> sizes = world.all_gather(static_cast<std::uint64_t>(text.size()));
    std::optional<OutputFile> file;
    run_agreed(world, [&] {
        if (!job.first()) return;
        file.emplace(path);
        file->write(words.begin + text);
    });
    for (int rank = 1; rank < world.size(); ++rank) {
        if (world.rank() == rank) world.send(std::span<const char>(text), 0, tag);
        if (job.first()) {
            text.resize(sizes[static_cast<std::size_t>(rank)]);
            world.receive(std::span<char>(text), rank, tag);
        }
        run_agreed(world, [&] {
            if (job.first()) file->write(words.between + text);
        });
    }
    run_agreed(world, [&] {
        if (!job.first()) return;
        file->write(words.end);
        file->commit();
    });
}

}  // namespace wayfront::session
