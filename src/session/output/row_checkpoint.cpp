#include "session/output/row_checkpoint.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ranges>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <boost/crc.hpp>
#include <fmt/format.h>

#include "algo/apsp/row_loop.hpp"
#include "comm/agreement.hpp"
#include "graph/io/output_file.hpp"
#include "graph/io/output_target.hpp"

namespace wayfront::session {

namespace {

// Greater by one whenever the checkpoint or a saved matrix means something else, as when the value of a tile's
// element that is not reached changes (cpu/apsp/min_plus.hpp).
constexpr std::string_view kMagic = "wayfront rows 4\n";

template <typename T>
void put(std::string& text, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename T>
void put_list(std::string& text, const T& list)
{
    put(text, static_cast<std::uint64_t>(list.size()));
    text.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(*list.data()));
}

/// Reads the pieces that put() and put_list() wrote. good() is false after a piece was missing.
class Pieces
{
public:
    explicit Pieces(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return good_ && rest_.empty(); }
    [[nodiscard]] std::string_view rest() const { return rest_; }
    template <typename T>
    T take()
    {
        T value{};
        take_bytes(&value, sizeof value);
        return value;
    }
    template <typename T>
    T take_list()
    {
        const auto size = take<std::uint64_t>();
        T list;
        if (!good_ || size > rest_.size() / sizeof(*list.data())) {
            good_ = false;
            return list;
        }
        list.resize(size);
        take_bytes(list.data(), size * sizeof(*list.data()));
        return list;
    }

private:
    void take_bytes(void* to, std::size_t bytes)
    {
        good_ = good_ && bytes <= rest_.size();
        if (!good_ || bytes == 0) return;
        std::memcpy(to, rest_.data(), bytes);
        rest_.remove_prefix(bytes);
    }

    std::string_view rest_;
    bool good_ = true;
};

std::uint32_t checksum_of(std::string_view text)
{
    boost::crc_32_type checksum;
    checksum.process_bytes(text.data(), text.size());
    return checksum.checksum();
}

/// True also if the file system fails to answer.
bool exists(const std::string& path)
{
    std::error_code error;
    return std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found;
}

/// No value if the file is damaged. Throws InputError if it cannot be read.
std::optional<RowCheckpoint> read_one(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw InputError(fmt::format("--checkpoint: {}: {}", path, std::strerror(errno)));
    return decode(text);
}

}  // namespace

std::size_t RowCheckpoint::done_rows() const
{
    return algo::positions_in(done);
}

std::string encode(const RowCheckpoint& checkpoint)
{
    std::string content;
    put_list(content, checkpoint.graph);
    put_list(content, checkpoint.job);
    put_list(content, checkpoint.algorithm);
    put_list(content, checkpoint.done);
    put(content, static_cast<std::int64_t>(checkpoint.exponent));
    put_list(content, checkpoint.counts);
    put_list(content, checkpoint.negative_counts);
    put_list(content, checkpoint.facts);
    put_list(content, checkpoint.checksums);
    put_list(content, checkpoint.outputs);
    put_list(content, checkpoint.matrices);
    std::string text(kMagic);
    put(text, static_cast<std::uint64_t>(content.size()));
    put(text, checksum_of(content));
    return text + content;
}

std::optional<RowCheckpoint> decode(const std::string& text)
{
    if (!text.starts_with(kMagic)) return std::nullopt;
    Pieces pieces(std::string_view(text).substr(kMagic.size()));
    const auto bytes = pieces.take<std::uint64_t>();
    const auto checksum = pieces.take<std::uint32_t>();
    if (!pieces.good() || bytes != pieces.rest().size() || checksum != checksum_of(pieces.rest())) return std::nullopt;
    RowCheckpoint checkpoint;
    checkpoint.graph = pieces.take_list<std::string>();
    checkpoint.job = pieces.take_list<std::string>();
    checkpoint.algorithm = pieces.take_list<std::string>();
    checkpoint.done = pieces.take_list<std::vector<IndexRange>>();
    checkpoint.exponent = static_cast<int>(pieces.take<std::int64_t>());
    checkpoint.counts = pieces.take_list<std::vector<std::uint64_t>>();
    checkpoint.negative_counts = pieces.take_list<std::vector<std::uint64_t>>();
    checkpoint.facts = pieces.take_list<std::vector<algo::RowFacts>>();
    checkpoint.checksums = pieces.take_list<std::vector<std::uint64_t>>();
    checkpoint.outputs = pieces.take_list<std::vector<FinishedFile>>();
    checkpoint.matrices = pieces.take_list<std::vector<SavedMatrix>>();
    if (!pieces.at_end()) return std::nullopt;
    return checkpoint;
}

std::string before(const std::string& path)
{
    return path + ".before";
}

std::string matrix_path(const std::string& path, std::uint64_t number)
{
    return fmt::format("{}.matrix-{}", path, number);
}

bool checkpoint_exists(const std::string& path)
{
    return exists(path) || exists(before(path));
}

void write_checkpoint(const std::string& path, const RowCheckpoint& checkpoint)
{
    OutputFile file(path);
    file.write(encode(checkpoint));
    file.complete();
    if (exists(path) && std::rename(path.c_str(), before(path).c_str()) != 0) fail_writing(before(path), errno);
    file.commit();
}

std::optional<RowCheckpoint> read_checkpoint(const job::Job& job, const std::string& path)
{
    std::optional<RowCheckpoint> found;
    std::string trouble;  // describes why the newest checkpoint cannot be read
    const std::string text = run_on_first(job.world(), [&] {
        if (!checkpoint_exists(path)) return std::string();
        if (exists(path)) found = read_one(path);
        if (!found) {
            trouble = path + (exists(path) ? " is damaged" : " is missing");
            if (exists(before(path))) found = read_one(before(path));
            if (!found)
                throw InputError(
                    exists(before(path))
                        ? fmt::format("--resume: {}, and {} is damaged; remove {} to begin anew", trouble, before(path),
                                      exists(path) ? fmt::format("{} and {}", path, before(path)) : before(path))
                        : fmt::format("--resume: {}, and there is no older checkpoint; remove it to begin anew",
                                      trouble));
        }
        return encode(*found);
    });
    if (!trouble.empty())
        job.note(fmt::format("{}: the job goes on from the previous checkpoint, {}", trouble, before(path)));
    if (text.empty()) return std::nullopt;
    return decode(text);
}

std::vector<std::string> checkpoint_files(const std::string& path)
{
    std::vector<std::string> files{path, before(path)};
    for (std::uint64_t number = 0; number < kMatrixFiles; ++number) files.push_back(matrix_path(path, number));
    return files;
}

void remove_checkpoints(const std::string& path)
{
    // The checkpoint itself is removed last: after a job that is killed before, the next job can resume from it.
    std::error_code ignored;
    const std::vector<std::string> files = checkpoint_files(path);
    for (const std::string& file : std::views::reverse(files)) std::filesystem::remove(file, ignored);
}

}  // namespace wayfront::session
