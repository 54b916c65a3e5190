#include "fuzz_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return wayfront::fuzz::fuzz_text(wayfront::FileFormat::graphml, data, size);
}
