// Files that are missing, unreadable, compressed or truncated; and output files, which are complete
// or do not exist.
#include <csignal>
#include <optional>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>

#include "graph/io/graph_writer.hpp"
#include "graph/io/output_file.hpp"
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::bytes_of;
using io_testing::edges_of;
using io_testing::input_error;
using io_testing::make_list;
using io_testing::message_of;
using io_testing::TemporaryFolder;
using io_testing::write_graph;

TEST(InputFiles, ThatCannotBeReadAreErrorsWithTheCause)
{
    const TemporaryFolder folder;
    const auto error = [&](const std::string& path) { return input_error([&] { read_graph(path); }); };
    EXPECT_EQ(error(folder.file("none.gr")), folder.file("none.gr") + ": cannot be read: No such file or directory");
    EXPECT_EQ(error(folder.file("none.gr.gz")),
              folder.file("none.gr.gz") + ": cannot be read: No such file or directory");
    std::filesystem::create_directory(folder.file("folder.gr"));
    EXPECT_EQ(error(folder.file("folder.gr")), folder.file("folder.gr") + ": cannot be read: Is a directory");
    const std::string empty = folder.write("empty.el", "");
    EXPECT_EQ(error(empty), empty + ": the file is empty");
    if (::geteuid() == 0) return;  // root may read everything
    const std::string closed = folder.write("closed.el", "0 1\n");
    ::chmod(closed.c_str(), 0);
    EXPECT_EQ(error(closed), closed + ": cannot be read: Permission denied");
}

TEST(InputFiles, MayBePipes)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe.el");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string text;
    for (int i = 0; i < 50000; ++i) text += std::to_string(i) + " 0\n";
    std::thread writer([&] { std::ofstream(path) << text; });
    const GraphShare share = read_graph_share(path, {.format = {}, .part = 0, .parts = 2});
    writer.join();
    EXPECT_EQ(share.list.edges.size(), 50000U);
    EXPECT_FALSE(read_graph_share(path, {.format = {}, .part = 1, .parts = 2}).facts.known);
}

TEST(InputFiles, TakeTheFormatFromTheOptionsBeforeTheName)
{
    const TemporaryFolder folder;
    const std::string path = folder.write("graph.dat", "0 1\n");
    EXPECT_EQ(read_graph(path, FileFormat::edge_list).list.edges.size(), 1U);
}

TEST(InputFiles, CutShortWhileTheyAreReadAreErrors)
{
    const TemporaryFolder folder;
    std::vector<Edge> edges;
    for (Vertex v = 0; v + 1 < 100000; ++v) edges.push_back({v, v + 1});
    const EdgeList plain = make_list(100000, false, edges);
    const EdgeList weighted = make_list(100000, false, edges, std::vector<float>(edges.size(), 1.0F));
    for (const std::string name : {"a.el", "a.graph", "a.sg", "a.tuples", "a.tuples.weights", "a.el.gz"}) {
        const std::string cut = folder.file(name);
        const std::string path = name == "a.tuples.weights" ? folder.file("a.tuples") : cut;
        write_graph(path, path != cut ? weighted : plain);
        for (const std::size_t left : {0U, 100000U}) {
            write_graph(path, path != cut ? weighted : plain);
            const auto truncate = [&](std::size_t /*bytes*/) { std::filesystem::resize_file(cut, left); };
            if (std::filesystem::file_size(cut) <= left) continue;
            EXPECT_EQ(input_error([&] { read_graph_share(path, {.before_memory = truncate}); }),
                      cut + ": was cut short while it was read")
                << left;
        }
    }
}

TEST(InputFiles, ThatDoNotFitInTheAddressSpaceAreResourceErrors)
{
    const TemporaryFolder folder;
    const std::string path = folder.write("large.el", "0 1\n");
    std::error_code error;
    // A hole: it takes no space.
    std::filesystem::resize_file(path, std::uintmax_t{1} << 60, error);
    if (error) GTEST_SKIP() << "the file system has no files as large";
    EXPECT_EQ(message_of<ResourceError>([&] { read_graph(path); }), path + ": cannot be read: Cannot allocate memory");
}

/// A compressed edge list of some 200 KB.
std::string packed(const TemporaryFolder& folder, const std::string& ending)
{
    std::vector<Edge> edges;
    for (Vertex v = 0; v < 40000; ++v) edges.push_back({v * 7919 % 100003, v * v % 65537});
    write_graph(folder.file("whole.el" + ending), make_list(100003, true, edges));
    return bytes_of(folder.file("whole.el" + ending));
}

TEST(CompressedFiles, CutShortAreErrors)
{
    const TemporaryFolder folder;
    for (const std::string ending : {".gz", ".xz", ".zst"}) {
        const std::string bytes = packed(folder, ending);
        std::string wanted = ": not a whole ";
        wanted.append(ending == ".gz"   ? "gzip"
                      : ending == ".xz" ? "xz"
                                        : "zstd")
            .append(" file: it is cut short, damaged, or of another kind");
        for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{12}, bytes.size() / 3,
                                       bytes.size() / 2, bytes.size() - 12, bytes.size() - 1}) {
            const std::string path = folder.write("cut.el" + ending, bytes.substr(0, size));
            const std::string message = input_error([&] { read_graph(path); });
            EXPECT_TRUE(message.starts_with(path + wanted)) << size << ": " << message;
        }
        const std::string empty = folder.write("empty.el" + ending, "");
        EXPECT_EQ(input_error([&] { read_graph(empty); }), empty + ": the file is empty");
    }
}

TEST(CompressedFiles, DamagedOrOfAnotherKindAreErrors)
{
    const TemporaryFolder folder;
    for (const std::string ending : {".gz", ".xz", ".zst"}) {
        std::string bytes = packed(folder, ending);
        for (const std::string& wrong :
             {std::string("0 1\n1 2\n"), bytes + "more", packed(folder, ending == ".gz" ? ".xz" : ".gz")}) {
            const std::string path = folder.write("wrong.el" + ending, wrong);
            EXPECT_NE(input_error([&] { read_graph(path); }).find(": not a whole "), std::string::npos) << path;
        }
        for (std::size_t i = 0; i < 8; ++i)
            bytes[bytes.size() / 2 + i] = static_cast<char>(~bytes[bytes.size() / 2 + i]);
        const std::string path = folder.write("damaged.el" + ending, bytes);
        EXPECT_NE(input_error([&] { read_graph(path); }), "no error") << path;
    }
}

TEST(CompressedFiles, OfSeveralMembersAreOneText)
{
    const TemporaryFolder folder;
    for (const std::string ending : {".gz", ".xz", ".zst"}) {
        const std::string bytes = packed(folder, ending);
        const std::string path = folder.write("two.el" + ending, bytes + bytes);
        // The header of the first member is that of the text.
        EXPECT_EQ(input_error([&] { read_graph(path); }),
                  path + ":2: expected 40000 edges, as the header says, found 80000");
    }
}

TEST(CompressedFiles, NameTheLineOfTheTextInErrors)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("bad.el.gz");
    OutputFile file(path, Compression::gzip);
    file.write("0 1\n1 x\n");
    file.commit();
    EXPECT_EQ(
        input_error([&] { read_graph(path); }),
        path + ":2:3: expected a vertex from 0 to 281474976710655 (--names reads names instead of numbers), found 'x'");
}

TEST(OutputFiles, AppearWhenTheyAreWhole)
{
    const TemporaryFolder folder;
    const std::string path = folder.write("a.txt", "before");
    {
        OutputFile file(path);
        file.write("one ");
        EXPECT_EQ(bytes_of(path), "before");
        file.write("two");
        file.commit();
    }
    EXPECT_EQ(bytes_of(path), "one two");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(OutputFiles, WrittenAtOnceDoNotDisturbEachOther)
{
    const TemporaryFolder folder;
    OutputFile first(folder.file("a.txt"));
    OutputFile second(folder.file("a.txt"));
    first.write("first");
    second.write("second");
    second.commit();
    EXPECT_EQ(bytes_of(folder.file("a.txt")), "second");
    first.commit();
    EXPECT_EQ(bytes_of(folder.file("a.txt")), "first");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(OutputFiles, LeaveNothingBehindWithoutCommit)
{
    const TemporaryFolder folder;
    for (const Compression compression : {Compression::none, Compression::gzip, Compression::xz, Compression::zstd}) {
        OutputFile(folder.file("a.txt"), compression).write("something");
        EXPECT_TRUE(folder.names().empty());
    }
    try {
        OutputFile file(folder.file("a.txt"));
        file.write("something");
        throw InputError("elsewhere");
    } catch (const InputError&) {
        EXPECT_TRUE(folder.names().empty());
    }
}

TEST(OutputFiles, ThatCannotBeMadeAreResourceErrors)
{
    const TemporaryFolder folder;
    const auto error = [&](const std::string& path) {
        return message_of<ResourceError>([&] { write_graph(path, make_list(2, true, {{0, 1}})); });
    };
    EXPECT_EQ(error(folder.file("none/a.el")),
              folder.file("none/a.el") + ": cannot be written: No such file or directory");
    std::filesystem::create_directory(folder.file("folder.el"));
    EXPECT_EQ(error(folder.file("folder.el")), folder.file("folder.el") + ": cannot be written: Is a directory");
    folder.write("file", "");
    EXPECT_EQ(error(folder.file("file/a.el")), folder.file("file/a.el") + ": cannot be written: Not a directory");
    if (::geteuid() == 0) return;  // root may write everywhere
    std::filesystem::create_directory(folder.file("closed"));
    ::chmod(folder.file("closed").c_str(), 0500);
    EXPECT_EQ(error(folder.file("closed/a.el")), folder.file("closed/a.el") + ": cannot be written: Permission denied");
}

/// Edges {0, 1}, {1, 2}, ... with all weights equal, or without weights.
EdgeList path_graph(Vertex vertices, std::optional<float> weight)
{
    std::vector<Edge> edges;
    for (Vertex v = 0; v + 1 < vertices; ++v) edges.push_back({v, v + 1});
    return weight ? make_list(vertices, false, edges, std::vector<float>(edges.size(), *weight))
                  : make_list(vertices, false, edges);
}

TEST(OutputFiles, OfTuplesAndWeightsAreNeverOfTwoGraphs)
{
    // The second of two renames or removals fails, because a folder that is not empty has the name.
    for (const std::optional<float> weight : {std::optional(2.0F), std::optional<float>()}) {
        const TemporaryFolder folder;
        const std::string path = folder.file("g.tuples");
        write_graph(path, path_graph(5, 1.0F));
        const EdgeList next = path_graph(5, weight);
        GraphWriter writer(
            path, {.vertex_count = 5, .edge_count = 4, .directed = false, .weights = weight_kind(next.weights)});
        writer.append(next.edges.span(), weight_span(next.weights, 0, next.edges.size()));
        std::filesystem::remove(path + ".weights");
        std::filesystem::create_directories(path + ".weights/occupied");
        EXPECT_TRUE(message_of<ResourceError>([&] { writer.commit(); }).starts_with(path + ".weights: "));
        EXPECT_FALSE(std::filesystem::exists(path)) << "old edges beside weights that are not theirs";
    }
}

/// A limit on the size of files while the object exists. It is the closest to a full disk that a
/// test without root's rights can have.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &old_limit_);
        const rlimit limit{bytes, old_limit_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &old_limit_);
        std::signal(SIGXFSZ, old_handler_);
    }

private:
    rlimit old_limit_{};
    void (*old_handler_)(int) = SIG_DFL;
};

TEST(OutputFiles, OnAFullDiskLeaveNothing)
{
    const TemporaryFolder folder;
    std::vector<Edge> edges;
    for (Vertex v = 0; v < 60000; ++v) edges.push_back({v * 7919 % 100003, v * v % 65537});
    for (const std::string name :
         {"a.el", "a.mtx", "a.el.gz", "a.el.xz", "a.el.zst", "a.graph", "a.graph.gz", "a.sg", "a.tuples"}) {
        const EdgeList list = make_list(100003, false, edges);
        const std::string path = folder.write(name, "before");
        const FileSizeLimit limit(100000);
        EXPECT_EQ(message_of<ResourceError>([&] { write_graph(path, list); }),
                  path + ": cannot be written: File too large");
        EXPECT_EQ(bytes_of(path), "before");
        EXPECT_EQ(folder.names(), std::vector<std::string>{name});
        std::filesystem::remove(path);
    }
}

TEST(OutputFiles, OnAFullDeviceSaySo)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const TemporaryFolder folder;
    for (const std::string name : {"a.el", "a.el.gz", "a.sg"}) {
        const std::string path = folder.file(name);
        std::filesystem::create_symlink("/dev/full", path);
        EXPECT_EQ(message_of<ResourceError>([&] {
                      write_graph(path, make_list(2, true, {{0, 1}}));
                  }),
                  path + ": cannot be written: No space left on device");
    }
}

}  // namespace
}  // namespace wayfront
