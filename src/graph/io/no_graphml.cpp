// Takes the place of read_graphml.cpp in builds without Expat.
#include <string>

#include "base/error.hpp"
#include "graph/io/readers.hpp"

namespace wayfront::io {

GraphShare read_graphml(const NamedText& input, const ReadOptions& /*options*/)
{
    throw InputError(std::string(input.name) +
                     ": this build does not read GraphML; install Expat (Debian and Ubuntu: libexpat1-dev) and build "
                     "again, or convert the file to GML");
}

}  // namespace wayfront::io
