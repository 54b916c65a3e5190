"""BFS on one and several GPUs as users run it, by every engine and transport, compared with the
CPU."""

import random
import unittest

from driver import DATA, RESOURCES, Graph, check_result, read_csv
from gpu_driver import GPUS, OVER_MPI, RANKS, GpuTest


class Bfs(GpuTest):
    def test_shapes(self):
        for graph, source in (("path:3000", 0), ("grid:60x60", 77), ("star:70000", 5), ("kron:13", 3)):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", source, ranks=ranks)

    def test_few_vertices(self):
        for graph in ("path:1", "random:40,1"):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", 0, ranks=ranks)

    def test_against_a_queue(self):
        graph = Graph(60, [(v % 53 + 1, v * v % 53 + 1) for v in range(120)], False, first=1)
        path = self.file("g.gr", f"p sp 60 {len(graph.edges)}\n" + "".join(f"a {u} {v} 1\n" for u, v in graph.edges))
        for source in (1, 5, 60):
            for ranks in RANKS:
                check_result(self, graph, source, self.result(path, "--undirected", "--source", source, "--engine", "gpu", ranks=ranks))

    def test_deterministic_parents(self):
        for graph in ("kron:12", "grid:60x70"):
            expected = self.result(graph, "--source", 7, "--deterministic", "--engine", "cpu")
            for ranks in RANKS:
                self.assertEqual(self.result(graph, "--source", 7, "--deterministic", "--engine", "gpu", ranks=ranks), expected)

    def test_path(self):
        for ranks in RANKS:
            outcome = self.good("bfs", "grid:1x6", "--source", 4, "--target", 1, "--quiet", "--engine", "gpu", ranks=ranks)
            self.assertEqual(outcome.out, "path of 3 edges: 4 3 2 1\n")

    def test_several_sources_and_directions(self):
        for direction in ("auto", "top-down", "bottom-up"):
            for ranks in RANKS:
                outcome = self.good("bfs", "kron:12", "--sources", "random:10", "--validate", "--direction", direction, "--engine", "gpu", ranks=ranks)
                self.assertEqual(outcome.out.count(", valid\n"), 10)

    def test_cutoff(self):
        for graph in ("kron:12", "rmat:12,directed=1", "path:700", "grid:200x200"):
            for ranks in RANKS:
                for cutoff in (0, 1, 2, 30):
                    with self.subTest(graph=graph, ranks=ranks, cutoff=cutoff):
                        found = [self.result(graph, "--source", 77, "--cutoff", cutoff, "--engine", engine, ranks=count) for engine, count in (("cpu", 1), ("gpu", ranks))]
                        self.assertEqual(*([row[:2] for row in rows] for rows in found))
        facts = [self.facts("bfs", "grid:300x300", "--sources", "random:20", "--cutoff", 100, "--engine", engine) for engine in ("cpu", "gpu")]
        self.assertIn("near-far", facts[1]["search"]["transport"])
        self.assertEqual(*([(search["reached"], search["depth"], [level["frontier"] for level in search["levels"]]) for search in one["searches"]] for one in facts))
        facts = [self.facts("bfs", "kron:12", "--source", 77, "--cutoff", 3, "--engine", engine) for engine in ("cpu", "gpu")]
        self.assertEqual(*([level["frontier"] for level in one["searches"][0]["levels"]] for one in facts))

    def test_less_shared_memory(self):
        for kib in (99, 163):
            for graph, options in (("kron:16", ()), ("rmat:16,directed=1", ()), ("grid:300x300", ("--direction", "top-down"))):
                with self.subTest(graph=graph, kib=kib):
                    on_cpu = self.result(graph, "--source", 77, "--engine", "cpu")
                    on_gpu = self.result(graph, "--source", 77, "--engine", "gpu", "--validate", *options, env={"WAYFRONT_SHARED_MEMORY_KIB": str(kib)})
                    self.assertEqual([row[:2] for row in on_gpu], [row[:2] for row in on_cpu])
        outcome = self.good("bfs", "kron:10", "--source", 3, "--engine", "gpu", env={"WAYFRONT_SHARED_MEMORY_KIB": "64"})
        self.assert_one_note(outcome, "not every GPU has the 99 KiB of shared memory per thread block")

    def test_sources_without_edges_in_one_direction(self):
        """In a long directed path, with many sources."""
        path = self.file("path.el", "".join(f"{v} {v + 1}\n" for v in range(3000)))
        for engine in ("cpu", "gpu"):
            searches = self.facts("bfs", path, "--directed", "--sources", self.file("s.txt", " ".join(map(str, range(2981, 3001)))), "--engine", engine)["searches"]
            self.assertEqual([[level["frontier"] for level in search["levels"]] for search in searches], [[1] * (3001 - v) for v in range(2981, 3001)])

    def test_facts(self):
        for graph in ("kron:12", "path:500"):
            facts = self.facts("bfs", graph, "--sources", "random:3", "--engine", "gpu")
            self.assertEqual(facts["search"]["engine"], "gpu")
            for search in facts["searches"]:
                self.assertEqual(sum(level["frontier"] for level in search["levels"]), search["reached"])
                self.assertEqual(len(search["levels"]), search["depth"] + 1)

    def test_graphs_of_large_diameter_have_no_levels(self):
        """On one GPU and with many sources. A direction or a transport that is asked for searches by levels."""
        for graph, options, transport in (("grid:300x300", (), "near-far"), ("ring:5000", (), "near-far"), ("kron:12", (), "resident"),
                                          ("grid:300x300", ("--direction", "top-down"), "resident"), ("grid:300x300", ("--transport", "mpi"), "stepped")):
            self.assertIn(transport, self.many_searches(graph, "--engine", "gpu", *options)["search"]["transport"], (graph, options))
        self.assertIn("resident", self.facts("bfs", "grid:300x300", "--source", 7, "--engine", "gpu")["search"]["transport"])
        self.assertIn("near-far", self.good("graph500", "grid:200x200", "--keys", 4, "--engine", "gpu").out)

    def test_graphs_of_large_diameter_against_the_cpu(self):
        edges = [(5 * v, 5 * v + 5) for v in range(300)]  # a path of every fifth vertex, pairs, and lone vertices
        edges += [(5 * v + 1, 5 * v + 2) for v in range(300)] + [(0, 0), (10, 15), (15, 10)]
        many = self.file("g.el", "".join(f"{u} {v}\n" for u, v in edges))
        sources = self.file("sources.txt", "".join(f"{v}\n" for v in (0, 1, 3, 4, 1495, 1500, *range(10, 20))))
        for graph, chosen in (("grid:300x300", ("--sources", "random:20")), (many, ("--undirected", "--sources", sources))):
            for options in ((), ("--deterministic",)):
                found = {}
                for engine in ("cpu", "gpu"):
                    output = self.folder / engine / "out.csv"
                    output.parent.mkdir(exist_ok=True)
                    facts = self.facts("bfs", graph, *chosen, *options, "-o", output, "--engine", engine)
                    columns = 3 if options else 2
                    found[engine] = [[row[:columns] for row in read_csv(path)] for path in sorted(output.parent.iterdir())]
                self.assertIn("near-far", facts["search"]["transport"])
                self.assertGreaterEqual(len(found["gpu"]), 16)
                self.assertEqual(found["gpu"], found["cpu"], (graph, options))

    def test_long_paths_and_many_arcs_a_vertex(self):
        """Near-far searches such graphs, too, if they can be divided."""
        band = self.file("band.wel", "".join(f"{v} {v + step} {1 + (7 * v + step) % 9}\n" for v in range(30000) for step in range(1, 7)))
        # Each vertex has eight arcs to the next of 300 layers, which are wider than a part of the graph.
        layers = self.file("layers.wel", "".join(f"{400 * layer + v} {400 * (layer + 1) + (131 * v + 37 * k * (layer + 1)) % 400} {1 + v % 5}\n"
                                                 for layer in range(299) for v in range(400) for k in range(8)))
        many = ("--undirected", "--sources", "random:400", "--engine", "gpu")  # the division pays, also by one thread
        for graph, transport, algorithm in ((band, "near-far", "near-far on the GPU (long paths)"), (layers, "resident", "push-pull on the GPU")):
            self.assertIn(transport, self.facts("bfs", graph, *many)["search"]["transport"])
            self.assertIn(algorithm, self.facts("sssp", graph, *many)["search"]["algorithm"])
            for command, value in (("bfs", "level"), ("sssp", "distance")):
                found = []
                for engine in ("cpu", "gpu"):
                    output = self.folder / "out.csv"
                    self.good(command, graph, "--undirected", "--source", 5, "--validate", "-o", output, "--engine", engine)
                    found.append([row[:2] for row in read_csv(output, value)])
                self.assertEqual(*found, (command, graph))

    def test_deep_graphs_of_small_levels(self):
        """Near-far cannot divide a random graph, and a single block searches the levels of the paths that begin in it."""
        rng = random.Random(1)
        edges = [(v, rng.randrange(v)) for v in range(1, 12000) for _ in range(3)]
        edges += [(v - 1 if v % 100 else v // 100, v) for v in range(12000, 22000)]  # 100 paths of 100 vertices
        graph = self.file("whiskers.el", "".join(f"{u} {v}\n" for u, v in edges))
        self.assert_as_on_the_cpu(graph, "--undirected", "--source", 50)
        search = self.facts("bfs", graph, "--undirected", "--sources", "random:20", "--engine", "gpu")
        self.assertIn("resident", search["search"]["transport"])
        self.assertGreater(max(each["depth"] for each in search["searches"]), 100)

    def test_dense_parts_that_few_edges_join(self):
        """After a switch to bottom-up in vain, and in tails, levels are searched top-down."""
        cliques = [(c * 100 + a, c * 100 + b) for c in range(4) for a in range(100) for b in range(a)] + [(c * 100, c * 100 - 1) for c in range(1, 4)]
        tail = [(399 + v, 400 + v) for v in range(500)]
        graph = self.file("cliques.el", "".join(f"{u} {v}\n" for u, v in cliques + tail))
        self.assert_as_on_the_cpu(graph, "--undirected", "--source", 50)
        levels = self.facts("bfs", graph, "--undirected", "--source", 50, "--engine", "gpu")["searches"][0]["levels"]
        self.assertLessEqual(sum(level["direction"] == "bottom-up" for level in levels), 2)

    def test_auto_starts_a_gpu_if_that_pays(self):
        for arguments, engine in ((("grid:300x300", "--source", 3), "cpu"), (("grid:300x300", "--sources", "random:150"), "gpu"),
                                  (("kron:18", "--sources", "random:50"), "cpu")):
            self.assertEqual(self.facts("bfs", *arguments)["search"]["engine"], engine)

    def many_searches(self, graph, *options):
        facts = self.facts("bfs", graph, "--sources", "random:20", "--validate", *options)
        for search in facts["searches"]:
            self.assertEqual(sum(level["frontier"] for level in search["levels"]), search["reached"])
            self.assertEqual(len(search["levels"]), search["depth"] + 1)
        return facts


class RealGraphs(GpuTest):
    """Cut-outs of real graphs with every engine and transport; ranks share GPUs if there are fewer
    GPUs. The sources are in the largest component."""

    ENRON = (DATA / "enron.txt", "--source", 5)
    GNUTELLA = (DATA / "gnutella.txt.zst", "--source", 0)
    NEW_YORK = (DATA / "new-york.gr.gz", "--source", 641)
    NORTH_EAST = (DATA / "north-east.gr.xz", "--source", 2508)  # this graph is undirected already

    def test_a_gpu_for_each_rank(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.assert_as_on_the_cpu(*self.NEW_YORK, "--undirected", ranks=ranks)

    def test_a_whole_road_network(self):
        self.assert_as_on_the_cpu(DATA / "USA-road-d.NY.gr.gz", "--undirected", "--source", 1000)

    def test_levels_driven_by_the_host(self):
        for graph, grid, ranks, direction in ((self.ENRON, "1x2", 2, "bottom-up"), (self.NEW_YORK, "2x1", 2, "auto"),
                                              (self.GNUTELLA, "2x2", 4, "auto"), (self.GNUTELLA, "1x4", 4, "top-down"),
                                              (self.NORTH_EAST, "4x1", 4, "bottom-up")):
            with self.subTest(graph=graph, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, "--undirected", ranks=ranks,
                                          engine=("--engine", "gpu", "--transport", "host", "--grid", grid, "--direction", direction))

    def test_directed(self):
        for ranks in RANKS:
            for graph in (self.GNUTELLA, self.NEW_YORK, self.ENRON, ("rmat:14,directed=1", "--source", 77), ("random:40000,300000,directed=1", "--source", 5)):
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(*graph, ranks=ranks)
                    self.assert_as_on_the_cpu(*graph, ranks=ranks, engine=("--engine", "gpu", "--direction", "bottom-up"))
        for graph, grid, ranks, direction in ((self.GNUTELLA, "1x1", 1, "auto"), (self.GNUTELLA, "2x1", 2, "bottom-up"),
                                              (self.NEW_YORK, "1x2", 2, "top-down"), (self.ENRON, "2x2", 4, "auto")):
            with self.subTest(graph=graph, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, ranks=ranks, engine=("--engine", "gpu", "--transport", "host", "--grid", grid, "--direction", direction))

    def test_messages_and_each_others_memory(self):
        for graph, transport, ranks, direction in ((self.GNUTELLA, "mpi", 2, "bottom-up"), (self.NORTH_EAST, "mpi", 4, "auto"),
                                                   (self.ENRON, "mpi", 4, "top-down"), (self.GNUTELLA, "p2p", 2, "auto"),
                                                   (self.ENRON, "p2p", 4, "bottom-up"), (self.GNUTELLA, "nccl", 2, "top-down"),
                                                   (self.NEW_YORK, "nccl", 2, "auto")):
            if transport == "nccl" and GPUS < ranks:
                continue  # nccl needs a GPU for each rank
            with self.subTest(graph=graph, transport=transport, ranks=ranks, direction=direction):
                self.assert_as_on_the_cpu(*graph, "--undirected", ranks=ranks,
                                          engine=("--engine", "gpu", "--transport", transport, "--direction", direction))

    def test_shared_with_the_cpu(self):
        for graph, share, grid, ranks, direction in ((self.GNUTELLA, 0.1, "1x1", 1, "auto"), (self.NORTH_EAST, 0.5, "2x1", 2, "top-down"),
                                                     (self.GNUTELLA, 0.5, "1x2", 2, "bottom-up"), (self.GNUTELLA, 0.1, "2x2", 4, "top-down"),
                                                     (self.ENRON, 0.5, "2x2", 4, "auto")):
            with self.subTest(graph=graph, share=share, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, ranks=ranks,
                                          engine=("--engine", "split", "--cpu-share", share, "--grid", grid, "--direction", direction))


class HostLoop(GpuTest):
    """Host-driven searches: with graphs and options that on-GPU searches do not support, and with
    --transport host."""

    BY_HAND = ("--engine", "gpu", "--transport", "host")

    def test_directed_graphs_and_cutoffs(self):
        graph = Graph(60, [(v % 53, v * v % 53) for v in range(120)], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v in graph.edges) + "59 59\n")
        for ranks in (1, 2):
            check_result(self, graph, 5, self.result(path, "--source", 5, *self.BY_HAND, ranks=ranks))
        rows = self.result("ring:9", "--source", 0, "--cutoff", 2, *self.BY_HAND)
        self.assertEqual([level for _, level, _ in rows], [0, 1, 2, -1, -1, -1, -1, 2, 1])

    def test_one_rank_by_hand(self):
        for graph, source in (("path:700", 0), ("star:70000", 5), ("kron:16", 3), ("path:1", 0), ("random:40,1", 0)):
            with self.subTest(graph=graph):
                self.assert_as_on_the_cpu(graph, "--source", source, engine=self.BY_HAND)

    def test_facts(self):
        search = self.facts("bfs", "kron:12", "--sources", "random:3", *self.BY_HAND)["search"]
        self.assertEqual((search["engine"], search["transport"]), ("gpu", "none (host-driven, one rank)"))
        self.assertGreater(min(search["graph_bytes"], search["state_bytes"]), 0)
        search = self.facts("bfs", "kron:12", "--source", 3, "--transport", "host", ranks=2)["search"]
        self.assertEqual((search["engine"], search["transport"]), ("gpu", "host (messages over mpi)"))

    def test_graph500(self):
        options = ("--scale", 14, "--keys", 8)
        expected = self.searches(*options, "--engine", "cpu")
        for more in ((), ("--no-validate",), ("--direction", "bottom-up")):
            self.assertEqual(self.searches(*options, *self.BY_HAND, *more), expected)

    def test_overlap(self):
        trace = self.folder / "trace.json"
        for overlap, stretches in (("on", True), ("auto", False)):
            self.good("graph500", "--scale", 24, "--keys", 1, "--no-validate", "--direction", "bottom-up", *self.BY_HAND, "--overlap", overlap, "--trace",
                      trace)  # of 2^23 slots and more
            names = {span["name"] for span in self.spans(trace)}
            self.assertEqual("stretch search" in names, stretches, overlap)

    def test_deterministic_parents(self):
        expected = self.result("kron:12", "--source", 7, "--deterministic", "--engine", "cpu")
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", *self.BY_HAND), expected)
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", "--engine", "gpu", "--grid", "1x2", ranks=2), expected)

    def test_grids(self):
        for grid, ranks in (("1x2", 2), ("2x1", 2), ("2x2", 4), ("4x1", 4)):
            with self.subTest(grid=grid):
                self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=ranks, engine=(*self.BY_HAND, "--grid", grid))

    def test_ranks_share_a_gpu(self):
        self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=GPUS + 1, engine=self.BY_HAND)
        outcome = self.good("bfs", "kron:10", "--source", 3, *self.BY_HAND, ranks=GPUS + 1)
        self.assertIn("wayfront: warning: up to 2 ranks share a GPU", outcome.err)
        self.assertNotIn("note: ", outcome.err)


class Transports(GpuTest):
    """The transports of on-GPU searches: the one that was chosen, or the first one that is
    possible."""


    def test_grids_of_several_columns(self):
        expected = self.searches("--scale", 14, "--keys", 4, "--engine", "cpu")
        for transport in ("p2p", "nccl", "mpi"):
            for grid, ranks in (("1x2", 2), ("2x2", 4), ("2x3", 6)):
                if transport == "nccl" and ranks > GPUS:
                    continue
                engine = ("--engine", "gpu", "--transport", transport, "--grid", grid)
                for graph, source in (("path:100", 0), ("star:7000", 5), ("kron:14", 3), ("rmat:13,directed=1", 3), ("path:1", 0)):
                    with self.subTest(graph=graph, transport=transport, grid=grid):
                        self.assert_as_on_the_cpu(graph, "--source", source, ranks=ranks, engine=engine)
                with self.subTest(transport=transport, grid=grid):
                    self.assertEqual(self.searches("--scale", 14, "--keys", 4, *engine, ranks=ranks), expected)
                    search = self.facts("bfs", "rmat:12,directed=1", "--source", 3, *engine, ranks=ranks)["search"]
                    self.assertEqual((search["engine"], search["exchange"], search["grid"]), ("gpu", "messages", grid))
                    self.assertRegex(search["transport"], rf"^{transport} \(grid")

    def test_a_grid_of_one_row(self):
        """In an undirected graph, the GPUs have the edges that they have in a grid of one column."""
        kernels = (("--scale", 12, "--keys", 2, "--kernel", "both"), ("--scale", 12, "--keys", 2, "--kernel", "sssp"),
                   ("grid:30x30", "--keys", 2, "--kernel", "bfs"))
        for command in (("bfs", "kron:12", "--source", 3), ("sssp", "kron:12", "--source", 3), ("sssp", "grid:30x30", "--weights", "float", "--source", 3),
                        *(("graph500", *kernel) for kernel in kernels)):
            for transport in ("p2p", "mpi"):
                with self.subTest(command=command, transport=transport):
                    outcome = self.good(*command, "--engine", "gpu", "--transport", transport, "--grid", "1x2", ranks=2)
                    self.assert_one_note(outcome, "--grid 1x2: in an undirected graph, each GPU has the same edges as with 2x1, and searches as with that")
                    reports = [self.facts(*command, "--engine", "gpu", "--transport", transport, "--grid", grid, ranks=2)["search"] for grid in ("1x2", "2x1")]
                    self.assertEqual(*([report[key] for key in ("grid", "transport", "graph_bytes")] for report in reports))

    def test_grids_and_options(self):
        graph, grid = "rmat:12,directed=1", ("--engine", "gpu", "--grid", "1x2")
        expected = self.result(graph, "--source", 7, "--deterministic", "--engine", "cpu")
        self.assertEqual(self.result(graph, "--source", 7, "--deterministic", *grid, ranks=2), expected)
        for cutoff in (0, 2):
            found = [self.result(graph, "--source", 7, "--cutoff", cutoff, *engine, ranks=ranks) for engine, ranks in ((("--engine", "cpu"), 1), (grid, 2))]
            self.assertEqual(*([row[:2] for row in rows] for rows in found))
        facts = [self.facts("bfs", graph, "--source", 77, *engine, ranks=ranks) for engine, ranks in ((("--engine", "cpu"), 1), (grid, 2))]
        self.assertEqual(*([level["frontier"] for level in one["searches"][0]["levels"]] for one in facts))

    def test_one_rank(self):
        self.assertEqual(self.facts("bfs", "ring:9", "--source", 0, "--transport", "p2p")["search"]["transport"], "none (resident, one GPU)")
        expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
        for transport in ("nccl", "mpi"):
            stepped = ("--engine", "gpu", "--transport", transport)
            for graph, source in (("path:300", 0), ("star:70000", 5), ("kron:16", 3), ("path:1", 0), ("random:40,1", 0)):
                with self.subTest(graph=graph, transport=transport):
                    self.assert_as_on_the_cpu(graph, "--source", source, engine=stepped)
            facts = self.facts("graph500", "--scale", 14, "--keys", 8, *stepped)
            self.assertEqual(facts["search"]["transport"], "none (stepped, one GPU)")
            self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], expected)

    def test_mpi_if_ranks_share_a_gpu(self):
        over_mpi = ("--engine", "gpu", "--transport", "mpi")
        for graph, source in (("path:300", 0), ("star:70000", 5), ("kron:14", 3), ("path:1", 0)):
            with self.subTest(graph=graph):
                self.assert_as_on_the_cpu(graph, "--source", source, ranks=GPUS + 1, engine=over_mpi)
        search = self.facts("bfs", "kron:12", "--source", 3, "--transport", "mpi", ranks=GPUS + 1)["search"]
        self.assertRegex(search["transport"], OVER_MPI)
        self.assertEqual((search["engine"], search["exchange"], search["grid"]), ("gpu", "messages", f"{GPUS + 1}x1"))
        expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
        for more in ((), ("--no-validate",), ("--direction", "top-down"), ("--direction", "bottom-up")):
            with self.subTest(options=more):
                self.assertEqual(self.searches("--scale", 14, "--keys", 8, *over_mpi, *more, ranks=GPUS + 1), expected)
        expected = self.result("kron:12", "--source", 7, "--deterministic", "--engine", "cpu")
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", *over_mpi, ranks=GPUS + 1), expected)

    def test_p2p_if_ranks_share_a_gpu(self):
        over_memory = ("--engine", "gpu", "--transport", "p2p")
        expected = self.searches("--scale", 14, "--keys", 2, "--engine", "cpu")
        for ranks in sorted({ranks for ranks in (GPUS + 1, 4, 8) if ranks <= 8}):
            with self.subTest(ranks=ranks):
                self.assert_as_on_the_cpu("kron:14", "--source", 3, ranks=ranks, engine=over_memory)
                self.assertEqual(self.searches("--scale", 14, "--keys", 2, *over_memory, ranks=ranks), expected)
        outcome = self.good("bfs", "kron:10", "--source", 3, *over_memory, ranks=min(GPUS + 1, 8))
        if GPUS < 8:
            self.assertIn("wayfront: warning: up to 2 ranks share a GPU, and take turns in every level", outcome.err)

    def test_the_first_that_is_possible(self):
        outcome = self.good("bfs", "kron:10", "--source", 3, "--validate", "--engine", "gpu", ranks=GPUS + 1)
        self.assert_one_note(outcome, "several ranks share a GPU: searches exchange over MPI")
        self.assertIn("wayfront: warning: up to 2 ranks share a GPU", outcome.err)
        search = self.facts("graph500", "--scale", 10, "--keys", 2, "--engine", "gpu", ranks=GPUS + 1)["search"]
        self.assertRegex(search["transport"], OVER_MPI)
        quiet = self.good("bfs", "kron:10", "--source", 3, "--engine", "gpu", "--quiet", ranks=GPUS + 1)
        self.assertNotIn("wayfront: ", quiet.err)

    def test_only_the_engine_that_searches_is_reported(self):
        outcome = self.good("sssp", "rmat:8,directed=1", "--weights", "unit", "--source", 0, "--engine", "gpu", "--grid", f"1x{GPUS + 1}", ranks=GPUS + 1)
        self.assert_one_note(outcome, "P x 1 grid")
        self.assertIn("the search is host-driven", outcome.err)

    def test_a_shared_gpu_is_in_the_way_of_others(self):
        many = ("grid:300x300", "--sources", "random:300")  # for which GPUs would pay
        outcome = self.good("bfs", *many, ranks=GPUS + 1)
        self.assertIn("cpu engine", outcome.out)
        self.assert_one_note(outcome, "the search runs on the CPU, not on the GPU: ")
        message = self.fails(RESOURCES, "bfs", "kron:10", "--source", 3, "--transport", "p2p", ranks=9)
        self.assertIn("--transport p2p: at most 8 GPUs search together", message)
        message = self.fails(RESOURCES, "bfs", "kron:10", "--source", 3, "--transport", "nccl", ranks=GPUS + 1)
        self.assertIn("--transport nccl: several ranks share a GPU", message)


class Split(GpuTest):
    def test_shares(self):
        for share in (0, 0.1, 0.5, 1):
            with self.subTest(share=share):
                facts = self.facts("bfs", "kron:14", "--sources", "random:2", "--validate", "--engine", "split", "--cpu-share", share)
                self.assertEqual(facts["search"]["engine"], f"split:{share}")
                self.assertEqual(facts["search"]["transport"], "none (host-driven, one rank)")
                self.assertEqual([search["validated"] for search in facts["searches"]], [True, True])

    def test_as_on_the_cpu(self):
        for grid, ranks in (("1x1", 1), ("2x2", 4)):
            for share in (0.1, 0.5):
                with self.subTest(grid=grid, share=share):
                    self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=ranks,
                                              engine=("--engine", "split", "--cpu-share", share, "--grid", grid))

    def test_a_share_that_is_found_by_trying(self):
        for more in ((), ("--cpu-share", "auto")):
            facts = self.facts("graph500", "--scale", 14, "--keys", 8, "--engine", "split", *more)
            self.assertRegex(facts["search"]["engine"], r"^split:(0|1|0\.\d+)$")
            self.assertGreater(facts["search"]["trial_searches"], 16)
            expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
            self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], expected)

    def test_directed_graphs_and_smallest_parents(self):
        graph = Graph(60, [(v % 53, v * v % 53) for v in range(120)], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v in graph.edges) + "59 59\n")
        rows = self.result(path, "--source", 5, "--engine", "split", "--cpu-share", 0.5, "--deterministic", ranks=2)
        check_result(self, graph, 5, rows)
        self.assertEqual({v: parent for v, _, parent in rows if parent >= 0}, graph.smallest_parents(5))


if __name__ == "__main__":
    unittest.main()
