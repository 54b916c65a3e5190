#include "app/program.hpp"
#include "app/thread_waiting.hpp"

namespace {

// The loader calls the functions of this section before the constructors of all libraries.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries)(int, char**, char**) = wayfront::app::choose_how_threads_wait;

}  // namespace

int main(int argc, char** argv)
{
    wayfront::app::restore_environment();
    return wayfront::app::run_program(argc, argv);
}
