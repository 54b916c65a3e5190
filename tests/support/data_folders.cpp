#include "support/data_folders.hpp"

namespace wayfront {

std::string test_data()
{
    return WAYFRONT_TEST_DATA;
}

std::string shared_data()
{
    return WAYFRONT_SHARED_DATA;
}

}  // namespace wayfront
