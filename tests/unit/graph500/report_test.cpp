// The report, compared character by character.
#include "graph500/report.hpp"

#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace wayfront::graph500 {
namespace {

std::string text_of(const Report& report)
{
    std::ostringstream out;
    write_report(out, report);
    return out.str();
}

Report small_report()
{
    Report report;
    report.scale = 20;
    report.edge_factor = 16;
    report.processes = 4;
    report.generation_seconds = 0.25;
    report.construction_seconds = 1.0 / 3;
    report.bfs = {{.key = 7, .seconds = 0.5, .edges = 16776976, .validate_seconds = 0.125},
                  {.key = 9, .seconds = 0.25, .edges = 16776976, .validate_seconds = 0.25},
                  {.key = 11, .seconds = 1, .edges = 16776976, .validate_seconds = 1234567.5}};
    return report;
}

TEST(Report, OfBreadthFirstSearches)
{
    EXPECT_EQ(text_of(small_report()),
              "SCALE:                          20\n"
              "edgefactor:                     16\n"
              "NBFS:                           3\n"
              "graph_generation:               0.25\n"
              "num_mpi_processes:              4\n"
              "construction_time:              0.333333\n"
              "bfs  min_time:                  0.25\n"
              "bfs  firstquartile_time:        0.25\n"
              "bfs  median_time:               0.5\n"
              "bfs  thirdquartile_time:        1\n"
              "bfs  max_time:                  1\n"
              "bfs  mean_time:                 0.583333\n"
              "bfs  stddev_time:               0.381881\n"
              "min_nedge:                      16776976\n"
              "firstquartile_nedge:            16776976\n"
              "median_nedge:                   16776976\n"
              "thirdquartile_nedge:            16776976\n"
              "max_nedge:                      16776976\n"
              "mean_nedge:                     16776976\n"
              "stddev_nedge:                   0\n"
              "bfs  min_TEPS:                  1.6777e+07\n"
              "bfs  firstquartile_TEPS:        1.6777e+07\n"
              "bfs  median_TEPS:               3.3554e+07\n"
              "bfs  thirdquartile_TEPS:        6.71079e+07\n"
              "bfs  max_TEPS:                  6.71079e+07\n"
              "bfs  harmonic_mean_TEPS:     !  2.87605e+07\n"
              "bfs  harmonic_stddev_TEPS:      1.33135e+07\n"
              "bfs  min_validate:              0.125\n"
              "bfs  firstquartile_validate:    0.125\n"
              "bfs  median_validate:           0.25\n"
              "bfs  thirdquartile_validate:    1.23457e+06\n"
              "bfs  max_validate:              1.23457e+06\n"
              "bfs  mean_validate:             411523\n"
              "bfs  stddev_validate:           712778\n");
}

TEST(Report, ShortestPathsStandBetween)
{
    Report report = small_report();
    report.sssp = report.bfs;
    for (SearchRecord& record : *report.sssp) {
        record.seconds *= 2;
        record.validate_seconds = -1;
    }
    report.extra = {{"validation", "bfs yes, sssp no"}, {"peak_bytes_per_edge", "18.5"}};
    const std::string text = text_of(report);
    std::istringstream lines(text);
    std::string keys;
    for (std::string line; std::getline(lines, line);) {
        keys += line.substr(0, line.find(':')) + "\n";
        ASSERT_GE(line.size(), 33U) << line;
        EXPECT_NE(line[32], ' ') << line;
        EXPECT_EQ(line[31], ' ') << line;
    }
    EXPECT_EQ(keys,
              "SCALE\nedgefactor\nNBFS\ngraph_generation\nnum_mpi_processes\nconstruction_time\n"
              "bfs  min_time\nbfs  firstquartile_time\nbfs  median_time\nbfs  thirdquartile_time\nbfs  max_time\nbfs  "
              "mean_time\nbfs  stddev_time\n"
              "sssp min_time\nsssp firstquartile_time\nsssp median_time\nsssp thirdquartile_time\nsssp max_time\nsssp "
              "mean_time\nsssp stddev_time\n"
              "min_nedge\nfirstquartile_nedge\nmedian_nedge\nthirdquartile_nedge\nmax_nedge\nmean_nedge\nstddev_nedge\n"
              "bfs  min_TEPS\nbfs  firstquartile_TEPS\nbfs  median_TEPS\nbfs  thirdquartile_TEPS\nbfs  max_TEPS\n"
              "bfs  harmonic_mean_TEPS\nbfs  harmonic_stddev_TEPS\n"
              "sssp min_TEPS\nsssp firstquartile_TEPS\nsssp median_TEPS\nsssp thirdquartile_TEPS\nsssp max_TEPS\n"
              "sssp harmonic_mean_TEPS\nsssp harmonic_stddev_TEPS\n"
              "bfs  min_validate\nbfs  firstquartile_validate\nbfs  median_validate\nbfs  thirdquartile_validate\nbfs  "
              "max_validate\n"
              "bfs  mean_validate\nbfs  stddev_validate\n"
              "sssp min_validate\nsssp firstquartile_validate\nsssp median_validate\nsssp thirdquartile_validate\nsssp "
              "max_validate\n"
              "sssp mean_validate\nsssp stddev_validate\n"
              "validation\npeak_bytes_per_edge\n");
    EXPECT_NE(text.find("sssp mean_time:                 1.16667\n"), std::string::npos);
    EXPECT_NE(text.find("sssp harmonic_mean_TEPS:     !  1.43803e+07\n"), std::string::npos);
    EXPECT_NE(text.find("sssp max_validate:              -1\n"), std::string::npos);
}

TEST(Report, ShortestPathsAlone)
{
    Report report = small_report();
    report.sssp = std::exchange(report.bfs, std::nullopt);
    const std::string text = text_of(report);
    EXPECT_EQ(text.find("bfs "), std::string::npos);
    EXPECT_NE(text.find("NBFS:                           3\n"), std::string::npos);
    EXPECT_NE(text.find("sssp harmonic_mean_TEPS:     !  2.87605e+07\n"), std::string::npos);
    EXPECT_EQ(first_kernel(report).size(), 3U);
}

TEST(Report, LongKeysOfOurOwnKeepTheirDistance)
{
    Report report = small_report();
    report.extra = {{"a_key_of_more_than_thirty_one_characters", "5"}};
    EXPECT_NE(text_of(report).find("a_key_of_more_than_thirty_one_characters: 5\n"), std::string::npos);
}

TEST(Report, OneSearchHasNoDeviation)
{
    Report report = small_report();
    report.bfs->resize(1);
    const std::string text = text_of(report);
    EXPECT_NE(text.find("bfs  stddev_time:               nan\n"), std::string::npos);
    EXPECT_NE(text.find("bfs  harmonic_stddev_TEPS:      nan\n"), std::string::npos);
}

}  // namespace
}  // namespace wayfront::graph500
