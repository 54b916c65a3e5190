#!/usr/bin/env python3
"""Creates small trees with violations and checks that layering.py finds each of them, and nothing else."""

import pathlib
import tempfile
import unittest

import layering

GOOD = {
    "src/base/types.hpp": "#include <cstdint>\n",
    "src/gpu/runtime/stream.hpp": '#include <cuda_runtime.h>\n\n#include "base/types.hpp"\n',
    "src/comm/communicator.cpp": '#include <mpi.h>\n\n#include "base/types.hpp"\n',
    "src/graph/csr.hpp": '#include "base/types.hpp"\n#include "comm/communicator.hpp"\n',
    "src/algo/bfs.cpp": '#include "algo/bfs.hpp"\n#include "graph/csr.hpp"\n',
    "src/cpu/engine.cpp": '#include "graph/csr.hpp"\n',
    "src/gpu/bfs/engine.cu": '#include <cub/cub.cuh>\n\n#include "comm/communicator.hpp"\n#include "gpu/runtime/stream.hpp"\n#include "graph/csr.hpp"\n',
    "graph500/validate.cpp": '#include "graph/csr.hpp"\n#include "graph500/validate.hpp"\n',
    "src/session/search.hpp": '#include "cpu/engine.hpp"\n#include "graph500/validate.hpp"\n',
    "src/app/main.cpp": '#include "job/job.hpp"\n#include "session/search.hpp"\n',
    "src/app/program.cpp": '#include "comm/session.hpp"\n',
    "src/wayfront/wayfront.hpp": '#include <string>\n\n#include "base/error.hpp"\n',
    "src/wayfront/wayfront.cpp": '#include "wayfront/wayfront.hpp"\n\n#include "job/job.hpp"\n',
}


class Layering(unittest.TestCase):
    def problems(self, planted):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**GOOD, **planted}.items():
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return layering.check(root)[0]

    def test_good_tree_has_no_violation(self):
        self.assertEqual(self.problems({}), [])

    def test_each_arrow_back_is_found(self):
        names = list(layering.LAYERS_BEFORE)
        for layer, before in layering.LAYERS_BEFORE.items():
            folder = layer if layer == "graph500" else f"src/{layer}"
            for other in names:
                with self.subTest(layer=layer, includes=other):
                    found = self.problems({f"{folder}/planted.cpp": f'#include <vector>\n#include "{other}/planted.hpp"\n'})
                    if other == layer or other in before:
                        self.assertEqual(found, [])
                    else:
                        self.assertEqual(len(found), 1)
                        self.assertTrue(found[0].startswith(f"{folder}/planted.cpp:2: "), found)

    def test_siblings_do_not_include_each_other(self):
        siblings = (("cpu", "gpu/bfs"), ("gpu/bfs", "gpu/sssp"), ("gpu/bfs", "gpu/kron"), ("algo", "graph500"))
        for one, other in siblings + tuple((other, one) for one, other in siblings):
            folder = one if one == "graph500" else f"src/{one}"
            self.assertEqual(len(self.problems({f"{folder}/x.hpp": f'#include "{other}/y.hpp"\n'})), 1)

    def test_file_for_the_host_compiler_includes_no_cuh(self):
        self.assertEqual(len(self.problems({"src/gpu/bfs/x.cpp": '#include "gpu/bfs/y.cuh"\n'})), 1)
        self.assertEqual(len(self.problems({"src/gpu/bfs/x.hpp": '#include "gpu/bfs/y.cuh"\n'})), 1)
        self.assertEqual(self.problems({"src/gpu/bfs/x.cu": '#include "gpu/bfs/y.cuh"\n', "src/gpu/bfs/x.cuh": '#include "gpu/bfs/y.cuh"\n'}), [])

    def test_mpi_outside_comm(self):
        self.assertEqual(len(self.problems({"src/graph/x.cpp": "#include <mpi.h>\n"})), 1)
        self.assertEqual(len(self.problems({"src/app/x.cpp": "  #  include <mpi.h>\n"})), 1)

    def test_cuda_outside_gpu(self):
        for header in ("cuda_runtime.h", "cub/cub.cuh", "nccl.h"):
            self.assertEqual(len(self.problems({"src/cpu/x.cpp": f"#include <{header}>\n"})), 1)
            self.assertEqual(len(self.problems({"src/comm/communicator.hpp": f"#include <{header}>\n"})), 1)

    def test_installed_header_includes_only_what_is_installed(self):
        self.assertEqual(len(self.problems({"src/wayfront/wayfront.hpp": '#include "base/types.hpp"\n'})), 1)
        self.assertEqual(len(self.problems({"src/base/error.hpp": '#include "base/types.hpp"\n'})), 1)

    def test_file_in_no_folder_of_gpu(self):
        self.assertEqual(len(self.problems({"src/gpu/x.hpp": "#include <cstdint>\n"})), 1)

    def test_include_that_names_no_layer(self):
        self.assertEqual(len(self.problems({"src/cpu/x.cpp": '#include "engine.hpp"\n'})), 1)
        self.assertEqual(len(self.problems({"src/cpu/x.cpp": '#include "../graph/csr.hpp"\n'})), 1)


if __name__ == "__main__":
    unittest.main()
