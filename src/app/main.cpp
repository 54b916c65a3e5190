#include "app/machine/host_threads.hpp"
#include "app/program.hpp"

int main(int argc, char** argv)
{
    wayfront::app::choose_how_threads_wait(argc, argv);
    return wayfront::app::run_program(argc, argv);
}
