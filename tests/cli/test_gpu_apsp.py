"""All pairs on GPUs as users run them, compared with the CPU."""

import json
import math
import random
import unittest

from driver import BAD_INPUT, GOOD, RESOURCES, WRONG_RESULT, run
from gpu_driver import GpuTest
from test_apsp import read_npy


class Apsp(GpuTest):
    """All pairs on GPUs equal those of the CPU byte for byte, if sums are not rounded in another
    order."""

    GRAPHS = (("random:300,1200", "uniform:1..n"), ("grid:17x19", "uniform:0..9"), ("star:400", "uniform:1..1000000"), ("ring:129", "unit"), ("complete:65", "uniform:1..99"),
              ("random:40,1", "unit"), ("path:1", "unit"))

    def matrix(self, *arguments, ranks=1):
        """The output, and the summary without sums, which may be rounded in another order."""
        output = self.folder / "out.npy"
        facts = self.facts("apsp", *arguments, "-o", output, "--quiet", ranks=ranks)
        self.assertEqual(facts["search"]["engine"], "gpu" if "gpu" in arguments else "cpu")
        return output.read_bytes(), {name: value for name, value in facts["summary"].items() if not name.startswith(("average", "closeness"))}

    def test_methods(self):
        for graph, weights in self.GRAPHS:
            expected = self.matrix(graph, "--weights", weights, "--engine", "cpu", "--algorithm", "dijkstra")
            for algorithm in ("auto", "elimination", "block", "push-pull", "combined", "floyd-warshall", "batched", "batched-unshared", "iterated"):
                if algorithm == "push-pull" and weights == "unit":
                    continue  # these count as no weights
                with self.subTest(graph=graph, weights=weights, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--weights", weights, "--engine", "gpu", "--algorithm", algorithm, "--validate"), expected)

    def test_targets(self):
        for graph, weights in (("random:300,1200", "uniform:1..n"), ("grid:17x19", "uniform:0..9")):
            written = []
            for engine, algorithm in (("cpu", "dijkstra"), ("gpu", "elimination"), ("gpu", "block"), ("gpu", "push-pull"), ("gpu", "combined"), ("gpu", "floyd-warshall")):
                output = self.folder / "out.npy"
                self.good("apsp", graph, "--weights", weights, "--targets", "random:7", "-o", output, "--engine", engine, "--algorithm", algorithm)
                written.append(output.read_bytes())
                self.assertEqual(written[0], written[-1], (graph, algorithm))

    def test_auto_chooses_the_engine(self):
        """The cores take seconds for the larger graph, by estimate; less if they compute."""
        large = ("apsp", "random:6000,24000", "--weights", "uniform:1..6000", "--threads", 1)
        for arguments, engine in (((*large,), "gpu"), ((*large, "--algorithm", "dijkstra"), "cpu"), ((*large, "--engine", "cpu"), "cpu"),
                                  ((*large, "--checkpoint", self.folder / "c"), "cpu"), (("apsp", "random:100,400", "--weights", "uniform:1..9"), "cpu")):
            with self.subTest(arguments=arguments):
                facts = self.facts(*arguments, "--quiet", "--summary")
                self.assertEqual(facts["search"]["engine"], engine)
                if arguments[:len(large)] == large:
                    summary = facts["summary"]
                    expected = summary if engine == "gpu" else expected
                    self.assertEqual(summary, expected)

    def test_floats(self):
        for graph in ("random:300,1200", "grid:17x19", "star:400"):
            expected = self.matrix(graph, "--weights", "float", "--engine", "cpu", "--algorithm", "dijkstra")
            for algorithm in ("block", "push-pull", "batched", "batched-unshared", "iterated"):
                with self.subTest(graph=graph, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--weights", "float", "--engine", "gpu", "--algorithm", algorithm), expected)
            self.good("apsp", graph, "--weights", "float", "--engine", "gpu", "--algorithm", "floyd-warshall", "--validate")

    def test_numbers_of_edges(self):
        for graph in ("random:3000,9000", "grid:17x19", "star:400", "path:1500", "rmat:10"):
            expected = self.matrix(graph, "--engine", "cpu")
            for algorithm in ("auto", "bit-parallel", "block"):
                with self.subTest(graph=graph, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--engine", "gpu", "--algorithm", algorithm, "--validate"), expected)

    def test_more_vertices_than_fit_shared_memory(self):
        """Distances of searches by a block are in device memory; there are more sources than blocks."""
        for graph, weights in (("random:70000,300000", "uniform:1..255"), ("grid:300x300", "float"), ("rmat:17", "uniform:1..255")):
            search = ("apsp", graph, "--weights", weights, "--engine", "gpu", "--algorithm", "block", "--quiet", "--summary")
            with self.subTest(graph=graph):
                facts = self.facts(*search, "--sources", "random:300", "--validate")
                self.assertIn("distances in device memory", facts["search"]["description"])
                expected = self.facts("apsp", graph, "--weights", weights, "--engine", "cpu", "--sources", "random:4", "--quiet", "--summary")
                for ranks in (1, 2):
                    found = self.facts(*search, "--sources", "random:4", ranks=ranks)
                    self.assertEqual(found["summary"]["eccentricities"], expected["summary"]["eccentricities"])

    def test_ranks_count_numbers_of_edges_together(self):
        """Summaries are equal in every figure."""
        options = ("--algorithm", "bit-parallel", "--quiet", "--summary")
        for graph, sources in (("random:3000,15000", ()), ("path:1500", ()), ("star:400", ()), ("random:40,1", ()), ("rmat:10", ()),
                               ("random:3000,15000", ("--sources", "random:2000")), ("random:3000,15000", ("--sources", "random:7"))):
            expected = self.facts("apsp", graph, *sources, *options, "--engine", "cpu")["summary"]
            for ranks in (1, 2, 3):
                with self.subTest(graph=graph, sources=sources, ranks=ranks):
                    self.assertEqual(self.facts("apsp", graph, *sources, *options, "--engine", "gpu", ranks=ranks)["summary"], expected)
            with self.subTest(graph=graph, sources=sources, checkpoint=True):
                checkpoint = ("--checkpoint", self.folder / "c", "--checkpoint-every", 0)
                self.assertEqual(self.facts("apsp", graph, *sources, *options, *checkpoint, "--engine", "gpu", ranks=2)["summary"], expected)

    def test_negative_weights(self):
        path = self.file("g.wel", "0 1 4\n1 2 -3\n2 3 2\n0 3 9\n3 1 1\n")
        self.assertEqual(self.matrix(path, "--engine", "gpu"), self.matrix(path, "--engine", "cpu"))

    def file_of_weights(self, name, weight):
        """A random graph of 300 vertices; weight(random numbers) is that of an edge."""
        numbers = random.Random(5)
        return self.file(name, "".join(f"{numbers.randrange(300)} {numbers.randrange(300)} {weight(numbers)}\n" for _ in range(1500)))

    def test_whole_distances_of_64_bits(self):
        """Only Floyd-Warshall has them, on one GPU and on the tiles of ranks, and they are exact."""
        wide = self.file_of_weights("wide.wel", lambda numbers: numbers.randrange(2**40))
        small = ("random:300,1200", "--weights", "uniform:1..n", "--dtype", "float64")
        risen = self.file_of_weights("risen.wel", lambda numbers: numbers.randrange(2**33, 2**40))
        negative = self.file("negative.wel", risen.read_text() + "".join(f"{v} {v + 300} -{2**33}\n" for v in range(300)))
        checkpoint = ("--checkpoint", self.folder / "c", "--checkpoint-every", 0)
        for graph in ((wide,), small, (negative,)):
            expected = self.matrix(*graph, "--engine", "cpu", "--algorithm", "floyd-warshall")
            self.assertEqual(read_npy(self.folder / "out.npy")[0], "<f8")
            for options, ranks in (((), 1), (("--algorithm", "floyd-warshall", "--validate"), 1), (("--out-of-core",), 1), (checkpoint, 1), ((), 2),
                                   (("--transport", "mpi"), 3), (("--out-of-core",), 2)):
                with self.subTest(graph=graph, options=options, ranks=ranks):
                    self.assertEqual(self.matrix(*graph, *options, "--engine", "gpu", ranks=ranks), expected)

    def test_floats_of_64_bits(self):
        """Sums are those of the CPU but for their last digits."""
        fractions = self.file_of_weights("fractions.wel", lambda numbers: numbers.random())
        huge = self.file_of_weights("huge.wel", lambda numbers: f"{1 + numbers.random()}e38")  # whose sums may exceed float32
        output = self.folder / "out.npy"
        for graph in (("random:300,1200", "--weights", "float", "--dtype", "float64"), (fractions, "--dtype", "float64"), (huge,)):
            self.good("apsp", *graph, "--engine", "cpu", "--algorithm", "floyd-warshall", "-o", output, "--quiet")
            kind, expected = read_npy(output)
            self.assertEqual(kind, "<f8")
            for options, ranks in ((("--validate",), 1), (("--out-of-core",), 1), ((), 2), (("--predecessors", self.folder / "p.npy", "--validate"), 1)):
                with self.subTest(graph=graph, options=options, ranks=ranks):
                    self.good("apsp", *graph, "--engine", "gpu", "--algorithm", "floyd-warshall", *options, "-o", output, "--quiet", ranks=ranks)
                    kind, found = read_npy(output)
                    self.assertEqual(kind, "<f8")
                    for row, expected_row in zip(found, expected, strict=True):
                        for distance, right in zip(row, expected_row, strict=True):
                            self.assertTrue(distance == right or math.isclose(distance, right, rel_tol=len(row) * 2**-52), (distance, right))

    def test_summaries_of_tiny_and_huge_floats(self):
        """Sums of a row may exceed the range of float64."""
        tiny = self.file("tiny.wel", "0 1 1e-310\n")
        large = self.file("large.wel", "0 1 8e307\n" + "".join(f"{v} {v + 1} 0\n" for v in range(1, 9)))
        for graph in (tiny, large):
            for options in ((), ("--out-of-core",), ("--checkpoint", self.folder / "c")):
                with self.subTest(graph=graph, options=options):
                    summaries = [self.facts("apsp", graph, "--dtype", "float64", "--algorithm", "floyd-warshall", "--quiet", "--engine", engine, *more)["summary"]
                                 for engine, more in (("cpu", ()), ("gpu", options))]
                    for summary in summaries:
                        average = summary.pop("average_shortest_path_length")
                        self.assertTrue(math.isclose(average, 1e-310 if graph == tiny else 9 / 45 * 8e307), average)
                        closeness = summary.pop("closeness")
                        self.assertTrue(math.isclose(closeness[0], 1e310 if graph == tiny else 1 / 8e307) if closeness[0] is not None else graph == tiny, closeness)
                    self.assertEqual(summaries[0], summaries[1])

    def test_decimals_that_cancel(self):
        """A cycle whose length is negative if its weights are rounded to 32 bits."""
        path = self.file("decimals.wel", "0 1 0.1\n1 2 0.2\n2 0 -0.3\n0 1 0.5\n")
        self.good("apsp", path, "--dtype", "float64", "--engine", "gpu", "--validate")

    def test_predecessors(self):
        """The CPU traces the predecessors, and --validate follows them."""
        for options in (("random:300,1200", "--weights", "uniform:0..n"), ("random:300,1200", "--weights", "float", "--algorithm", "block"), ("grid:17x19",),
                        ("random:300,1200", "--weights", "float", "--algorithm", "floyd-warshall")):
            with self.subTest(options=options):
                self.good("apsp", *options, "--engine", "gpu", "--predecessors", self.folder / "p.npy", "--validate")

    def test_some_sources_and_checkpoints(self):
        options = ("random:300,1200", "--weights", "uniform:1..n", "--sources", "random:7")
        self.assertEqual(self.matrix(*options, "--engine", "gpu", "--checkpoint", self.folder / "c"), self.matrix(*options, "--engine", "cpu"))

    def test_ranks_share_a_gpu(self):
        options = ("random:300,1200", "--weights", "uniform:1..n")
        self.assertEqual(self.matrix(*options, "--engine", "gpu", ranks=2), self.matrix(*options, "--engine", "cpu"))

    def test_what_the_gpu_refuses(self):
        negative = self.file("negative.wel", "0 1 4\n1 2 -3\n")
        huge = self.file("huge.wel", "0 1 3e38\n1 2 3e38\n")
        for arguments, ranks, what in ((("kron:8", "--algorithm", "dijkstra"), 1, "it runs on the CPU"),
                                       ((negative, "--algorithm", "block"), 1, "has negative weights"),
                                       (("kron:8", "--algorithm", "combined"), 1, "weights are floats"),
                                       (("ring:9", "--weights", "uniform:1..9", "--algorithm", "bit-parallel"), 1, "the graph has weights"),
                                       (("path:1000000", "--algorithm", "block", "--sources", "random:1"), 1, "do not fit the shared memory"),
                                       (("ring:9", "--algorithm", "block", "--dtype", "float64"), 1, "uint16 or int32, or float64 with floyd-warshall"),
                                       (("ring:9", "--algorithm", "floyd-warshall-steps", "--dtype", "float64"), 1, "tiles hold distances of 32 bits"),
                                       (("kron:8", "--algorithm", "block", "--dtype", "float64"), 1, "which only floyd-warshall adds on a GPU"),
                                       ((huge, "--algorithm", "floyd-warshall", "--dtype", "float32"), 1, "do not fit float32"),
                                       (("ring:9", "--algorithm", "combined"), 2, "it runs on one GPU, but 2 ranks were started"),
                                       (("ring:9", "--algorithm", "combined", "--checkpoint", self.folder / "c"), 1, "--checkpoint is not possible")):
            with self.subTest(arguments=arguments):
                self.assertIn(what, self.fails(BAD_INPUT, "apsp", *arguments, "--engine", "gpu", ranks=ranks))
        message = self.fails(RESOURCES, "apsp", "ring:9000", "--algorithm", "floyd-warshall", "--engine", "gpu", "--gpu-memory-limit", 0.07)
        self.assertIn("not enough GPU memory", message)

    def bulk(self, engine, *options, ranks=1, code=GOOD):
        """The outputs of many graphs by name, and the facts of each in --json."""
        folder = self.folder / f"bulk-{engine}"
        facts = self.folder / "bulk.json"
        outcome = run("apsp", "--bulk", self.folder / "graphs", "-o", folder, "--json", facts, "--engine", engine, *options, ranks=ranks)
        self.assertEqual(outcome.code, code, outcome)
        document = json.loads(facts.read_text())
        self.assertEqual(document["search"]["engine"], engine)
        outputs = {path.name: path.read_bytes() for path in folder.iterdir()}
        for path in folder.iterdir():
            path.unlink()
        return outputs, document["graphs"]

    def test_many_graphs(self):
        """As on the CPU: graphs that are computed together, alone, or not at all."""
        graphs = self.folder / "graphs"
        graphs.mkdir()
        for n in (2, 31, 64, 65, 128, 129, 300, 310, 2100):
            self.good("generate", f"random:{n},{3 * n}", "--weights", "uniform:0..50", graphs / f"whole{n}.gr", "--quiet")
        self.good("generate", "random:70,300", "--weights", "uniform:1..1000000", graphs / "heavy.gr", "--quiet")
        self.good("generate", "ring:90", graphs / "levels.mtx", "--quiet")
        (graphs / "wide.wel").write_text("".join(f"{v} {v * v % 40} {2**35 + v}\n" for v in range(40)))
        (graphs / "whole1.gr").write_text("p sp 1 0\n")
        (graphs / "negative.wel").write_text("0 1 5\n1 2 -3\n0 2 4\n")
        (graphs / "cycle.wel").write_text("0 1 5\n1 0 -6\n")
        (graphs / "damaged.wel").write_text("0 1 5\n1 x 6\n")
        exact = ("reachable_pairs", "diameter", "radius", "eccentricities", "histogram")
        expected, on_cpu = self.bulk("cpu", code=WRONG_RESULT)
        self.assertEqual(len(expected), 14)
        for options, ranks in ((("--validate",), 1), (("--predecessors", self.folder / "p", "--validate"), 2), (("--algorithm", "floyd-warshall"), 1),
                               (("--gpu-memory-limit", 0.1), 1)):
            with self.subTest(options=options, ranks=ranks):
                found, on_gpu = self.bulk("gpu", *options, ranks=ranks, code=WRONG_RESULT)
                self.assertEqual(found, expected)
                self.assertEqual([each.get("exit_code") for each in on_gpu], [each.get("exit_code") for each in on_cpu])
                for cpu, gpu in zip(on_cpu, on_gpu):
                    self.assertEqual([gpu.get("summary", {}).get(key) for key in exact], [cpu.get("summary", {}).get(key) for key in exact], gpu)
        self.assertIn(b"'<f8'", found["wide.npy"][:128])
        methods = {each["graph"]["name"].rsplit("/", 1)[1]: each["search"]["algorithm"] for each in on_gpu if "search" in each}
        self.assertEqual((methods["whole64.gr"], methods["whole310.gr"]), ("floyd-warshall", "floyd-warshall"))

    def test_floyd_warshall_in_tiles(self):
        """Over ranks, saved, and out of core."""
        graph = ("random:700,3000", "--weights", "uniform:1..n", "--algorithm", "floyd-warshall")
        expected = self.matrix(*graph, "--engine", "cpu")
        checkpoint = ("--checkpoint", self.folder / "c", "--checkpoint-every", 0)
        for options, ranks in (((), 2), (("--transport", "p2p"), 2), (("--transport", "mpi"), 3), (("--out-of-core",), 1), (("--out-of-core",), 2),
                               (checkpoint, 1), (checkpoint, 2)):
            with self.subTest(options=options, ranks=ranks):
                self.assertEqual(self.matrix(*graph, *options, "--engine", "gpu", ranks=ranks), expected)
        facts = self.folder / "facts.json"
        for transport in ("p2p", "mpi"):
            self.good("apsp", *graph, "--engine", "gpu", "--transport", transport, "--json", facts, ranks=2)
            self.assertEqual(json.loads(facts.read_text())["search"]["transport"], transport)
        outcome = self.good("apsp", "random:9000,30000", "--weights", "uniform:1..n", "--algorithm", "floyd-warshall", "--engine", "gpu", "--gpu-memory-limit", 0.3)
        self.assertIn("out of core", outcome.out)

    def test_tune(self):
        """The rates of the GPU are measured, and are those of a GPU."""
        file = self.folder / "rates.json"
        outcome = self.good("tune", "--threads", 4, "-o", file)
        document = json.loads(file.read_text())
        self.assertRegex(document["gpu_machine"], "NVIDIA")
        for name, seconds in document["gpu"].items():
            with self.subTest(rate=name):
                self.assertIn(f"  {name} ", outcome.out)
                self.assertGreater(seconds, 1e-15)
                self.assertLess(seconds, 10 if name.endswith("start") else 1e-7)
        self.assertIn(f"of GPUs: {document['gpu_machine']}\n", self.good("--version", env={"WAYFRONT_RATES": str(file)}).out)
        for rate, chosen in (("block_element", "(floyd-warshall|elimination)"), ("relaxation", "(block|combined)")):
            changed = {**document, "gpu": {**document["gpu"], rate: 1}}
            file.write_text(json.dumps(changed))
            with self.subTest(rate=rate):
                outcome = self.good("apsp", "random:3000,9000", "--weights", "uniform:1..100", "--summary", "--engine", "gpu", "--rates", file)
                self.assertRegex(outcome.out, f"search .*, by {chosen}, since it is the fastest: ")


if __name__ == "__main__":
    unittest.main()
