#include "app/cli/shell_words.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::app {
namespace {

TEST(ShellWords, AreQuotedIfAShellWouldChangeThem)
{
    EXPECT_EQ(in_shell_quotes("it's"), "'it'\\''s'");
    EXPECT_EQ(as_shell_line(std::vector<std::string>{"bfs", "kron:16,ef=8", "--json=a_1.json", "-o", "/tmp/x"}),
              "bfs kron:16,ef=8 --json=a_1.json -o /tmp/x");
    EXPECT_EQ(as_shell_line(std::vector<std::string>{"", "a b", "$x", "~", "*", "é"}), "'' 'a b' '$x' '~' '*' 'é'");
    EXPECT_EQ(as_shell_line(std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace wayfront::app
