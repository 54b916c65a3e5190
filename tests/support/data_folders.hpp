// Where the tests' graphs are. Only one file is compiled with the paths, so that the others compile
// to the same in every checkout.
#pragma once

#include <string>

namespace wayfront {

/// tests/data (tests/data/README.md).
std::string test_data();

/// The folder of larger real graphs; tests that need them are skipped if it does not exist.
std::string shared_data();

}  // namespace wayfront
