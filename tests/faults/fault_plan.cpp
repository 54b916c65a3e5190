#include "fault_plan.hpp"

namespace wayfront::faults {

Plan& plan()
{
    static constinit Plan the_plan;
    return the_plan;
}

namespace {

[[gnu::constructor]] void start()
{
    plan().start();
}

[[gnu::destructor]] void end()
{
    plan().write_count();
}

}  // namespace

}  // namespace wayfront::faults
