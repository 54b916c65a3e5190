// The format that a name gives.
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::input_error;

TEST(FileFormats, FollowFromTheExtension)
{
    EXPECT_EQ(format_of("a.gr"), FileFormat::dimacs);
    EXPECT_EQ(format_of("dir.mtx/a.mtx"), FileFormat::matrix_market);
    for (const char* const name : {"a.txt", "a.el", "a.wel", "a.edges", "a.tsv"})
        EXPECT_EQ(format_of(name), FileFormat::edge_list) << name;
    EXPECT_EQ(format_of("a.csv"), FileFormat::csv);
    EXPECT_EQ(format_of("a.graph"), FileFormat::metis);
    EXPECT_EQ(format_of("a.sg"), FileFormat::gapbs_sg);
    EXPECT_EQ(format_of("a.wsg"), FileFormat::gapbs_wsg);
    EXPECT_EQ(format_of("a.tuples"), FileFormat::tuples);
}

TEST(FileFormats, LookThroughTheExtensionOfACompressedText)
{
    EXPECT_EQ(format_of("USA-road-d.NY.gr.gz"), FileFormat::dimacs);
    EXPECT_EQ(format_of("a.mtx.xz"), FileFormat::matrix_market);
    EXPECT_EQ(format_of("a.graph.zst"), FileFormat::metis);
    EXPECT_EQ(compression_of("a.gr.gz"), Compression::gzip);
    EXPECT_EQ(compression_of("a.gr.xz"), Compression::xz);
    EXPECT_EQ(compression_of("a.gr.zst"), Compression::zstd);
    EXPECT_EQ(compression_of("a.gz.gr"), Compression::none);
    EXPECT_EQ(without_compression("d.gz/a.gr.gz"), "d.gz/a.gr");
    EXPECT_EQ(without_compression("d.gz/a.gr"), "d.gz/a.gr");
}

TEST(FileFormats, MayBeWrittenInUpperCase)
{
    EXPECT_EQ(format_of("a.GR"), FileFormat::dimacs);
    EXPECT_EQ(format_of("a.Txt.GZ"), FileFormat::edge_list);
    EXPECT_EQ(format_of("a.CSV.Zst"), FileFormat::csv);
    EXPECT_EQ(compression_of("a.Txt.GZ"), Compression::gzip);
    EXPECT_EQ(without_compression("a.Txt.GZ"), "a.Txt");
    EXPECT_TRUE(has_extension("a.WEL.gz", ".wel"));
    EXPECT_FALSE(has_extension("a.wel.d", ".wel"));
}

TEST(FileFormats, GEXFIsRefusedWithACommandThatHelps)
{
    const std::string message = input_error([] { format_of("d/a.gexf.gz"); });
    EXPECT_TRUE(message.starts_with("d/a.gexf.gz: GEXF is neither read nor written; ")) << message;
    EXPECT_NE(message.find("nx.read_gexf('d/a.gexf.gz')"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(format_of("d/a.graphml.gz"), FileFormat::graphml);
    EXPECT_EQ(format_of("a.gml"), FileFormat::gml);
}

TEST(FileFormats, OtherExtensionsAreErrorsThatListTheKnown)
{
    for (const char* const name : {"a", "a.gz", "a.g", "gr", "a.bin", "a.tuples.weights"}) {
        EXPECT_EQ(input_error([&] { format_of(name); }),
                  std::string(name) +
                      ": unknown file extension; known are .gr .mtx .txt .el .wel .edges .tsv .csv .graph .sg .wsg "
                      ".tuples .graphml .gml (text formats also with .gz, "
                      ".xz or .zst after it)");
    }
    EXPECT_EQ(input_error([] { format_of("a.wsg.gz"); }),
              "a.wsg.gz: GAPBS .wsg files are not supported in compressed form");
}

}  // namespace
}  // namespace wayfront
