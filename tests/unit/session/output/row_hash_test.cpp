// Hashes of rows: a changed word or another position changes them, whatever the length of the row.
#include "session/output/row_hash.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

TEST(RowHash, DependsOnEachByteThePositionAndTheLength)
{
    std::set<std::uint64_t> seen;
    std::size_t rows = 0;
    const auto expect_new = [&](std::uint64_t position, const std::vector<std::byte>& row) {
        ++rows;
        EXPECT_TRUE(seen.insert(hash_of_row(position, row)).second)
            << "row of " << row.size() << " bytes at " << position;
    };
    for (const std::size_t bytes : {1U, 7U, 8U, 63U, 64U, 65U, 200U}) {
        std::vector<std::byte> row(bytes);
        for (std::uint64_t position = 0; position < 3; ++position) expect_new(position, row);
        for (std::size_t i = 0; i < bytes; ++i) {
            row[i] = std::byte{1};
            expect_new(0, row);
            row[i] = std::byte{0};
        }
    }
    EXPECT_EQ(seen.size(), rows);
    EXPECT_EQ(hash_of_row(5, std::vector<std::byte>(9)), hash_of_row(5, std::vector<std::byte>(9)));
}

}  // namespace
}  // namespace wayfront::session
