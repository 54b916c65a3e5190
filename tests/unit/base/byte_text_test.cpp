#include "base/byte_text.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(ByteText, ReturnsWhatWasPut)
{
    ByteWriter writer;
    writer.put(std::int64_t{-7});
    writer.put(std::string_view("a\0b", 3));
    writer.put(std::vector<double>{0.1, -std::numeric_limits<double>::infinity()});
    writer.put(std::vector<std::uint16_t>{});
    writer.put(true);
    const std::string bytes = std::move(writer).take();
    ByteReader reader(bytes);
    std::int64_t number = 0;
    std::string text;
    std::vector<double> list;
    std::vector<std::uint16_t> empty{1};
    bool flag = false;
    reader.take(number);
    reader.take(text);
    reader.take(list);
    reader.take(empty);
    EXPECT_FALSE(reader.at_end());
    reader.take(flag);
    EXPECT_EQ(number, -7);
    EXPECT_EQ(text, std::string("a\0b", 3));
    EXPECT_EQ(list, (std::vector<double>{0.1, -std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(empty.empty());
    EXPECT_TRUE(flag);
    EXPECT_TRUE(reader.at_end());
}

TEST(ByteText, EndsTooEarly)
{
    ByteWriter writer;
    writer.put(std::string_view("text"));
    const std::string bytes = std::move(writer).take();
    std::string text;
    EXPECT_THROW(ByteReader(std::string_view(bytes).substr(0, bytes.size() - 1)).take(text), std::logic_error);
    EXPECT_THROW(ByteReader(std::string_view(bytes).substr(0, 3)).take(text), std::logic_error);
}

}  // namespace
}  // namespace wayfront
