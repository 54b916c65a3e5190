// The extension module wayfront._core: the library's classes, for the package's Python files.
#include "device_arrays.hpp"
#include "door.hpp"

NB_MODULE(_core, module)
{
    module.doc() = "The C++ library, as the files of the package wayfront call it.";
    wayfront::python::watch_forks();
    wayfront::python::bind_errors();
    wayfront::python::bind_device_arrays(module);
    wayfront::python::bind_graph(module);
    wayfront::python::bind_bfs(module);
    wayfront::python::bind_shortest_paths(module);
    wayfront::python::bind_pairs(module);
    wayfront::python::bind_all_pairs(module);
    wayfront::python::bind_many_graphs(module);
    wayfront::python::bind_graph500(module);
    wayfront::python::bind_trees(module);
}
