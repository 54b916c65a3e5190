// gpus() of a build without CUDA.
#include "app/search/gpus.hpp"

namespace wayfront::app {

const Gpus* gpus()
{
    return nullptr;
}

}  // namespace wayfront::app
