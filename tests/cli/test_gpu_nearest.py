"""The nearest of several sources on a GPU as users run them, compared with the CPU."""

import unittest

from driver import BAD_INPUT, DATA, RESOURCES
from gpu_driver import GpuTest

ON_ONE_GPU = ("--engine", "gpu")


class NearestOnGpu(GpuTest):
    """One GPU searches from all sources on its own: the same distances and nearest sources as on the CPU, valid parents."""

    NEW_YORK = DATA / "USA-road-d.NY.gr.gz"  # directed, whole weights

    def nearest(self, command, *arguments, **options):
        """The distance and the nearest source of each vertex."""
        output = self.folder / "out.csv"
        self.good(command, *arguments, "--nearest", "-o", output, "--quiet", **options)
        return [line.split(",")[1:2] + line.split(",")[3:] for line in output.read_text().splitlines()]

    def assert_as_on_the_cpu(self, command, *arguments, engine=ON_ONE_GPU):
        valid = () if "--cutoff" in arguments else ("--validate",)
        on_gpu = self.nearest(command, *arguments, *engine, *valid)
        self.assertEqual(on_gpu, self.nearest(command, *arguments, "--engine", "cpu"))

    def test_levels(self):
        for graph in ("kron:14", "rmat:13,directed=1", "grid:60x60", "random:3000,5000", "random:3000,2000", "path:3000", "star:70000", "complete:300", "path:2"):
            for sources in ("random:2", "random:1") if graph == "path:2" else ("random:2", "random:60"):
                with self.subTest(graph=graph, sources=sources):
                    self.assert_as_on_the_cpu("bfs", graph, "--sources", sources)
        self.assert_as_on_the_cpu("bfs", "rmat:13,directed=1", "--reverse", "--sources", "random:60")
        for cutoff in (0, 1, 3):
            self.assert_as_on_the_cpu("bfs", "rmat:13", "--cutoff", cutoff, "--sources", "random:60")
        for direction in ("top-down", "bottom-up"):
            self.assert_as_on_the_cpu("bfs", "kron:13", "--direction", direction, "--sources", "random:60")

    def test_lengths(self):
        for graph, weights in (("kron:14", "uniform:1..255"), ("kron:14", "uniform:0..3"), ("kron:14", None), ("kron:13", "unit"), ("grid:60x60", "uniform:1..3"),
                               ("grid:60x60", "uniform:0..2"), ("rmat:13,directed=1", "uniform:0..4"), ("random:3000,5000", "float"), ("star:70000", "uniform:1..1000000")):
            for sources in ("random:2", "random:60"):
                with self.subTest(graph=graph, weights=weights, sources=sources):
                    self.assert_as_on_the_cpu("sssp", graph, *(("--weights", weights) if weights else ()), "--sources", sources)
        self.assert_as_on_the_cpu("sssp", "kron:13", "--cutoff", 0.1, "--sources", "random:60")
        self.assert_as_on_the_cpu("sssp", "grid:60x60", "--weights", "uniform:1..3", "--algorithm", "push-pull", "--sources", "random:60")

    def test_edge_lists_that_the_gpu_constructs(self):
        for arguments in (("random:20000,300000", "--weights", "uniform:1..255"), ("random:20000,300000", "--weights", "float")):
            self.assert_as_on_the_cpu("bfs", arguments[0], "--sources", "random:60")
            self.assert_as_on_the_cpu("sssp", *arguments, "--algorithm", "push-pull", "--sources", "random:60")

    def test_near_far(self):
        for arguments in (("grid:60x60", "--weights", "uniform:1..3"), ("grid:60x60", "--weights", "uniform:0..2"), (self.NEW_YORK,)):
            on_gpu = self.nearest("sssp", *arguments, "--sources", "random:60", "--algorithm", "near-far", "--validate")
            self.assertEqual(on_gpu, self.nearest("sssp", *arguments, "--sources", "random:60", "--engine", "cpu"))

    def test_roads(self):
        for sources in ("random:3", "random:1000"):
            self.assert_as_on_the_cpu("sssp", self.NEW_YORK, "--sources", sources)
            self.assert_as_on_the_cpu("bfs", self.NEW_YORK, "--sources", sources)

    def test_sources_without_edges_and_twice(self):
        path = self.file("g.wel", "0 1 2\n1 2 2\n2 3 2\n5 5 1\n")
        for command in ("bfs", "sssp"):
            for sources in ((2, 0, 2), (5,), (4, 5), (0, 1, 2, 3, 4, 5), (3, 5)):
                names = [word for source in sources for word in ("--source", source)]
                with self.subTest(command=command, sources=sources):
                    self.assert_as_on_the_cpu(command, path, "--undirected", *names)

    def test_distances_of_64_bits(self):
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))
        self.assert_as_on_the_cpu("sssp", many, "--source", 0, "--source", 5)

    def test_engine(self):
        for command, graph, words in (("bfs", "kron:12", "none (resident, one GPU)"), ("sssp", "kron:12", "none (resident, one GPU)")):
            search = self.facts(command, graph, "--nearest", "--sources", "random:20", *ON_ONE_GPU)["search"]
            self.assertEqual((search["engine"], search["transport"]), ("gpu", words))
        outcome = self.good("bfs", "kron:12", "--nearest", "--sources", "random:20", "--validate", *ON_ONE_GPU)
        self.assertRegex(outcome.out, "20 sources [0-9]+ reached, depth .*, valid")
        self.assertNotIn("host-driven", outcome.err)

    def test_smallest_parents_are_left_to_the_hosts(self):
        for command in ("bfs", "sssp"):
            search = self.facts(command, "kron:12", "--nearest", "--sources", "random:20", "--deterministic", "--validate", *ON_ONE_GPU)["search"]
            self.assertNotIn("resident", search["transport"])

    def test_what_is_refused(self):
        message = self.fails(BAD_INPUT, "sssp", "kron:8", "--nearest", "--sources", "random:2", "--algorithm", "adaptive")
        self.assertIn("--algorithm adaptive: --nearest is not for the algorithms of papers", message)
        message = self.fails(RESOURCES, "bfs", "kron:8", "--nearest", "--sources", "random:2", "--engine", "gpu", "--transport", "mpi")
        self.assertIn("--nearest is not for searches with messages between GPUs", message)

    def test_several_ranks(self):
        """The hosts drive the GPUs."""
        for command, code in (("bfs", RESOURCES), ("sssp", BAD_INPUT)):
            expected = self.nearest(command, "kron:12", "--sources", "random:60", "--engine", "cpu")
            self.assertEqual(self.nearest(command, "kron:12", "--sources", "random:60", *ON_ONE_GPU, ranks=2), expected)
            message = self.fails(code, command, "kron:8", "--nearest", "--sources", "random:2", "--engine", "gpu", "--transport", "mpi", ranks=2)
            self.assertIn("--nearest is not for searches on several GPUs alone", message)


if __name__ == "__main__":
    unittest.main()
