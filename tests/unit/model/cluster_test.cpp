// Network files, and the times of collective operations.
#include "model/cluster.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront::model {
namespace {

constexpr const char* kText = R"({"wayfront_network": 1, "name": "two hosts", "ranks_per_host": 4,
    "inside": {"gigabytes_per_second": 100, "step_microseconds": 2, "uncertainty": 1.5},
    "between": {"gigabytes_per_second": 10, "step_microseconds": 20, "doubling_microseconds": 4,
                "message_microseconds": 1}})";

std::string fault_of(const std::string& text)
{
    try {
        (void)network_from_text(text, "file.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// kText with one part replaced.
std::string with(const std::string& part, const std::string& other)
{
    std::string text = kText;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, part.size(), other);
}

TEST(NetworkFile, IsRead)
{
    const Network network = network_from_text(kText, "file.json");
    EXPECT_EQ(network.name, "two hosts");
    EXPECT_EQ(network.ranks_per_host, 4);
    EXPECT_EQ(network.inside.bytes_per_second, 100e9);
    EXPECT_EQ(network.inside.uncertainty, 1.5);
    EXPECT_DOUBLE_EQ(network.between.step, 20e-6);
    EXPECT_DOUBLE_EQ(network.between.doubling, 4e-6);
    EXPECT_EQ(network.between.uncertainty, 1);
}

TEST(NetworkFile, FaultsAreNamed)
{
    EXPECT_EQ(fault_of(kText), "");
    EXPECT_EQ(fault_of("{"), "file.json: expected JSON");
    EXPECT_EQ(fault_of("[1]"), "file.json: expected \"wayfront_network\": 1");
    EXPECT_EQ(fault_of(with("\"wayfront_network\": 1", "\"wayfront_network\": 2")),
              "file.json: expected \"wayfront_network\": 1");
    EXPECT_EQ(fault_of(with("\"gigabytes_per_second\": 10,", "\"gigabytes_per_second\": -10,")),
              "file.json: \"between\": \"gigabytes_per_second\" must be a number of at least 1e-06, not -10");
    EXPECT_EQ(fault_of(with("\"gigabytes_per_second\": 10,", "")),
              "file.json: \"between\": \"gigabytes_per_second\" is missing");
    EXPECT_EQ(fault_of(with("\"step_microseconds\": 2,", "\"step_microseconds\": \"2\",")),
              "file.json: \"inside\": \"step_microseconds\" must be a number of at least 0.0, not \"2\"");
    EXPECT_EQ(fault_of(with("\"uncertainty\": 1.5", "\"uncertainty\": 0.5")),
              "file.json: \"inside\": \"uncertainty\" must be a number of at least 1.0, not 0.5");
    EXPECT_EQ(fault_of(with("\"ranks_per_host\": 4", "\"ranks_per_host\": 4.5")),
              "file.json: \"ranks_per_host\" must be a whole number from 1 to 1048576");
    EXPECT_EQ(fault_of(with("\"ranks_per_host\": 4", "\"ranks_per_host\": 0")),
              "file.json: \"ranks_per_host\" must be a number of at least 1.0, not 0");
    EXPECT_EQ(fault_of(with("\"ranks_per_host\": 4", "\"ranks_per_host\": 4, \"ports\": 2")),
              "file.json: unknown entry \"ports\"");
    EXPECT_EQ(fault_of(with("\"message_microseconds\"", "\"messages\"")),
              "file.json: \"between\": unknown entry \"messages\"");
    EXPECT_EQ(fault_of(with("\"inside\"", "\"outside\"")), "file.json: unknown entry \"outside\"");
}

TEST(NetworkFile, BuiltInNetworksAreRight)
{
    EXPECT_GE(built_in_networks().size(), 3U);
    for (const NamedText& network : built_in_networks()) {
        SCOPED_TRACE(network.name);
        EXPECT_FALSE(network_from_text(std::string(network.text), "built in").name.empty());
    }
}

TEST(Groups, AreOnHosts)
{
    // 16 ranks as 4x4 on 4 hosts of 4 ranks: a grid row is a host.
    const Group row = row_of({4, 4}, 4);
    EXPECT_EQ(row.ranks, 4);
    EXPECT_EQ(row.hosts, 1);
    const Group column = column_of({4, 4}, 4);
    EXPECT_EQ(column.ranks, 4);
    EXPECT_EQ(column.hosts, 4);
    EXPECT_EQ(column_of({8, 2}, 4).hosts, 4);
    EXPECT_EQ(row_of({2, 8}, 4).hosts, 2);
    EXPECT_EQ(world_of({1, 3}, 4).hosts, 1);
    // Rows of 3 on hosts of 4: ranks 3, 4 and 5 are on two hosts. Of the two rows that a host has a part
    // of, both may use its links.
    EXPECT_EQ(row_of({4, 3}, 4).hosts, 2);
    EXPECT_EQ(row_of({4, 3}, 4).groups_a_host, 2);
    // 10 ranks as 2x5 on hosts of 8: five columns, not eight.
    EXPECT_EQ(column_of({2, 5}, 8).groups_a_host, 5);
    EXPECT_EQ(world_of({9, 1}, 8).ranks_a_host, 8);
}

TEST(StepTimes, OfGathersAndExchanges)
{
    const Network network = network_from_text(kText, "file.json");
    const Group row = row_of({4, 4}, 4);
    const Group column = column_of({4, 4}, 4);
    EXPECT_EQ(all_gather_time(network, {1, 1}, 1e6).sum(), 0);
    // Inside a host: 2 us, and 100 GB/s.
    EXPECT_DOUBLE_EQ(all_gather_time(network, row, 1e6).sum(), 2e-6 + 1e6 / 100e9);
    // Between 4 hosts: 20 + 2 * 4 us. The four columns share the port of 10 GB/s.
    EXPECT_DOUBLE_EQ(all_gather_time(network, column, 1e6).latency, 28e-6);
    EXPECT_DOUBLE_EQ(all_gather_time(network, column, 1e6).between, 4 * 1e6 / 10e9);
    EXPECT_DOUBLE_EQ(all_gather_time(network, column, 1e6).inside, 0);
    // All 16 ranks: what comes from other hosts, 12 of 15 parts, enters a host once, and is then
    // passed on inside.
    const Group world = world_of({4, 4}, 4);
    EXPECT_DOUBLE_EQ(all_gather_time(network, world, 15e6).between, 12e6 / 10e9);
    EXPECT_DOUBLE_EQ(all_gather_time(network, world, 15e6).inside, 15e6 / 100e9);
    // An all-to-all: the same bytes for each of the 4 ranks of a host. Messages to two further hosts
    // begin while those bytes are on their way.
    EXPECT_DOUBLE_EQ(all_to_all_time(network, world, 15e6).between, 4 * 12e6 / 10e9);
    EXPECT_DOUBLE_EQ(all_to_all_time(network, world, 15e6).latency, 2e-6 + 24e-6);
    EXPECT_DOUBLE_EQ(all_to_all_time(network, world, 0).latency, 2e-6 + 24e-6 + 2e-6);
    EXPECT_NEAR(all_to_all_time(network, world, 5e3).sum(), 2e-6 + 24e-6 + 2e-6 + 1e3 / 100e9, 1e-12);
    // Among very many hosts, two hops are less than a message to each, but send the bytes twice.
    const Group hosts{4096, 4096, 1, 1};
    EXPECT_NEAR(all_to_all_time(network, hosts, 0).latency, 2 * (24e-6 + 62e-6), 1e-12);
    EXPECT_NEAR(all_to_all_time(network, hosts, 4096e3).between, 2 * 4095e3 / 10e9 * 4096 / 4095, 1e-6);
    EXPECT_NEAR(all_to_all_time(network, hosts, 4096e6).between, 4096e6 / 10e9, 1e-3);
    // A shift sends only what crosses between two hosts.
    EXPECT_DOUBLE_EQ(shift_time(network, row_of({1, 16}, 4), 1e6).between, 1e6 / 10e9);
    EXPECT_DOUBLE_EQ(shift_time(network, row, 1e6).inside, 1e6 / 100e9);
}

TEST(Processors, AreKnownByName)
{
    EXPECT_TRUE(find_processor("h200").gpu);
    EXPECT_LT(find_processor("h200").found, find_processor("h100").found);
    EXPECT_FALSE(find_processor("core").gpu);
    EXPECT_THROW((void)find_processor("tpu"), InputError);
    const Processor core = find_processor("core");
    EXPECT_DOUBLE_EQ(scaled(core, 2).far_arc, 2 * core.far_arc);
    EXPECT_DOUBLE_EQ(scaled(core, 2).level, 2 * core.level);
    EXPECT_DOUBLE_EQ(several(core, 4).far_arc, core.far_arc / 4);
    EXPECT_DOUBLE_EQ(several(core, 4).level, core.level);
}

}  // namespace
}  // namespace wayfront::model
