// The main program of the GPU tests: the searches ask for communicators, so MPI is initialised.
#include <gtest/gtest.h>

#include "comm/communicator.hpp"

int main(int argc, char** argv)
{
    const wayfront::comm::Session session(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
