"""Shortest paths on a GPU as users run them, compared with the CPU."""

import unittest

from driver import BAD_INPUT, DATA, RESOURCES, WRONG_RESULT
from gpu_driver import OVER_MPI, GpuTest


class Sssp(GpuTest):
    """Shortest paths on one GPU have the same distances as on the CPU, and valid parents."""

    NEW_YORK = DATA / "USA-road-d.NY.gr.gz"  # directed, whole weights

    def distances(self, *arguments, **options):
        output = self.folder / "out.csv"
        self.good("sssp", *arguments, "-o", output, "--quiet", **options)
        return [line.split(",")[:2] for line in output.read_text().splitlines()]

    def assert_as_on_the_cpu(self, *arguments):
        valid = () if "--cutoff" in arguments else ("--validate",)
        self.assertEqual(self.distances(*arguments, "--engine", "gpu", *valid), self.distances(*arguments, "--engine", "cpu"))

    def test_whole_weights(self):
        for graph, weights, source in (("kron:14", "uniform:1..255", 3), ("kron:14", "uniform:0..3", 3), ("kron:13", "unit", 3), ("grid:60x60", "uniform:1..100", 77),
                                       ("path:3000", "uniform:1..9", 0), ("star:70000", "uniform:1..1000000", 5), ("random:40,1", "unit", 0), ("path:1", "unit", 0)):
            with self.subTest(graph=graph, weights=weights):
                self.assert_as_on_the_cpu(graph, "--weights", weights, "--source", source)

    def test_floats(self):
        for graph, weights, source in (("kron:14", None, 3), ("rmat:13,permute=0", "float", 3), ("grid:60x60", "lognormal:2,1", 77), ("path:3000", "float", 0),
                                       ("star:70000", "float", 5)):
            with self.subTest(graph=graph, weights=weights):
                self.assert_as_on_the_cpu(graph, *(("--weights", weights) if weights else ()), "--source", source)

    def test_real_graphs(self):
        self.assert_as_on_the_cpu(self.NEW_YORK, "--source", 1)
        self.assert_as_on_the_cpu(self.NEW_YORK, "--undirected", "--source", 264346)
        self.assert_as_on_the_cpu(DATA / "enron.txt", "--undirected", "--weights", "uniform:1..255", "--source", 5)
        self.assert_as_on_the_cpu(DATA / "gnutella.txt.zst", "--weights", "float", "--source", 0)

    def test_largest_weights(self):
        one = self.file("one.wel", "0 1 4294967294\n2 3 1\n")
        self.assert_as_on_the_cpu(one, "--undirected", "--source", 0)
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))  # distances of more than 32 bits
        self.assert_as_on_the_cpu(many, "--source", 0)

    def test_cutoff(self):
        for graph, weights, cutoff in (("kron:13", "uniform:1..255", 40), ("kron:13", "float", 0.25), ("grid:60x60", "uniform:1..9", 0), ("grid:60x60", "uniform:1..9", 70.5)):
            with self.subTest(graph=graph, weights=weights, cutoff=cutoff):
                self.assert_as_on_the_cpu(graph, "--weights", weights, "--source", 77, "--cutoff", cutoff)

    def test_target(self):
        path = self.file("g.wel", "0 1 0.5\n1 2 0.25\n0 2 9\n3 0 1\n")
        for target, out in ((2, "path of length 0.75, 2 edges: 0 1 2\n"), (3, "no path from 0 to 3\n")):
            self.assertEqual(self.good("sssp", path, "--source", 0, "--target", target, "--quiet", "--engine", "gpu").out, out)
        outcomes = [self.good("sssp", self.NEW_YORK, "--source", 1, "--target", 264346, "--quiet", "--engine", engine).out for engine in ("cpu", "gpu")]
        lengths = [out.split(",")[0] for out in outcomes]
        self.assertEqual(lengths[0], lengths[1])

    def test_several_sources_and_windows(self):
        for options in ((), ("--delta", 0.001), ("--delta", 0.05), ("--delta", 1000)):
            outcome = self.good("sssp", "kron:12", "--sources", "random:10", "--validate", "--engine", "gpu", *options)
            self.assertEqual(outcome.out.count(", valid\n"), 10)

    def test_facts(self):
        facts = self.facts("sssp", "kron:16", "--sources", "random:3", "--validate", "--engine", "gpu")
        search = facts["search"]
        self.assertEqual((search["engine"], search["transport"], search["weights"]), ("gpu", "none (resident, one GPU)", "float32"))
        self.assertGreater(min(search["graph_bytes"], search["state_bytes"]), 0)
        self.assertIn("push-pull on the GPU", search["algorithm"])
        for one in facts["searches"]:
            self.assertGreater(one["pulled_arcs"], 0)
            self.assertLess(one["relaxed_arcs"] + one["pulled_arcs"], 2 * facts["graph"]["edges"])

    def test_near_far(self):
        roads = (self.NEW_YORK, "--source", 1)
        for search, options in ((roads, ()), (roads, ("--delta", 3000)), (("kron:12", "--source", 3), ()), (("path:1", "--weights", "unit", "--source", 0), ())):
            on_gpu = self.distances(*search, *options, "--algorithm", "near-far", "--validate")
            self.assertEqual(on_gpu, self.distances(*search, "--engine", "cpu"))
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))  # distances of more than 32 bits
        for arguments in ((many, "--undirected", "--source", 0, "--validate"), ("grid:60x60", "--weights", "uniform:1..9", "--source", 7, "--cutoff", 70)):
            self.assertEqual(self.distances(*arguments, "--algorithm", "near-far"), self.distances(*arguments, "--engine", "cpu"))
        self.assertIn("near-far on the GPU", self.facts("sssp", "kron:12", "--source", 3, "--algorithm", "near-far")["search"]["algorithm"])
        self.assertIn("--algorithm near-far: the graph cannot be divided", self.fails(RESOURCES, "sssp", "kron:20", "--source", 3, "--algorithm", "near-far"))

    def test_roads_that_do_not_fit_shared_memory(self):
        """They are divided if enough searches follow; distances are then in device memory."""
        grid = ("grid:2000x2000", "--engine", "gpu")
        weights = ("--weights", "uniform:1..9")
        few = self.facts("sssp", *grid, *weights, "--sources", "random:2")
        self.assertIn("push-pull on the GPU", few["search"]["algorithm"])
        many = self.facts("sssp", *grid, *weights, "--sources", "random:256")
        self.assertIn("near-far on the GPU, distances in device memory", many["search"]["algorithm"])
        self.assertIn("near-far", self.facts("bfs", *grid, "--sources", "random:256")["search"]["transport"])
        self.assertNotIn("near-far", self.facts("bfs", *grid, "--sources", "random:64")["search"]["transport"])
        divided = self.distances(*grid, *weights, "--source", 7, "--algorithm", "near-far")
        self.assertEqual(divided, self.distances(*grid, *weights, "--source", 7))

    def test_auto(self):
        many = ("kron:16", "--threads", 1, "--sources", "random:1000")  # the GPU's start pays
        for arguments in (many, (*many, "--deterministic")):
            self.assertEqual(self.facts("sssp", *arguments)["search"]["engine"], "gpu", arguments)
        for arguments in ((self.NEW_YORK, "--source", 1), ("kron:16", "--source", 3), (*many, "--precision", "double")):
            self.assertEqual(self.facts("sssp", *arguments)["search"]["engine"], "cpu", arguments)

    def test_what_the_gpu_refuses(self):
        for ranks in (1, 2):
            message = self.fails(BAD_INPUT, "sssp", "kron:8", "--algorithm", "dijkstra", "--source", 0, "--engine", "gpu", ranks=ranks)
            self.assertIn("--engine gpu: --algorithm dijkstra runs on the CPU", message)

    def test_what_the_host_drives(self):
        negative = self.file("negative.wel", "0 1 4\n1 2 -3\n")
        floats = self.file("floats.wel", "0 1 4.5\n1 2 -3.25\n")
        wide = self.file("wide.wel", "0 1 5000000000\n")
        for arguments, note in (((negative,), "has negative weights"), ((floats,), "has negative weights"), ((wide,), "have 64 bits"), (("kron:8", "--precision", "double"), "have 64 bits"),
                                (("kron:8", "--deterministic"), ""), (("kron:8", "--algorithm", "delta-stepping"), "")):
            with self.subTest(arguments=arguments):
                outcome = self.good("sssp", *arguments, "--source", 0, "--validate", "--engine", "gpu")
                self.assertIn(note, outcome.err)
                self.assertIn("gpu engine", outcome.out)

    def test_graph500(self):
        options = ("graph500", "--scale", 14, "--keys", 8, "--kernel", "sssp")
        on_gpu, counted, on_cpu = (self.facts(*options, *more) for more in (("--engine", "gpu"), ("--engine", "gpu", "--no-validate"), ("--engine", "cpu")))
        self.assertEqual((on_gpu["search"]["engine"], on_gpu["validated"], on_gpu["constructed_on"]), ("gpu", True, "gpu"))
        self.assertEqual((on_gpu["search"]["list_order"], on_cpu["constructed_on"]), ("by weight", "cpu"))
        self.assertIn("push-pull on the GPU", on_gpu["search"]["sssp_algorithm"])
        self.assertGreater(min(on_gpu["search"]["graph_bytes"], on_gpu["construction_peak_bytes_per_edge"]), 0)
        same = lambda facts: [(search["key"], search["edges"]) for search in facts["sssp"]["searches"]]
        self.assertEqual(same(on_gpu), same(on_cpu))
        self.assertEqual(same(counted), same(on_cpu))

    def test_graph500_both_kernels(self):
        facts = self.facts("graph500", "--scale", 13, "--edgefactor", 8, "--keys", 8, "--kernel", "both", "--engine", "gpu")
        same = lambda kernel: [(search["key"], search["edges"]) for search in facts[kernel]["searches"]]
        self.assertEqual(same("bfs"), same("sssp"))
        self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))
        search = facts["search"]
        self.assertEqual((search["engine"], search["sssp_engine"], search["sssp_device"]), ("gpu", "gpu", search["device"]))

    def test_graph500_both_kernels_on_the_engines_that_suit(self):
        slow = ("--threads", 1, "--keys", 64, "--no-validate")  # so that the GPU's start pays for shortest paths
        search = self.facts("graph500", "--scale", 18, *slow, "--kernel", "both")["search"]
        self.assertEqual((search["engine"], search["sssp_engine"]), ("cpu", "gpu"))
        self.assertNotIn("device", search)
        self.assertTrue(search["sssp_device"])

    def test_graph500_by_other_methods(self):
        """The hosts construct the graph for them."""
        facts = self.facts("graph500", "kron:10", "--algorithm", "selection", "--keys", 4, "--kernel", "sssp", "--engine", "gpu")
        self.assertEqual((facts["search"]["engine"], facts["validated"], facts["constructed_on"]), ("gpu", True, "cpu"))

    def test_graph500_too_large(self):
        message = self.fails(RESOURCES, "graph500", "--scale", 31, "--kernel", "sssp", "--engine", "gpu")
        self.assertIn("--engine gpu: not enough GPU memory: kron:31 with 34359738368 edges and weights over 1 rank needs ", message)
        self.assertIn(" would do", message)


class SsspOverRanks(GpuTest):
    """Searches of several ranks, which share GPUs if there are fewer, and then exchange messages. The hosts drive those in grids of several columns,
    except for undirected graphs in grids of one row, and what one GPU does not search on its own."""

    GRIDS = ((1, "1x1"), (2, "2x1"), (2, "1x2"), (3, "3x1"), (4, "2x2"))

    def result(self, *arguments, **options):
        output = self.folder / "out.csv"
        self.good("sssp", *arguments, "-o", output, "--quiet", **options)
        return [line.split(",") for line in output.read_text().splitlines()]

    def assert_as_on_the_cpu(self, *arguments, valid=("--validate",)):
        on_cpu = [row[:2] for row in self.result(*arguments, "--engine", "cpu")]
        for ranks, grid in self.GRIDS:
            with self.subTest(arguments=arguments, grid=grid):
                on_gpus = self.result(*arguments, "--engine", "gpu", "--grid", grid, *valid, ranks=ranks)
                self.assertEqual([row[:2] for row in on_gpus], on_cpu)

    def test_weights_of_all_types(self):
        for weights in (("--weights", "uniform:1..255"), ("--weights", "float"), ("--weights", "float", "--precision", "double")):
            self.assert_as_on_the_cpu("kron:11", *weights, "--source", 3)
        wide = self.file("wide.wel", "0 1 5000000000\n1 2 0\n2 0 7\n2 3 5000000000\n")
        self.assert_as_on_the_cpu(wide, "--source", 0)
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))  # distances of more than 32 bits
        self.assert_as_on_the_cpu(many, "--source", 0)

    def test_algorithms(self):
        for algorithm in ("push-pull", "delta-stepping", "bellman-ford"):
            self.assert_as_on_the_cpu("rmat:10", "--weights", "uniform:0..20", "--source", 3, "--algorithm", algorithm)
            self.assert_as_on_the_cpu("rmat:10", "--weights", "float", "--source", 3, "--algorithm", algorithm, "--cutoff", 0.5, valid=())

    def test_directed_roads(self):
        self.assert_as_on_the_cpu(DATA / "new-york.gr.gz", "--source", 641)

    def test_negative_weights(self):
        negative = self.file("negative.wel", "0 1 4\n1 2 -3\n0 2 2\n2 3 5\n")
        self.assert_as_on_the_cpu(negative, "--source", 0)
        cycle = self.file("cycle.wel", "0 1 4\n1 2 -3\n2 1 2\n")
        for ranks, grid in self.GRIDS:
            self.assertIn("negative", self.fails(WRONG_RESULT, "sssp", cycle, "--source", 0, "--engine", "gpu", "--grid", grid, ranks=ranks))

    def test_deterministic(self):
        for graph, weights in (("kron:10", "uniform:0..3"), ("kron:10", "float"), ("rmat:10,directed=1", "uniform:0..9")):
            arguments = (graph, "--weights", weights, "--source", 3, "--deterministic")
            expected = self.result(*arguments, "--engine", "cpu")
            for ranks, grid in self.GRIDS:
                self.assertEqual(self.result(*arguments, "--engine", "gpu", "--grid", grid, ranks=ranks), expected, (graph, weights, grid))
        roads = ("grid:30x30", "--weights", "uniform:0..3", "--source", 7, "--deterministic", "--cutoff", 20)
        self.assertEqual(self.result(*roads, "--engine", "gpu", "--algorithm", "near-far"), self.result(*roads, "--engine", "cpu"))
        search = self.facts("sssp", *roads, "--engine", "gpu")["search"]
        self.assertEqual(search["transport"], "none (resident, one GPU)")

    def test_facts(self):
        for algorithm, words in (("push-pull", "push-pull in windows"), ("delta-stepping", "delta-stepping with buckets")):
            options = ("--algorithm", algorithm, "--grid", "1x2", "--engine", "gpu")
            search = self.facts("sssp", "rmat:12,directed=1", "--sources", "random:3", "--validate", *options, ranks=2)["search"]
            self.assertEqual(search["engine"], "gpu")
            self.assertRegex(search["transport"], r"^(nccl \(grid\)|mpi \(grid, (staged|host memory|device memory)\))$")
            self.assertGreater(min(search["graph_bytes"], search["state_bytes"]), 0)
            self.assertIn(words, search["algorithm"])

    def test_messages(self):
        for arguments in (("kron:13", "--weights", "uniform:0..255"), ("kron:13", "--weights", "float"), ("rmat:12,directed=1", "--weights", "float"),
                          ("grid:40x40", "--weights", "uniform:1..9"), ("kron:12", "--weights", "uniform:1..9", "--cutoff", 7), ("star:5000", "--weights", "float")):
            on_cpu = [row[:2] for row in self.result(*arguments, "--source", 3, "--engine", "cpu")]
            for ranks in (2, 3):
                with self.subTest(arguments=arguments, ranks=ranks):
                    valid = () if "--cutoff" in arguments else ("--validate",)
                    over = ("--engine", "gpu", "--transport", "mpi")
                    on_gpus = self.result(*arguments, "--source", 3, *over, *valid, ranks=ranks)
                    self.assertEqual([row[:2] for row in on_gpus], on_cpu)
                    facts = self.facts("sssp", *arguments, "--source", 3, *over, ranks=ranks)["search"]
                    self.assertRegex(facts["transport"], OVER_MPI)
                    self.assertIn(f"push-pull on {ranks} GPUs that exchange messages", facts["algorithm"])

    def test_largest_weights_over_messages(self):
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))  # distances of more than 32 bits
        on_cpu = self.result(many, "--source", 0, "--engine", "cpu")
        self.assertEqual(self.result(many, "--source", 0, "--engine", "gpu", "--transport", "mpi", ranks=2), on_cpu)

    def test_more_ranks_than_peers(self):
        on_cpu = [row[:2] for row in self.result("kron:12", "--source", 3, "--engine", "cpu")]
        over = ("--engine", "gpu", "--transport", "mpi", "--threads", 1)
        self.assertEqual([row[:2] for row in self.result("kron:12", "--source", 3, *over, "--validate", ranks=9)], on_cpu)

    def test_host_driven_searches(self):
        for ranks in (1, 2):
            search = self.facts("sssp", "kron:12", "--source", 3, "--validate", "--engine", "gpu", "--transport", "host", ranks=ranks)["search"]
            self.assertRegex(search["transport"], r"grid")
            message = self.fails(BAD_INPUT, "sssp", "kron:8", "--source", 0, "--algorithm", "near-far", "--transport", "host", ranks=ranks)
            self.assertIn("--transport host: --algorithm near-far runs on one GPU alone" if ranks == 1 else "runs on one GPU, but 2 ranks", message)
        self.good("sssp", "path:20000", "--weights", "uniform:1..9", "--source", 3, "--validate", "--engine", "gpu", "--transport", "host")

    def test_graph500_both_kernels_over_messages(self):
        for ranks in (2, 3):
            facts = self.facts("graph500", "--scale", 13, "--keys", 4, "--kernel", "both", "--engine", "gpu", "--transport", "mpi", ranks=ranks)
            same = lambda kernel: [(search["key"], search["edges"]) for search in facts[kernel]["searches"]]
            self.assertEqual(same("bfs"), same("sssp"))
            self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))
            self.assertRegex(facts["search"]["transport"], OVER_MPI)

    def test_what_several_ranks_refuse(self):
        message = self.fails(BAD_INPUT, "sssp", "kron:8", "--source", 0, "--engine", "gpu", "--transport", "mpi", "--deterministic", ranks=2)
        self.assertIn("--transport mpi: --deterministic is not for searches on GPUs alone", message)
        message = self.fails(BAD_INPUT, "sssp", "kron:8", "--source", 0, "--algorithm", "adaptive", "--engine", "gpu", ranks=2)
        self.assertIn("--algorithm adaptive: runs on one GPU, but 2 ranks were started", message)

    def test_graph500(self):
        options = ("graph500", "--scale", 10, "--keys", 4, "--kernel", "sssp")
        on_gpus, on_cpu = (self.facts(*options, "--engine", engine, ranks=2) for engine in ("gpu", "cpu"))
        self.assertEqual((on_gpus["search"]["engine"], on_gpus["validated"]), ("gpu", True))
        same = lambda facts: [(search["key"], search["edges"]) for search in facts["sssp"]["searches"]]
        self.assertEqual(same(on_gpus), same(on_cpu))


class SsspOnTwoGpus(GpuTest):
    """Two GPUs of a host that search together."""

    GPUS_WANTED = 2

    def test_graph500(self):
        options = ("graph500", "--scale", 16, "--keys", 8, "--kernel", "sssp")
        on_cpu = self.facts(*options, "--engine", "cpu")
        for engine in ("gpu", "auto"):
            facts = self.facts(*options, "--engine", engine, ranks=2)
            search = facts["search"]
            self.assertEqual((search["engine"], search["transport"], search["grid"]), ("gpu", "p2p (resident)", "2x1"))
            self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))
            self.assertEqual(*([(found["key"], found["edges"]) for found in each["sssp"]["searches"]] for each in (facts, on_cpu)))

    def test_transports(self):
        options = ("graph500", "--scale", 16, "--keys", 8, "--kernel", "sssp")
        same = lambda facts: [(search["key"], search["edges"]) for search in facts["sssp"]["searches"]]
        on_cpu = self.facts(*options, "--engine", "cpu")
        for transport, told in (("p2p", r"p2p \(resident\)"), ("nccl", r"nccl \(stepped\)"), ("mpi", OVER_MPI)):
            with self.subTest(transport=transport):
                facts = self.facts(*options, "--engine", "gpu", "--transport", transport, ranks=2)
                self.assertRegex(facts["search"]["transport"], told)
                self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))
                self.assertEqual(same(facts), same(on_cpu))

    def test_both_kernels(self):
        facts = self.facts("graph500", "--scale", 14, "--keys", 4, "--kernel", "both", "--engine", "gpu", ranks=2)
        self.assertEqual((facts["constructed_on"], len(facts["bfs"]["searches"]), len(facts["sssp"]["searches"])), ("gpu", 4, 4))

    def test_results(self):
        output = self.folder / "out.csv"
        for arguments in (("kron:12", "--weights", "uniform:0..255"), ("kron:12", "--weights", "float"), ("grid:40x40", "--weights", "uniform:1..9"),
                          ("rmat:13,directed=1", "--weights", "float"), (DATA / "new-york.gr.gz",)):
            distances = []
            for engine, ranks in (("cpu", 1), ("gpu", 2)):
                facts = self.facts("sssp", *arguments, "--source", 3, "--validate", "--engine", engine, "-o", output, ranks=ranks)
                distances.append([line.split(",")[:2] for line in output.read_text().splitlines()])
            self.assertEqual(*distances)
            self.assertEqual(facts["search"]["transport"], "p2p (resident)")
            self.assertIn("push-pull on 2 GPUs", facts["search"]["algorithm"])

    def test_what_the_hosts_drive(self):
        outcome = self.good("sssp", "rmat:10,directed=1", "--grid", "1x2", "--source", 3, "--validate", "--engine", "gpu", ranks=2)
        self.assertIn("P x 1 grid", outcome.err)


if __name__ == "__main__":
    unittest.main()
