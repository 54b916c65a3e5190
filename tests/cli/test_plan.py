"""plan from outside: what it says of jobs, and whether jobs do send what it counts."""

import json
import statistics
import unittest

from driver import BAD_INPUT, RESOURCES, DriverTest


class Plan(DriverTest):
    def plan(self, *arguments):
        file = self.folder / "plan.json"
        self.good("plan", *arguments, "--json", file)
        return json.loads(file.read_text())

    def test_quiet(self):
        """The plan is the result."""
        shown, quiet = (self.good("plan", "kron:10", *options).out for options in ((), ("--quiet",)))
        self.assertEqual(quiet, shown)
        self.assertIn("GTEPS", shown)

    def received(self, graph, source, ranks, grid):
        """[steps, bytes] of each rank in each level of a search, and behind the last one, as its trace states them."""
        file = self.folder / "trace.json"
        self.good("bfs", graph, "--source", source, "--engine", "cpu", "--grid", grid, "--trace", file, ranks=ranks)
        levels, results = {}, [[0, 0] for _ in range(ranks)]
        for event in json.loads(file.read_text())["traceEvents"]:
            received = [event["args"].get("steps", 0), event["args"].get("bytes", 0)]
            if event["name"] == "level":
                levels.setdefault(event["args"]["level"], [None] * ranks)[event["pid"]] = received
            if event["name"] == "output" and "level" not in event["args"]:
                results[event["pid"]] = received
        return {"levels": [levels[level] for level in sorted(levels)], "results": results}

    def test_messages_are_those_of_the_job(self):
        for graph, source in (("kron:11", 7), ("grid:20x20", 33), ("rmat:10,directed=1", 5)):
            for ranks, grid in ((1, "1x1"), (2, "2x1"), (2, "1x2"), (4, "2x2"), (6, "2x3"), (9, "3x3"), (16, "4x4"), (16, "8x2")):
                with self.subTest(graph=graph, grid=grid):
                    planned = self.plan(graph, "--source", source, "--ranks", ranks, "--ranks-per-host", ranks, "--grid", grid)
                    self.assertEqual(planned["messages"], self.received(graph, source, ranks, grid))

    def test_messages_of_shortest_paths_are_those_of_the_job(self):
        """Over several columns, where ranks of one host do not share distances, what a round finds does not depend on the order of its work."""
        file = self.folder / "trace.json"
        for graph, options, source in (("kron:11", (), 7), ("grid:20x20", ("--weights", "uniform:1..9"), 33), ("rmat:10,directed=1", ("--weights", "float"), 5)):
            for ranks, grid in ((2, "1x2"), (4, "2x2"), (6, "2x3"), (9, "3x3")):
                with self.subTest(graph=graph, grid=grid):
                    planned = self.plan(graph, *options, "--for", "sssp", "--source", source, "--ranks", ranks, "--grid", grid)["messages"]
                    self.good("sssp", graph, *options, "--source", source, "--engine", "cpu", "--grid", grid, "--trace", file, ranks=ranks)
                    rounds = [[[0, 0] for _ in range(ranks)] for _ in planned["levels"]]
                    for event in json.loads(file.read_text())["traceEvents"]:
                        if event["name"] in ("counts", "expand", "refresh", "fold"):
                            of_rank = rounds[event["args"].get("level", 0)][event["pid"]]
                            of_rank[0] += event["args"].get("steps", 0)
                            of_rank[1] += event["args"].get("bytes", 0)
                    self.assertEqual(planned, {"levels": rounds, "results": []})

    def test_a_plan_in_words(self):
        outcome = self.good("plan", "kron:31", "--ranks", 8, "--gpu", "h200")
        self.assertRegex(outcome.out, r"graph +kron:31: 2147483648 vertices, 34359738368 edges, 86\d{7} vertices with edges\n")
        self.assertRegex(outcome.out, r"ranks +8 on 1 host, an H200 each\n")
        self.assertRegex(outcome.out, r"search +[34]\.\d+ ms \(3\.\d* ms to \d[.\d]* ms\)\n")
        self.assertIn("limited by", outcome.out)
        self.assertNotIn("partitions", outcome.out)

    def test_a_plan_as_json(self):
        planned = self.plan("kron:31", "--ranks", 8, "--gpu", "h200")
        self.assertIsNone(planned["obstacle"])
        search = planned["search"]
        self.assertLess(search["least_seconds"], search["seconds"])
        self.assertLess(search["seconds"], search["most_seconds"])
        parts = ("work_seconds", "latency_seconds", "inside_hosts_seconds", "between_hosts_seconds", "result_seconds")
        self.assertAlmostEqual(sum(search[part] for part in parts), search["seconds"], places=9)
        # Eight H200 of one host took 4.27 ms with an older program (bench/results/gpu-scale31-8.json).
        self.assertAlmostEqual(search["seconds"], 4.27e-3, delta=0.15 * 4.27e-3)
        self.assertEqual([phase["phase"] for phase in planned["memory"]], ["construction", "searches"])

    def test_partitions_are_compared(self):
        planned = self.plan("kron:36", "--ranks", 4096, "--cores", 24, "--network", "cpu-nodes", "--designs")
        self.assertEqual({design["scheme"] for design in planned["designs"]}, {"2D", "rotation", "1.5D"})
        seconds = [design["search"]["seconds"] for design in planned["designs"]]
        self.assertEqual(seconds, sorted(seconds))
        best = planned["designs"][0]
        self.assertEqual(best["scheme"], "1.5D")
        self.assertEqual({design["listed_hubs"] for design in best["tried"] if design["hubs"] == 2**26}, {2**20, 2**22, 2**24, 2**26})
        self.assertEqual(best["search"]["seconds"], min(design["seconds"] for design in best["tried"]))

    def test_partitions_of_loaded_graphs_are_compared(self):
        """Their searches are counted, and are about those of the mean; there are no hubs in directed graphs."""
        cluster = ("--ranks", 16, "--gpu", "h200", "--network", "infiniband-400", "--designs")
        counted, in_mean = self.plan("kron:16", *cluster, "--source", 5), self.plan("kron:16", *cluster)
        seconds = [{design["scheme"]: design["search"]["seconds"] for design in planned["designs"]} for planned in (counted, in_mean)]
        self.assertEqual(set(seconds[0]), {"2D", "rotation", "1.5D"})
        for scheme, of_mean in seconds[1].items():
            self.assertAlmostEqual(seconds[0][scheme] / of_mean, 1, delta=0.35)
        hubs = next(design for design in counted["designs"] if design["scheme"] == "1.5D")
        self.assertEqual(hubs["rank_bytes"], min(design["rank_bytes"] for design in hubs["tried"] if design["hubs"] == hubs["hubs"]))
        directed = self.plan("random:1000,4000,directed=1", "--ranks", 4, "--designs")
        self.assertEqual({design["scheme"] for design in directed["designs"]}, {"2D", "rotation"})

    def test_partitions_of_shortest_paths_are_compared(self):
        """Followed in the mean, on any number of ranks."""
        planned = self.plan("kron:34", "--for", "sssp", "--ranks", 1024, "--cores", 24, "--designs")
        self.assertEqual([design["scheme"] for design in planned["designs"]], ["1.5D", "2D", "2D"])
        self.assertEqual({design["listed_hubs"] == design["hubs"] for design in planned["designs"][0]["tried"]}, {True})
        twice = planned["twice_the_graph_and_ranks"]
        self.assertGreater(twice["seconds"], planned["search"]["seconds"])
        # Windows are narrower in larger graphs, so that there are more of them.
        small = self.plan("kron:20", "--for", "sssp", "--ranks", 1024)
        self.assertGreater(planned["search"]["levels"], small["search"]["levels"] + 10)

    def test_methods_of_one_rank(self):
        """Of paths and rings, and graphs of small degree; several ranks would search by another method, which is not timed."""
        for graph, *options in (("path:100000", "--weights", "float"), ("ring:70000", "--weights", "float"), ("random:65536,32768",),
                                ("random:100000,50000", "--weights", "uniform:1..9"), ("grid:90x90", "--weights", "uniform:1..9")):
            with self.subTest(graph=graph):
                planned = self.plan(graph, *options, "--for", "sssp")
                self.assertGreater(planned["search"]["seconds"], 0)
                self.assertNotIn("twice_the_ranks", planned)
                self.assertIn("twice_the_ranks", self.plan(graph, *options, "--for", "sssp", "--ranks", 2))

    def test_weights_of_few_values_are_counted(self):
        """They have windows of many equal distances, which the mean of continuous weights does not describe."""
        graph = ("random:70000,1400000", "--for", "sssp", "--ranks", 4)
        rounds = {weights: self.plan(*graph, "--weights", weights)["search"]["levels"] for weights in ("uniform:0..1", "float")}
        self.assertLess(rounds["uniform:0..1"], rounds["float"] / 2)

    def test_all_pairs_in_the_memory_of_a_host(self):
        """The fastest method that fits comes first; without one, the job cannot run."""
        job = ("random:2000,8000,directed=1", "--weights", "uniform:0..100", "--for", "apsp")
        small = self.plan(*job, "--host-memory", 0.02)["all_pairs"]
        self.assertEqual([each["fits"] for each in small], sorted((each["fits"] for each in small), reverse=True))
        self.assertFalse(small[-1]["fits"])
        self.assertIn("the memory of a host does not suffice", self.fails(RESOURCES, "plan", *job, "--host-memory", 0.0005))

    def test_a_grid_of_the_job_is_compared(self):
        for ranks, grid in ((9, "3x3"), (12, "4x3")):
            with self.subTest(ranks=ranks):
                planned = self.plan("kron:20", "--ranks", ranks, "--designs")
                tried = {design["grid"] for compared in planned["designs"] for design in compared["tried"] if design["scheme"] == "2D"}
                self.assertIn(grid, tried)

    def test_kernel_3_in_one_dimension_needs_all_distances(self):
        planned = self.plan("kron:40", "--for", "sssp", "--ranks", 8192, "--gpu", "h100", "--designs")
        bytes_of = {design["grid"]: design["rank_bytes"] for design in planned["designs"] if design["scheme"] == "2D"}
        self.assertGreater(bytes_of["8192x1"], 8 * planned["graph"]["connected_vertices"])
        self.assertGreater(bytes_of["8192x1"], 10 * bytes_of["64x128"])

    def test_steps_add_up_to_levels(self):
        """For each design, whether levels are known by classes or counted. Cores have no fixed latency of levels."""
        cores = ("--ranks", 256, "--network", "cpu-nodes")
        by_classes, counted = self.plan("kron:34", *cores, "--grid", "16x16", "--designs"), self.plan("grid:40x40", *cores, "--grid", "16x16", "--source", 9)
        for search in (by_classes, *by_classes["designs"], counted):
            for level in search["levels"]:
                self.assertAlmostEqual(sum(step["seconds"] for step in level["steps"]), level["message_seconds"], places=12)
                self.assertAlmostEqual(sum(step["received_bytes"] for step in level["steps"]), level["received_bytes"])
        kinds = {(step["collective"], step["group"]) for step in next(level for level in by_classes["levels"] if level["direction"] == "bottom-up")["steps"]}
        self.assertEqual(kinds, {("all-gather", "world"), ("all-gather", "column"), ("all-gather", "row"), ("all-to-all", "row")})
        hubs = by_classes["designs"][0]
        self.assertEqual((hubs["scheme"], {step["group"] for level in hubs["levels"] for step in level["steps"]}), ("1.5D", {"world"}))
        # Behind the last level, leaves ask once for the ends of their arcs; blocks are asked for parents.
        self.assertEqual([step["collective"] for step in hubs["result"]["steps"]], ["all-to-all"])
        self.assertEqual([(step["collective"], step["group"]) for step in by_classes["result"]["steps"]], [("all-to-all", "row")] * 4)
        # The slowest rank's bytes, which are no less than those of any rank in one level.
        most = [max(received for _, received in ranks) for ranks in counted["messages"]["levels"]]
        for level, of_any_rank in zip(counted["levels"], most):
            self.assertGreaterEqual(level["received_bytes"], of_any_rank)

    def test_jobs_that_cannot_run(self):
        for arguments, words in (
            (("kron:34", "--ranks", 8, "--grid", "8x1"), "does not fit 32-bit indices"),
            (("kron:31", "--ranks", 2, "--gpu", "h100"), "the memory of a GPU does not suffice for construction, which takes .*; "
             "7 ranks, cores in place of GPUs with 1.5 TiB of memory in each host or scale 29 would do"),
            (("kron:29", "--ranks", 1, "--gpu", "h100"),
             "the memory of a GPU .*; 2 ranks, H200 GPUs, cores in place of GPUs with .* in each host or scale 28 would do"),
            (("kron:32,ef=1", "--ranks", 8, "--gpu", "h200"), "searches on GPUs have at most 2\\^31 vertices; .*scale 31 would do"),
            (("kron:26", "--ranks", 2, "--host-memory", 24), "the memory of a host does not suffice for construction, .*; [0-9]+ ranks or scale 25 would do"),
            (("random:1000000,4000000", "--for", "apsp", "--gpu", "h100"),
             "the memory of a GPU does not suffice for matrix, which takes 3.6 TiB; [0-9]+ ranks, .* or a graph like this one of 125000 vertices would do"),
        ):
            with self.subTest(arguments=arguments):
                self.assertRegex(self.fails(RESOURCES, "plan", *arguments), words)

    def test_faults(self):
        network = self.folder / "network.json"
        network.write_text('{"wayfront_network": 1, "ranks_per_host": 2, "inside": {"gigabytes_per_second": -1, "step_microseconds": 1}, "between": {}}')
        for arguments, words in (
            (("kron:20", "--ranks", 0), "--ranks: expected a whole number from 1"),
            (("nosuch.txt",), "nosuch.txt"),
            (("kron:20", "--gpu", "a100"), "--gpu: expected h100 or h200, found 'a100'"),
            (("kron:20", "--gpu", "h100", "--cores", 8), "--cores: a rank has a GPU"),
            (("kron:20", "--ranks", 4, "--grid", "3x2"), "--grid: 3x2 has 6 ranks, but --ranks is 4"),
            (("kron:20", "--network", "nosuch"), "--network: 'nosuch' is neither a file that can be read nor a known network"),
            (("kron:20", "--network", network), '"inside": "gigabytes_per_second" must be a number'),
            (("grid:9x9", "--for", "graph500"), "--for graph500: the benchmark searches a Kronecker graph"),
            (("kron:20", "--for", "dfs"), "--for: expected bfs, graph500, sssp or apsp, found 'dfs'"),
            (("kron:8", "--source", 256), "--source"),
            (("kron:10", "--designs", "--for", "sssp"), "--designs: compares searches for shortest paths in graphs of kron: or random: of more than 2^16"),
            (("random:10,0", "--ranks", 8, "--designs"), "--designs: there is nothing to search in random:10,0"),
            (("path:1", "--for", "sssp", "--designs"), "--designs: there is nothing to search in path:1"),
            (("kron:10", "--for", "apsp", "--source", 1), "--source: has no meaning for all pairs"),
            (("kron:10", "--designs", "--for", "apsp"), "--designs: compares partitions of searches"),
            (("grid:9x9", "--ranks", 5000), "--ranks: searches of a graph that is loaded are counted on at most 4096 ranks"),
            (("kron:8", "--weights", "unit"), "--weights: has a meaning for shortest paths (--for sssp or apsp)"),
            (("kron:8", "--kernel", "sssp"), "--kernel: has a meaning for --for graph500"),
            (("kron:8", "--for", "graph500", "--kernel", "both"), "--kernel: expected bfs or sssp, found 'both'"),
            (("kron:20", "--transport", "nccl"), "--transport: has a meaning for GPUs"),
            (("kron:20", "--gpu", "h100", "--host-memory", 64), "--host-memory: is checked for ranks of cores"),
            (("kron:8", "--source", 1, "--keys", 3), "--keys: has no meaning with --source"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.fails(BAD_INPUT, "plan", *arguments))
        self.assertIn("plan runs on one rank, but 2 were started", self.fails(BAD_INPUT, "plan", "kron:20", ranks=2))

    def test_the_network_file_stays(self):
        file = self.file("network.json", json.dumps({"wayfront_network": 1, "ranks_per_host": 2, "inside": {"gigabytes_per_second": 1, "step_microseconds": 1},
                                                     "between": {"gigabytes_per_second": 1, "step_microseconds": 1}}))
        self.assertIn("--network", self.fails(BAD_INPUT, "plan", "kron:10", "--ranks", 2, "--network", file, "--json", file))
        self.assertEqual(self.plan("kron:10", "--ranks", 4, "--network", file)["cluster"]["hosts"], 2)

    def test_the_engine_of_gpus_counts(self):
        """Over NCCL a level takes more time, whether a graph is known by classes or counted."""
        for graph in ("kron:16",), ("kron:16", "--source", 7):
            seconds = {transport: self.plan(*graph, "--ranks", 4, "--gpu", "h200", "--transport", transport)["search"]["seconds"] for transport in ("p2p", "nccl")}
            self.assertGreater(seconds["nccl"], 1.5 * seconds["p2p"])

    def test_extreme_graphs(self):
        for graph in ("random:1000000000,1", "kron:1", "random:30,400", "random:1000000,4000000,directed=1"):
            with self.subTest(graph=graph):
                self.assertGreater(self.plan(graph, "--ranks", 3)["search"]["seconds"], 0)

    def test_an_obstacle_is_said_with_designs(self):
        outcome = self.good("plan", "kron:34", "--ranks", 64, "--gpu", "h100", "--designs")
        self.assertIn("obstacle      searches on GPUs have at most 2^31 vertices", outcome.out)

    def test_graphs_without_edges(self):
        for graph in ("random:5,0", "path:1"):
            with self.subTest(graph=graph):
                self.assertNotIn("search ", self.good("plan", graph, "--ranks", 2).out)

    def test_other_work(self):
        searches = self.plan("kron:20", "--for", "sssp", "--ranks", 4, "--grid", "2x2")
        self.assertEqual({level["direction"] for level in searches["levels"]}, {"push", "pull"})
        self.assertNotIn("search", self.plan("grid:40x40", "--for", "sssp", "--weights", "uniform:1..9", "--ranks", 512))

    def test_graph500_has_two_kernels(self):
        for kernel, kinds in (("bfs", {"top-down", "bottom-up"}), ("sssp", {"push", "pull"})):
            with self.subTest(kernel=kernel):
                planned = self.plan("kron:24", "--for", "graph500", "--kernel", kernel, "--ranks", 2, "--gpu", "h200")
                self.assertEqual(planned["kernel"], kernel)
                self.assertEqual({level["direction"] for level in planned["levels"]}, kinds)
                self.assertEqual(planned["benchmark"], {"searches": 64, "search_seconds": 64 * planned["search"]["seconds"],
                                                        "construction_seconds": planned["construction_seconds"]})
        self.assertNotIn("benchmark", self.plan("kron:24"))

    def test_all_pairs_by_each_method(self):
        """The first method is the one that a job on one rank with as many threads names. One with other roundings has to be four times as fast."""
        for graph, *options in (("random:2000,8000",), ("grid:60x60", "--weights", "uniform:1..100"), ("kron:9",)):
            with self.subTest(graph=graph):
                methods = self.plan(graph, *options, "--for", "apsp", "--ranks", 1, "--cores", 2)["all_pairs"]
                compared = [each["seconds"] * (4 if each["other_roundings"] else 1) for each in methods]
                self.assertEqual(compared, sorted(compared))
                chosen = self.good("apsp", graph, *options, "--threads", 2, "--engine", "cpu").out
                self.assertIn(f"by {methods[0]['method']}, since it is the fastest", chosen)
                more = self.plan(graph, *options, "--for", "apsp", "--ranks", 8, "--cores", 2)["all_pairs"]
                of_two = {each["method"]: each["seconds"] for each in methods}
                of_sixteen = {each["method"]: each["seconds"] for each in more if each["method"] in of_two}
                self.assertIn("floyd-warshall", of_sixteen)
                for method, seconds in of_sixteen.items():
                    self.assertLess(seconds, of_two[method], method)
        self.assertEqual([each["method"] for each in self.plan("kron:22", "--for", "apsp", "--ranks", 64)["all_pairs"]], ["floyd-warshall"])
        self.assertIn("only Floyd-Warshall's algorithm is planned", self.good("plan", "kron:22", "--for", "apsp", "--ranks", 64).out)

    def test_ranks_differ_in_searches_that_are_counted(self):
        planned = self.plan("kron:12", "--source", 3, "--ranks", 16, "--grid", "4x4", "--ranks-per-host", 4)
        for level, ranks in zip(planned["levels"], planned["messages"]["levels"]):
            received = [bytes_ for _, bytes_ in ranks]
            self.assertEqual(level["received"], {"mean": statistics.mean(received), "most": max(received)})
            self.assertLessEqual(level["arcs"]["mean"], level["arcs"]["most"])
            self.assertLess(level["received_between_bytes"], level["received_bytes"])
        # A grid row is a host.
        one_host = self.plan("kron:12", "--source", 3, "--ranks", 4, "--grid", "2x2", "--ranks-per-host", 4)
        self.assertEqual({level["received_between_bytes"] for level in one_host["levels"]}, {0})


if __name__ == "__main__":
    unittest.main()
