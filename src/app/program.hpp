// The program from its command line to its exit code.
#pragma once

namespace wayfront::app {

int run_program(int argc, char** argv);

}  // namespace wayfront::app
