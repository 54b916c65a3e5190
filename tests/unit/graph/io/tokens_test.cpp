// Reading numbers: the fast functions are compared with the standard library, and with each other.
#include "graph/io/tokens.hpp"

#include <random>
#include <string>
#include <string_view>

#include "graph/io/fast_pair.hpp"
#include "support/io_testing.hpp"

namespace wayfront::io {
namespace {

using io_testing::input_error;

/// A number of `digits` digits without leading zeroes.
std::string random_number(std::mt19937_64& random, int digits)
{
    std::string number;
    for (int i = 0; i < digits; ++i) number += static_cast<char>('0' + (i == 0 ? 1 + random() % 9 : random() % 10));
    return number;
}

std::string padded(const std::string& text)
{
    return text + std::string(64, '\n');
}

TEST(Tokens, LeadingDigitsStopsAtEveryByteThatIsNoDigit)
{
    for (int byte = 0; byte < 256; ++byte) {
        for (unsigned place = 0; place < 8; ++place) {
            std::string text = "12345678";
            text[place] = static_cast<char>(byte);
            const bool digit = byte >= '0' && byte <= '9';
            EXPECT_EQ(leading_digits(load8(text.data()) ^ 0x3030303030303030U), digit ? 8 : place)
                << "byte " << byte << " at " << place;
        }
    }
}

TEST(Tokens, FastNumberReadsOneToSixteenDigits)
{
    std::mt19937_64 random(7);
    for (int digits = 1; digits <= 16; ++digits) {
        for (int again = 0; again < 200; ++again) {
            const std::string number = random_number(random, digits);
            const std::string text = padded(number + (again % 2 == 0 ? " 99" : "\r"));
            const char* p = text.data();
            std::uint64_t value = 0;
            ASSERT_TRUE(fast_number(p, value)) << number;
            EXPECT_EQ(value, std::stoull(number));
            EXPECT_EQ(p - text.data(), digits);
        }
    }
}

TEST(Tokens, FastNumberLeavesTheRestToTheCarefulWay)
{
    for (const char* const start : {"", "-1", "+1", "x", ".5", "12345678901234567", "99999999999999999999999"}) {
        const std::string text = padded(start);
        const char* p = text.data();
        std::uint64_t value = 0;
        EXPECT_FALSE(fast_number(p, value)) << start;
    }
}

template <typename Pair>
class TokenPairs : public testing::Test
{
};

#if defined(__AVX2__)
using PairReaders = testing::Types<PairByWords, PairByVectors>;
#else
using PairReaders = testing::Types<PairByWords>;
#endif
TYPED_TEST_SUITE(TokenPairs, PairReaders);

TYPED_TEST(TokenPairs, ReadEveryCombinationOfLengths)
{
    std::mt19937_64 random(11);
    typename TypeParam::Extremes extremes;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (int first_digits = 1; first_digits <= 8; ++first_digits) {
        for (int second_digits = 1; second_digits <= 8; ++second_digits) {
            const std::string first = random_number(random, first_digits);
            const std::string second = random_number(random, second_digits);
            for (const std::string between : {" ", "\t", ",", "/"}) {
                for (const std::string end : {"\n", " 5\n", "\r\n", ".25", "x"}) {
                    std::string text = first;
                    text.append(between).append(second).append(end).append("123456789");
                    text = padded(text);
                    TypeParam pair;
                    ASSERT_TRUE(pair.take(text.data())) << text;
                    EXPECT_EQ(pair.between() - text.data(), first_digits);
                    EXPECT_EQ(pair.end() - text.data(), first_digits + 1 + second_digits);
                    PackedEdge edge{};
                    pair.store(&edge, 1);
                    EXPECT_EQ(edge.source(), std::stoll(first) - 1);
                    EXPECT_EQ(edge.target(), std::stoll(second) - 1);
                    extremes.add(pair);
                }
            }
            least = std::min({least, std::uint64_t{std::stoull(first)}, std::uint64_t{std::stoull(second)}});
            most = std::max({most, std::uint64_t{std::stoull(first)}, std::uint64_t{std::stoull(second)}});
        }
    }
    EXPECT_EQ(extremes.least(), least);
    EXPECT_EQ(extremes.most(), most);
}

TYPED_TEST(TokenPairs, LeaveTheRestToOthers)
{
    for (const char* const start :
         {"", " 1 2", "1", "1\n2x", "1  2", "-1 2", "1 -2", "123456789 1", "1 123456789",
          "12345678901234567890123456789012345 6", "12345678 901234567", "1 x", "\x80\x80 1", "1 \xff"}) {
        // The reader of pairs takes "1\n2x" as a pair: the caller checks the byte between the
        // numbers.
        const std::string text = padded(start);
        TypeParam pair;
        EXPECT_EQ(pair.take(text.data()), std::string_view(start) == "1\n2x") << start;
    }
}

TYPED_TEST(TokenPairs, StartWithNoExtremes)
{
    const typename TypeParam::Extremes extremes;
    EXPECT_GT(extremes.least(), extremes.most());
}

/// The message of a line reader's exception, as a user sees it.
template <typename F>
std::string failure_of(const std::string& text, F read)
{
    return input_error([&] {
        Line line(text.data(), text.data() + text.size());
        try {
            read(line);
        } catch (const ParseFailure& failure) {
            report({text, "file"}, failure);
        }
    });
}

TEST(Tokens, LineReadsTokensOfAllKinds)
{
    const std::string text = "  12\t-7,word  2.5e-3 007\r\nnext";
    Line line(text.data(), text.data() + text.size());
    EXPECT_EQ(line.integer(0, 100, "a number"), 12);
    EXPECT_EQ(line.long_weight(), -7);
    EXPECT_EQ(line.word(), "word");
    EXPECT_EQ(line.real_weight<float>(), 2.5e-3F);
    EXPECT_EQ(line.integer(0, 100, "a number"), 7);
    EXPECT_TRUE(line.at_end());
    EXPECT_EQ(std::string_view(line.next_line()), "next");
}

TEST(Tokens, LineNamesWhatItWantedAndWhatItFound)
{
    const auto vertex = [](Line& line) { line.integer(1, 7, "a vertex"); };
    EXPECT_EQ(failure_of("8", vertex), "file:1:1: expected a vertex from 1 to 7, found '8'");
    EXPECT_EQ(failure_of(" 0 1", vertex), "file:1:2: expected a vertex from 1 to 7, found '0'");
    EXPECT_EQ(failure_of("-3", vertex), "file:1:1: expected a vertex from 1 to 7, found '-3'");
    EXPECT_EQ(failure_of("+8", vertex), "file:1:1: expected a vertex from 1 to 7, found '+8'");
    EXPECT_EQ(failure_of("+-3", vertex), "file:1:1: expected a vertex from 1 to 7, found '+-3'");
    EXPECT_EQ(failure_of("\"3", vertex), "file:1:1: expected a vertex from 1 to 7, found '\"3'");
    EXPECT_EQ(failure_of("3.0 4", vertex), "file:1:1: expected a vertex from 1 to 7, found '3.0'");
    EXPECT_EQ(failure_of("x\n", vertex), "file:1:1: expected a vertex from 1 to 7, found 'x'");
    EXPECT_EQ(failure_of("  \r\n1", vertex), "file:1:3: expected a vertex from 1 to 7, found the end of the line");
    EXPECT_EQ(failure_of("", vertex), "file:1:1: expected a vertex from 1 to 7, found the end of the file");
    EXPECT_EQ(failure_of("1\x01\xff", vertex), "file:1:1: expected a vertex from 1 to 7, found '1\\x01\\xff'");
    EXPECT_EQ(failure_of(std::string(60, '9'), vertex),
              "file:1:1: expected a vertex from 1 to 7, found '" + std::string(40, '9') + "...'");
    EXPECT_EQ(failure_of(std::string("1\0002", 3), vertex), "file:1:1: expected a vertex from 1 to 7, found '1\\x002'");
}

TEST(Tokens, WeightsHaveLimits)
{
    const auto whole = [](Line& line) { line.long_weight(); };
    const auto real = [](Line& line) { line.real_weight<float>(); };
    EXPECT_EQ(failure_of("9223372036854775807", whole), "no error");
    EXPECT_EQ(failure_of("-9223372036854775808", whole), "no error");
    EXPECT_EQ(failure_of("9223372036854775808", whole),
              "file:1:1: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
              "'9223372036854775808'");
    EXPECT_EQ(failure_of("-9223372036854775809", whole),
              "file:1:1: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
              "'-9223372036854775809'");
    EXPECT_EQ(failure_of("1.5", whole),
              "file:1:1: expected a whole weight from -9223372036854775808 to 9223372036854775807, found '1.5'");
    EXPECT_EQ(
        failure_of("1e-60", real),
        "file:1:1: expected a weight that is not rounded to 0 (--precision double has smaller ones), found '1e-60'");
    EXPECT_EQ(failure_of("3.4e38", real), "no error");
    EXPECT_EQ(failure_of("1e39", real),
              "file:1:1: expected a weight that is a finite number up to 3.4e38, found '1e39'");
    EXPECT_EQ(failure_of("1e999", real),
              "file:1:1: expected a weight that is a finite number up to 3.4e38, found '1e999'");
    EXPECT_EQ(failure_of("nan", real), "file:1:1: expected a weight that is a finite number up to 3.4e38, found 'nan'");
    EXPECT_EQ(failure_of("-inf", real),
              "file:1:1: expected a weight that is a finite number up to 3.4e38, found '-inf'");
    EXPECT_EQ(failure_of("0x10", real),
              "file:1:1: expected a weight that is a finite number up to 3.4e38, found '0x10'");
    EXPECT_EQ(failure_of("1.5.2", real),
              "file:1:1: expected a weight that is a finite number up to 3.4e38, found '1.5.2'");
}

TEST(Tokens, NumbersAsOtherProgramsWriteThem)
{
    const auto value = [](const std::string& text) {
        Line line(text.data(), text.data() + text.size());
        return line.real_weight<float>();
    };
    EXPECT_EQ(value("1e-40"), 1e-40F) << "subnormal";
    EXPECT_EQ(value("0e-99"), 0.0F);
    EXPECT_EQ(value("+5.0"), 5.0F);
    EXPECT_EQ(value("0.25D+01"), 2.5F);
    EXPECT_EQ(value("-25d-1"), -2.5F);
    EXPECT_EQ(value("\"2.5\""), 2.5F);
    const std::string whole = "\"+7\",+8 \"9\"\t+10";
    Line line(whole.data(), whole.data() + whole.size());
    for (const std::int64_t number : {7, 8, 9, 10}) EXPECT_EQ(line.integer(0, 100, "a number"), number);
    EXPECT_TRUE(line.at_end());
}

TEST(Tokens, DigitsThatFloatsLose)
{
    for (const std::string_view kept :
         {"0.123456791", "0.5000000000000", "16777216", "16777216.0", "1e-10", "0.00000000012345",
          "1000000000000000000", "-0.1", "+0.1", "0", "0.0", "000.500"})
        EXPECT_FALSE(loses_digits<float>(kept)) << kept;
    for (const std::string_view lost : {"0.1234567890123456", "123456789.125", "1.0000000001", "0.1234567891e-5",
                                        "16777217", "+16777217.5", "1.234567890123D+02", "0.123456789"})
        EXPECT_TRUE(loses_digits<float>(lost)) << lost;
}

TEST(Tokens, DigitsThatDoublesLose)
{
    for (const std::string_view kept : {"0.30000000000000004", "0.1", "9007199254740992", "1152921504606846976",
                                        "0.10000000000000000000", "1d300", "0.0009765625", "123456789012345.6"})
        EXPECT_FALSE(loses_digits<double>(kept)) << kept;
    for (const std::string_view lost : {"9007199254740993", "-9007199254740993", "9007199254740993.5",
                                        "0.12345678901234567890", "+1.00000000000000000001"})
        EXPECT_TRUE(loses_digits<double>(lost)) << lost;
}

TEST(Tokens, ShortNumbersLoseNoDigits)
{
    // Numbers of seven digits in the decades where floats are coarsest beside them.
    for (int digits = 8388608; digits < 10000000; digits += 7) {
        const std::string number = std::to_string(digits);
        for (const std::size_t point : {0U, 1U, 4U, 7U}) {
            const std::string text = (point == 0 ? "-0" : "") + number.substr(0, point) + '.' + number.substr(point);
            ASSERT_FALSE(may_lose_digits<float>(text)) << text;
            ASSERT_FALSE(loses_digits<float>(text)) << text;
        }
    }
    for (const std::string_view longer : {"16777217", "0.12345678", "1.2345678", "1.23456e10"})
        EXPECT_TRUE(may_lose_digits<float>(longer)) << longer;
    EXPECT_FALSE(may_lose_digits<double>("0.123456789012345"));
    EXPECT_FALSE(may_lose_digits<float>({}));  // without memory, so that each read fails
    EXPECT_TRUE(may_lose_digits<double>("9007199254740993"));
}

}  // namespace
}  // namespace wayfront::io
