#include "report/html.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace wayfront::report {
namespace {

using std::string_view_literals::operator""sv;

TEST(EscapedText, HasNoMeaningInHtml)
{
    EXPECT_EQ(escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
    EXPECT_EQ(escaped("größer → 1"), "größer → 1");
    EXPECT_EQ(escaped("a\0b\x1b\x7f"sv),
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(escaped("a\xff\x80z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST(NumbersWithUnits, HaveThreeDigits)
{
    EXPECT_EQ(with_unit(0, "s"), "0 s");
    EXPECT_EQ(with_unit(0.000526391, "s"), "526 µs");
    EXPECT_EQ(with_unit(0.01234, "s"), "12.3 ms");
    EXPECT_EQ(with_unit(0.9996, "s"), "1.00 s");
    EXPECT_EQ(with_unit(0.9994, "s"), "999 ms");
    EXPECT_EQ(with_unit(12345, "s"), "12345 s");
    EXPECT_EQ(with_unit(1.9912e9, "edges/s"), "1.99 G edges/s");
    EXPECT_EQ(with_unit(999.6, "edges/s"), "1.00 k edges/s");
    EXPECT_EQ(with_unit(17, "vertices"), "17.0 vertices");
    EXPECT_EQ(with_unit(9.996, ""), "10.0");
}

TEST(NumbersWithUnits, AreWholeAsData)
{
    EXPECT_EQ(data_with_unit(0.000526391, "s"), "<data value=\"0.000526391\">526 µs</data>");
}

}  // namespace
}  // namespace wayfront::report
