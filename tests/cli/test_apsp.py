"""All pairs from outside: matrices, predecessors and summaries against Dijkstra's algorithm with a heap, over ranks, in every format; checkpoints."""

import array
import ast
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from driver import BAD_INPUT, NO_GPU, RESOURCES, STOPPED, WRONG_RESULT, DriverTest, command, environment, run
from test_sssp import WeightedGraph, tangle

TYPES = {"<u2": "H", "<i4": "i", "<f4": "f", "<f8": "d"}
NOT_REACHED = {"<u2": 65535, "<i4": 2**31 - 1, "<f4": math.inf, "<f8": math.inf}


def read_npy(path):
    """The type, and the rows with None for what is not reached."""
    content = path.read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    begin = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:begin].decode())
    rows, columns = header["shape"]
    elements = array.array(TYPES[header["descr"]])
    elements.frombytes(content[begin:])
    assert len(elements) == rows * columns and begin % 64 == 0
    missing = NOT_REACHED[header["descr"]]
    return header["descr"], [[None if e == missing else e for e in elements[i * columns:(i + 1) * columns]] for i in range(rows)]


def read_csv(path):
    header, *lines = (line.split(",") for line in path.read_text().splitlines())
    assert header[0] == "source", header
    return header[1:], {int(line[0]): [None if e == "inf" else float(e) for e in line[1:]] for line in lines}


def expected_row(graph, source):
    found = graph.distances(source)
    return [found.get(v) for v in graph.numbers()]


class Results(DriverTest):
    def test_formats_ranks_and_summary(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        rows = [expected_row(graph, v) for v in graph.numbers()]
        outputs = {}
        for ranks, form in ((1, "npy"), (3, "npy"), (1, "raw"), (2, "csv")):
            distances, parents, facts = (self.folder / f"{name}{ranks}.{form}" for name in ("d", "p", "json"))
            self.good("apsp", path, "-o", distances, "--predecessors", parents, "--json", facts, "--validate", "--quiet", "--algorithm", "dijkstra", ranks=ranks)
            outputs[ranks, form] = distances, parents, json.loads(facts.read_text())
        kind, found = read_npy(outputs[1, "npy"][0])
        self.assertEqual((kind, found), ("<u2", rows))
        for i in (0, 1):
            whole = outputs[1, "npy"][i].read_bytes()
            self.assertEqual(outputs[3, "npy"][i].read_bytes(), whole)
            self.assertTrue(whole.endswith(outputs[1, "raw"][i].read_bytes()) and outputs[1, "raw"][i].stat().st_size == len(whole) - 128)
        header, csv = read_csv(outputs[2, "csv"][0])
        self.assertEqual(header, [str(v) for v in graph.numbers()])
        self.assertEqual([csv[v] for v in graph.numbers()], rows)
        parents = read_npy(outputs[1, "npy"][1])[1]
        for source, (row, parent) in zip(graph.numbers(), zip(rows, parents)):
            for v, (d, p) in zip(graph.numbers(), zip(row, parent)):
                if v == source or d is None:
                    self.assertEqual(p, source if v == source else -1)
                else:
                    self.assertTrue(any(to == v and row[p - 1] + w == d for to, w in graph.out[p]), (source, v, p))
        self.assertEqual(sorted(f.name for f in self.folder.glob("*.part*")), [])

        pairs = [d for i, row in enumerate(rows) for j, d in enumerate(row) if d is not None and i != j]
        for facts in (each[2] for each in outputs.values()):
            summary = facts["summary"]
            self.assertEqual(summary["reachable_pairs"], len(pairs))
            self.assertAlmostEqual(summary["average_shortest_path_length"], sum(pairs) / len(pairs))
            self.assertEqual((summary["diameter"], facts["validated_rows"]), (max(pairs), len(rows)))
            others = [[d for j, d in enumerate(row) if d is not None and i != j] for i, row in enumerate(rows)]
            self.assertEqual(summary["eccentricities"], [max(row, default=0) for row in others])
            self.assertEqual(summary["radius"], min(max(row) for row in others if row))
            self.assertEqual(summary["vertices"], list(graph.numbers()))
            closeness = [len(row) / sum(row) * (len(row) / (len(rows) - 1)) if row and sum(row) else None if row else 0 for row in others]
            self.assertEqual(summary["closeness"], closeness)
            counts = [pairs.count(d) for d in range(min(pairs), max(pairs) + 1)]
            self.assertEqual(summary["histogram"], {"first": min(pairs), "bin_width": 1, "counts": counts})

    def test_algorithms_agree(self):
        graph = WeightedGraph(60, [(u, (u * 7 + k * 11) % 60, 1) for u in range(60) for k in (1, 2)], directed=False)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
        outputs = []
        for algorithm in ("auto", "dijkstra", "elimination", "combined", "bit-parallel", "floyd-warshall"):
            output = self.folder / f"{algorithm}.npy"
            outcome = self.good("apsp", path, "--undirected", "--algorithm", algorithm, "-o", output, "--summary", "--validate", "--threads", 2)
            outputs.append((output.read_bytes(), outcome.out[outcome.out.index("vertices  "):]))
            if algorithm == "auto":
                self.assertRegex(outcome.err, r"note: --algorithm auto: bit-parallel, since the graph has no weights; distances as uint16; about ")
        self.assertEqual(len(set(outputs)), 1)
        self.assertEqual(read_npy(output)[1], [expected_row(graph, v) for v in graph.numbers()])
        self.assertRegex(outputs[0][1], r"\ndiameter +\d+\nradius +\d+\ncloseness +")

    def test_summaries_agree(self):
        """The papers' number of vertices, on which no number of tiles or batches divides evenly."""
        facts = self.folder / "facts.json"
        for graph, *ways in ((("random:4608,18432", "--weights", "uniform:1..n"), ("dijkstra", 3), ("combined", 1), ("floyd-warshall", 4)),
                             (("ring:4608",), ("bit-parallel", 2), ("floyd-warshall", 1), ("elimination", 2)),
                             (("complete:700",), ("bit-parallel", 1), ("dijkstra", 2), ("floyd-warshall", 2))):
            summaries = []
            for algorithm, ranks in ways:
                self.good("apsp", *graph, "--algorithm", algorithm, "--json", facts, "--quiet", "--summary", ranks=ranks)
                summaries.append(json.loads(facts.read_text())["summary"])
                self.assertEqual(summaries[-1], summaries[0], (graph, algorithm, ranks))

    def test_sources_and_types(self):
        graph = tangle(directed=True)
        path = self.file("g.wel", graph.as_edge_list())
        sources = self.file("sources.txt", "9 3 # two\n60\n")
        for kind, descr in (("uint16", "<u2"), ("int32", "<i4"), ("float32", "<f4"), ("float64", "<f8")):
            output = self.folder / f"{kind}.npy"
            outcome = self.good("apsp", path, "--sources", sources, "--dtype", kind, "-o", output, "--summary")
            self.assertEqual(read_npy(output), (descr, [expected_row(graph, v) for v in (9, 3, 60)]))
            self.assertRegex(outcome.out, r"largest eccentricity +\d+\n")
        drawn = [self.folder / f"drawn{ranks}.csv" for ranks in (1, 2)]
        for ranks, output in zip((1, 2), drawn):
            self.good("apsp", path, "--sources", "random:5", "-o", output, ranks=ranks)
        self.assertEqual(drawn[0].read_bytes(), drawn[1].read_bytes())
        for source, row in read_csv(drawn[0])[1].items():
            self.assertEqual(row, expected_row(graph, source))

    def test_weights_of_64_bits(self):
        path = self.file("g.wel", "0 1 5000000000\n1 2 7\n")
        for algorithm in ("dijkstra", "floyd-warshall"):
            output = self.folder / f"{algorithm}.npy"
            self.good("apsp", path, "--algorithm", algorithm, "-o", output, "--validate")
            self.assertEqual(read_npy(output), ("<f8", [[0, 5000000000, 5000000007], [None, 0, 7], [None, None, 0]]))
        self.fails_with(BAD_INPUT, "--dtype int32: a distance of 5000000007 does not fit int32, which holds whole distances up to 2147483646; choose "
                        "another --dtype, or auto", path, "--dtype", "int32", "-o", self.folder / "d.npy")
        output = self.folder / "real.npy"
        self.good("apsp", self.file("f.wel", "0 1 0.1\n1 2 0.2\n"), "--dtype", "float64", "-o", output, "--validate")
        self.assertEqual(read_npy(output)[1][0], [0, 0.1, 0.1 + 0.2])

    def test_negative_weights(self):
        path = self.file("g.wel", "0 1 5\n1 2 -3\n0 2 4\n2 3 1\n")
        output = self.folder / "d.csv"
        self.good("apsp", path, "-o", output, "--validate", "--predecessors", self.folder / "p.csv")
        self.assertEqual(read_csv(output)[1][0], [0, 5, 2, 3])
        self.assertEqual(read_csv(self.folder / "p.csv")[1][0], [0, 0, 1, 2])
        over_ranks = self.folder / "d4.csv"
        outcome = self.good("apsp", path, "-o", over_ranks, "--validate", "--predecessors", self.folder / "p4.csv", ranks=4)
        self.assertIn("of each rank of a 2x2 grid", outcome.out)
        self.assertEqual(over_ranks.read_bytes(), output.read_bytes())
        self.assertEqual((self.folder / "p4.csv").read_bytes(), (self.folder / "p.csv").read_bytes())
        # What is not reached has no predecessors, although there are negative weights in other tiles.
        parts = self.file("parts.wel", "0 1 5\n" + "".join(f"{v} {v + 1} -1\n" for v in range(150, 299)))
        self.good("apsp", parts, "--validate", "--predecessors", self.folder / "p.csv", "-o", self.folder / "d.csv")
        self.assertEqual(read_csv(self.folder / "d.csv")[1][0], [0, 5] + [None] * 298)
        self.assertEqual(read_csv(self.folder / "p.csv")[1][0], [0, 0] + [-1] * 298)
        self.fails_with(WRONG_RESULT, "there are no shortest paths: {} has a cycle of negative length, 2 -> 1 -> 2", self.file("c.wel", "0 1 5\n1 2 -3\n2 1 2\n"))
        self.fails_with(WRONG_RESULT, "there are no shortest paths: {} has a cycle of negative length, 1 -> 1", self.file("l.wel", "0 1 5\n1 1 -1\n"))
        self.fails_with(BAD_INPUT, "--algorithm dijkstra: {} has negative weights, which only floyd-warshall allows", path, "--algorithm", "dijkstra")

    def test_one_vertex(self):
        path, facts = self.file("g.gr", "p sp 1 0\n"), self.folder / "j.json"
        outcome = self.good("apsp", path, "--json", facts)
        self.assertRegex(outcome.out, r"\ncomputed 1 row by .*\nvertices +1\nsources +1 \(all\)\nreachable pairs +none, since there is no other vertex\n$")
        summary = json.loads(facts.read_text())["summary"]
        self.assertEqual([summary[key] for key in ("reachable_pairs", "average_shortest_path_length", "diameter", "radius", "eccentricities", "closeness")],
                         [0, None, None, None, [0], [0]])

    def fails_with(self, code, message, path, *options):
        self.assertEqual(self.fails(code, "apsp", path, *options), "wayfront: error: " + message.format(path))

    def test_bad_input(self):
        path = self.file("g.wel", "0 1 70000\n")
        floats = self.file("f.wel", "0 1 0.5\n")
        self.fails_with(BAD_INPUT, "--dtype uint16: {} has a distance of 70000, but the type holds distances up to 65534 only", path, "--dtype", "uint16",
                   "-o", self.folder / "d.npy")
        self.assertIn("distances as int32", self.good("apsp", path).err)
        self.assertIn("note: --algorithm dijkstra: distances as uint16; about ", self.good("apsp", "ring:9", "--algorithm", "dijkstra").err)
        self.fails_with(BAD_INPUT, "--dtype int32: the weights of {} are floats", floats, "--dtype", "int32")
        self.fails_with(BAD_INPUT, "--algorithm bit-parallel: {} has weights; it is for graphs without weights", path, "--algorithm", "bit-parallel")
        self.fails_with(BAD_INPUT, f"--output: {self.folder}/d.txt: expected a file extension of .npy, .csv or .raw", path, "-o", self.folder / "d.txt")
        self.fails_with(BAD_INPUT, "--engine cpu: --algorithm block runs on a GPU alone", path, "--algorithm", "block", "--engine", "cpu")
        self.fails_with(BAD_INPUT, "--gpu-memory-limit: requires --engine gpu", path, "--gpu-memory-limit", 1)
        self.fails_with(BAD_INPUT, "--out-of-core: requires --engine gpu", path, "--out-of-core")
        self.fails_with(BAD_INPUT, "--out-of-core is for --algorithm floyd-warshall, not for block", path, "--algorithm", "block", "--out-of-core")
        self.fails_with(BAD_INPUT, "--batch-sources: expected a multiple of 32, found '33'", path, "--batch-sources", 33)
        for options, who in ((("--algorithm", "batched"), "--algorithm batched: runs on a GPU, but"), (("--engine", "gpu"), "--engine gpu:")):
            message = self.fails(RESOURCES, "apsp", path, *options, env=NO_GPU)
            self.assertRegex(message, f"{who} (no GPU was found|this wayfront was built without CUDA)")
        self.fails_with(BAD_INPUT, "--resume: requires --checkpoint FILE", path, "--resume")
        for name in ("c.before", "c.matrix-0", "c.matrix-1"):  # are removed with the checkpoint
            self.fails_with(BAD_INPUT, f"--json and --checkpoint name the same file, {self.folder / name}", path, "--checkpoint", self.folder / "c",
                            "--json", self.folder / name)
        combined = ("--algorithm", "combined")
        self.fails_with(BAD_INPUT, "--algorithm combined: --checkpoint is not possible: the first row is done when all are", path, *combined, "--checkpoint",
                        self.folder / "c")
        self.fails_with(BAD_INPUT, "--algorithm combined: the weights of {} are floats, whose sums would be rounded in another order", floats, *combined)
        message = self.fails(BAD_INPUT, "apsp", path, *combined, ranks=2)
        self.assertEqual(message, "wayfront: error: --algorithm combined: it runs on one rank, but 2 were started")
        message = self.fails(RESOURCES, "apsp", "ring:10000000", "--algorithm", "floyd-warshall")
        self.assertRegex(message, r"floyd-warshall of ring:10000000 needs .* are available; .*--algorithm dijkstra needs memory for a few rows")
        message = self.fails(RESOURCES, "apsp", "ring:3000000", "-o", self.folder / "d.npy", "--algorithm", "dijkstra")
        self.assertRegex(message, r"cannot be written: at least .* are needed.*; --sources writes some rows only, and --summary needs no file")
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["f.wel", "g.wel"])


class SciPy(DriverTest):
    """SciPy's shortest_path as an oracle that others have written. The interpreter that has SciPy need not be the one that runs the tests."""

    SHORTEST_PATH = """import json, sys, scipy.sparse.csgraph
size, u, v, weights = json.load(sys.stdin)
graph = scipy.sparse.csr_array((weights, (u, v)), shape=(size, size))
json.dump(scipy.sparse.csgraph.shortest_path(graph, directed=True).tolist(), sys.stdout)"""

    def setUp(self):
        super().setUp()
        if os.environ.get("WAYFRONT_SANITIZE"):
            self.skipTest("the release build is compared with SciPy")
        for interpreter in (sys.executable, "/usr/bin/python3"):
            if subprocess.run([interpreter, "-c", "import scipy.sparse.csgraph"], capture_output=True, check=False).returncode == 0:
                self.interpreter = interpreter
                return
        self.skipTest("SciPy is not installed")

    def edges_of(self, path):
        for line in path.read_text().splitlines():
            if not line.startswith("#"):
                u, v, *weight = line.split()
                yield int(u), int(v), float(weight[0]) if weight else 1.0

    def matrix(self, path, vertices, directed):
        lightest = {}
        for u, v, weight in self.edges_of(path):
            for pair in ((u, v),) if directed else ((u, v), (v, u)):
                lightest[pair] = min(weight, lightest.get(pair, math.inf))
        entries = [(u, v, weight) for (u, v), weight in lightest.items() if u != v]
        question = json.dumps([vertices, *([entry[i] for entry in entries] for i in range(3))])
        answer = subprocess.run([self.interpreter, "-c", self.SHORTEST_PATH], input=question, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)

    def test_graphs_of_many_sizes(self):
        specs = [f"{kind}:{n}" for kind in ("ring", "star", "complete") for n in (3, 31, 32, 33, 64)]
        specs += [f"random:{n},{3 * n}" for n in (2, 31, 33, 300, 1000)] + ["rmat:8", "grid:20x30"]
        for spec in specs:
            for weights in ("", "uniform:1..50", "float"):
                path = self.file("g.el", "")
                self.good("generate", spec, path, *(("--weights", weights) if weights else ()))
                info = self.folder / "info.json"
                self.good("info", path, "--json", info)
                facts = json.loads(info.read_text())["graph"]
                expected = self.matrix(path, facts["vertices"], facts["directed"])
                for algorithm in ("dijkstra", "floyd-warshall", *(() if weights else ("bit-parallel",)), *(("combined",) if weights != "float" else ())):
                    output = self.folder / "d.npy"
                    self.good("apsp", path, "--algorithm", algorithm, "-o", output)
                    _, rows = read_npy(output)
                    for row, expected_row in zip(rows, expected):
                        for found, distance in zip(row, expected_row):
                            found = math.inf if found is None else found
                            if weights != "float" or distance == math.inf:
                                self.assertEqual(found, distance, (spec, weights, algorithm))
                            else:
                                self.assertAlmostEqual(found, distance, delta=1e-5 * distance, msg=(spec, weights, algorithm))


class Checkpoints(DriverTest):
    GRAPH = ("random:6000,24000", "--weights", "uniform:1..100", "--threads", "1")

    def setUp(self):
        super().setUp()
        self.names = {"checkpoint": self.folder / "c", "output": self.folder / "d.npy", "json": self.folder / "j.json"}
        self.unfinished = self.folder / "d.npy.unfinished"

    def words(self, *options):
        return ("apsp", *self.GRAPH, "-o", self.names["output"], "--json", self.names["json"], "--checkpoint", self.names["checkpoint"], *options)

    def has_rows(self, since):
        """Whether the unfinished file was changed after the time `since`, and its first row is written."""
        if not self.unfinished.exists() or self.unfinished.stat().st_mtime_ns <= since:
            return False
        with self.unfinished.open("rb") as file:
            file.seek(128)
            return any(file.read(64))

    def start(self, *options):
        """Starts a job with a checkpoint, and waits until it makes rows."""
        before = self.unfinished.stat().st_mtime_ns if self.unfinished.exists() else 0
        process = subprocess.Popen(command(self.words(*options)), env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while process.poll() is None and not self.has_rows(before):
            time.sleep(0.01)
        return process

    def end(self, process, number):
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        return process.returncode, err

    def test_killed_and_resumed_runs_give_the_same_bytes(self):
        whole, facts = self.folder / "whole.npy", self.folder / "whole.json"
        self.good("apsp", *self.GRAPH, "-o", whole, "--json", facts)
        first = self.start()
        message = self.fails(RESOURCES, *self.words()[:-2], "--checkpoint", self.folder / "other")
        self.assertEqual(message, f"wayfront: error: {self.names['output']}: another job is writing {self.unfinished}")
        self.assertTrue(self.unfinished.exists())
        code, err = self.end(first, signal.SIGTERM)
        self.assertEqual(code, STOPPED, err)
        self.assertRegex(err, r"stopped by SIGTERM after \d+ of 6000 rows; the same command with --resume goes on from ")
        self.assertFalse(self.names["output"].exists())

        message = self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--checkpoint", self.names["checkpoint"])
        self.assertIn("exists; add --resume", message)
        message = self.fails(BAD_INPUT, "apsp", "random:6000,24000,seed=2", *self.words()[2:], "--resume")
        self.assertIn("is the checkpoint of another graph", message)
        message = self.fails(BAD_INPUT, "apsp", *self.GRAPH, "--json", self.names["json"], "--checkpoint", self.names["checkpoint"], "--resume")
        self.assertIn("is the checkpoint of another job", message)

        code, err = self.end(self.start("--resume"), signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL, err)
        code, err = self.end(self.start("--resume"), signal.SIGTERM)
        self.assertEqual(code, STOPPED, err)
        self.assertTrue((self.folder / "c.before").exists())
        content = bytearray(self.names["checkpoint"].read_bytes())
        content[len(content) // 2] ^= 1
        self.names["checkpoint"].write_bytes(content)
        outcome = self.good(*self.words("--resume"), ranks=2)
        self.assertRegex(outcome.err, r"note: .*/c is damaged: the job goes on from the checkpoint before, .*/c\.before\n")
        done = int(re.search(r"note: (\d+) of 6000 rows are done", outcome.err)[1])
        self.assertRegex(outcome.out, rf"computed {6000 - done} rows by .* in .* s; {done} were done before\n")
        self.assertEqual(self.names["output"].read_bytes(), whole.read_bytes())
        summaries = [json.loads(path.read_text())["summary"] for path in (facts, self.names["json"])]
        self.assertEqual(*summaries)
        self.assertEqual(json.loads(self.names["json"].read_text())["resumed_rows"], done)
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["d.npy", "j.json", "whole.json", "whole.npy"])


class WithFailingCalls(DriverTest):
    """Small jobs one of whose system calls fails, or is the last before the job is killed."""

    def setUp(self):
        super().setUp()
        self.library = os.environ.get("WAYFRONT_FAILING_CALLS", "")
        if not self.library:
            self.skipTest("a build with sanitizers")

    def run_with(self, call, fate, *words, **options):
        return run(*words, env={"LD_PRELOAD": self.library, "WAYFRONT_CALL": call, "WAYFRONT_FATE": fate, "WAYFRONT_COUNT": str(self.folder / "count")},
                   **options)

    def names(self):
        return sorted(f.name for f in self.folder.iterdir() if f != self.graph)


class MatrixCheckpoints(WithFailingCalls):
    """Floyd-Warshall with negative weights and predecessors, in 3 steps of 3 x 3 tiles, with a checkpoint after each. A step's file alternates between
    c.matrix-0 and c.matrix-1."""

    def setUp(self):
        super().setUp()
        self.words = {}
        self.start("")

    def start(self, fraction):
        """The graph, and the job's expected outputs. Potentials make weights negative, and no cycle."""
        n = 300
        ends = [(u, (u * 7 + k * k * 11 + k) % n) for u in range(n) for k in range(6)]
        lines = (f"{u} {v} {u * v % 20 + 1 + u * 37 % 50 - v * 37 % 50}{fraction if u % 3 == 0 else ''}" for u, v in ends if u != v)
        self.graph = self.file("g.wel", "\n".join(lines) + "\n")
        self.expected = [self.folder / "expected-d.npy", self.folder / "expected-p.npy"]
        self.good("apsp", self.graph, "-o", self.expected[0], "--predecessors", self.expected[1], "--validate")
        self.outputs = [self.folder / "d.npy", self.folder / "p.npy"]
        self.words = ("apsp", self.graph, "--threads", "1", "-o", self.outputs[0], "--predecessors", self.outputs[1], "--checkpoint", self.folder / "c")

    def check_outputs(self, context):
        for output, whole in zip(self.outputs, self.expected):
            self.assertEqual(output.read_bytes(), whole.read_bytes(), context)
            output.unlink()
        self.assertEqual(self.names(), [path.name for path in self.expected], context)

    def killed(self, call):
        died = self.run_with(call, "killed", *self.words, "--checkpoint-every", 0)
        self.assertEqual(died.code, -signal.SIGKILL, (call, died))

    def test_killed_at_any_moment(self):
        calls = [(f"pwrite:c.matrix-0:{call}", 0 if call < 10 else 2) for call in (1, 9, 10, 18)] + [("pwrite:c.matrix-1:5", 1), ("rename:/c:1", 1)]
        calls += [("fsync:c.matrix-0:1", 0), ("fsync:c.matrix-1:1", 1), ("rename:/c.before:1", 1), ("rename:/c:2", 2), ("pwrite:d.npy.unfinished:2", 3)]
        calls += [("rename:/c.before:3", 3), ("rename:/p.npy:1", None)]
        for fraction in ("", ".1"):
            self.start(fraction)
            for call, steps in calls:
                self.killed(call)
                resumed = self.good(*self.words, "--resume")
                if steps is None:
                    self.assertIn("note: 300 of 300 rows are done", resumed.err)
                elif steps == 0:
                    self.assertIn("there is no checkpoint", resumed.err)
                else:
                    self.assertIn(f"note: {steps} of 3 steps are done; the job goes on", resumed.err, call)
                    self.assertIn(f"; {steps} steps were done before", resumed.out)
                self.check_outputs((call, resumed))

    def test_sigterm_and_other_numbers_of_ranks(self):
        self.start(".1")
        for before, after in ((1, 4), (3, 1)):
            stopped = self.run_with("pwrite:c.matrix-0:1", "terminated", *self.words, "--checkpoint-every", 0, ranks=before)
            self.assertEqual((stopped.code, stopped.message),
                             (STOPPED, f"wayfront: error: stopped by SIGTERM after 1 of 3 steps; the same command with --resume goes on from {self.folder}/c"))
            self.assertIn("1 of 3 steps are done", self.good(*self.words, "--resume", ranks=after).err)
            self.check_outputs((before, after))

    def test_sigterm_while_rows_are_written(self):
        """The matrix is saved, although no checkpoint is due. A batch has 699 rows."""
        graph = ("random:1500,4000", "--weights", "float", "--threads", "1", "--algorithm", "floyd-warshall")
        self.good("apsp", *graph, "-o", self.expected[0], "--predecessors", self.expected[1])
        words = ("apsp", *graph, *self.words[4:])
        for before, after in ((1, 3), (2, 1)):
            stopped = self.run_with("pwrite:d.npy.unfinished:2", "terminated", *words, ranks=before)
            self.assertEqual(stopped.code, STOPPED, stopped)
            done = int(re.search(r"stopped by SIGTERM after (\d+) of 1500 rows", stopped.message)[1])
            resumed = self.good(*words, "--resume", ranks=after)
            self.assertIn(f"note: {done} of 1500 rows are done", resumed.err)
            self.assertIn("note: 12 of 12 steps are done", resumed.err)
            self.check_outputs((before, after))

    def damage(self, name):
        content = bytearray((self.folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (self.folder / name).write_bytes(content)

    def test_damaged_and_foreign_checkpoints(self):
        self.killed("rename:/c:2")
        self.damage("c.matrix-1")
        resumed = self.good(*self.words, "--resume")
        self.assertIn(f"note: {self.folder}/c.matrix-1 is damaged or missing: the job goes on from the matrix that was saved before\n", resumed.err)
        self.assertIn("note: 1 of 3 steps are done", resumed.err)
        self.check_outputs(resumed)

        self.killed("rename:/c:2")
        self.damage("c")
        resumed = self.good(*self.words, "--resume")
        self.assertIn("c is damaged: the job goes on from the checkpoint before", resumed.err)
        self.assertIn("note: 1 of 3 steps are done", resumed.err)
        self.check_outputs(resumed)

        self.killed("rename:/c:2")
        self.damage("c.matrix-0")
        (self.folder / "c.matrix-1").unlink()
        message = self.fails(BAD_INPUT, *self.words, "--resume", ranks=3)
        self.assertEqual(message, f"wayfront: error: --resume: {self.folder}/c.matrix-1 is damaged or missing, and {self.folder}/c.matrix-0 is damaged or "
                         "missing; remove the checkpoint to begin anew")
        other = self.file("other.wel", self.graph.read_text().replace("0 ", "1 ", 1))
        self.assertIn("c is the checkpoint of another graph", self.fails(BAD_INPUT, "apsp", other, *self.words[2:], "--resume"))
        self.assertIn("c is the checkpoint of another job", self.fails(BAD_INPUT, *self.words, "--resume", "--dtype", "float64"))

    def test_a_full_disk(self):
        for call in ("pwrite:c.matrix-1:3", "fsync:c.matrix-1:1", "rename:/c:2"):
            outcome = self.run_with(call, "full", *self.words, "--checkpoint-every", 0)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertRegex(outcome.err, r"note: no checkpoint after step 2, the job goes on: \S+ cannot be written: No space left on device\n")
            self.check_outputs(call)
        outcome = self.run_with("statvfs:*:3", "full", *self.words)
        self.assertEqual(outcome.code, RESOURCES)
        self.assertRegex(outcome.message, r"--checkpoint: \S+/c: cannot be written: at least .* are needed.*; floyd-warshall saves its matrix twice")
        self.assertEqual(self.names(), [path.name for path in self.expected])


class FailingCalls(WithFailingCalls):
    """Jobs of rows that do not depend on each other."""

    def setUp(self):
        super().setUp()
        self.graph = self.file("g.gr", tangle(directed=True, first=1).as_dimacs())

    def test_a_job_that_dies_after_its_last_row_can_be_resumed(self):
        for form in ("npy", "raw", "csv"):
            expected = [self.folder / f"expected-{name}.{form}" for name in "dp"]
            self.good("apsp", self.graph, "-o", expected[0], "--predecessors", expected[1])
            outputs = [self.folder / f"{name}.{form}" for name in "dp"]
            words = ("apsp", self.graph, "-o", outputs[0], "--predecessors", outputs[1], "--checkpoint", self.folder / "c", "--json", self.folder / "j.json")
            for call in ("rename:/c:1", f"rename:/d.{form}:1", f"rename:/p.{form}:1", "rename:/j.json:1"):
                died = self.run_with(call, "killed", *words)
                self.assertEqual(died.code, -signal.SIGKILL, (call, died))
                resumed = self.good(*words, "--resume")
                self.assertRegex(resumed.err, r"note: 61 of 61 rows are done", (call, resumed))
                self.assertRegex(resumed.out, r"computed 0 rows by .*; 61 were done before")
                for output, whole in zip(outputs, expected):
                    self.assertEqual(output.read_bytes(), whole.read_bytes(), (call, form))
                self.assertEqual(json.loads((self.folder / "j.json").read_text())["summary"]["sources"], 61)
                for path in (*outputs, self.folder / "j.json"):
                    path.unlink()
                self.assertEqual(self.names(), sorted(path.name for path in expected), call)
            for path in expected:
                path.unlink()

    def test_elimination_is_resumed(self):
        """A batch has 36 groups of 16 rows. The vertices are eliminated anew."""
        words = ("apsp", "grid:60x60", "--weights", "uniform:1..9", "--threads", "1", "--algorithm", "elimination", "-o")
        expected, output = self.folder / "expected.npy", self.folder / "d.npy"
        self.good(*words, expected)
        stopped = self.run_with("pwrite:d.npy.unfinished:3", "terminated", *words, output, "--checkpoint", self.folder / "c")
        self.assertEqual(stopped.code, STOPPED, stopped)
        self.assertIn("stopped by SIGTERM after 1152 of 3600 rows", stopped.message)
        resumed = self.good(*words, output, "--checkpoint", self.folder / "c", "--resume")
        self.assertIn("note: 1152 of 3600 rows are done", resumed.err)
        self.assertEqual(output.read_bytes(), expected.read_bytes())

    def test_rows_of_a_job_that_is_stopped_are_not_lost(self):
        """A batch has 512 rows. SIGTERM comes during the second."""
        graph = ("random:1500,4000", "--threads", "1", "--algorithm", "bit-parallel")
        for form, header in (("npy", 1), ("raw", 0), ("csv", 0)):
            expected, output = self.folder / f"expected.{form}", self.folder / f"d.{form}"
            self.good("apsp", *graph, "-o", expected)
            words = ("apsp", *graph, "-o", output, "--checkpoint", self.folder / "c")
            stopped = self.run_with(f"pwrite:d.{form}.unfinished:{header + 2}", "terminated", *words)
            self.assertEqual(stopped.code, STOPPED, stopped)
            self.assertIn("stopped by SIGTERM after 1024 of 1500 rows", stopped.message)
            self.assertEqual(self.names(), ["c", f"d.{form}.unfinished", expected.name])
            resumed = self.good(*words, "--resume", ranks=1)
            self.assertIn("note: 1024 of 1500 rows are done", resumed.err)
            self.assertEqual(output.read_bytes(), expected.read_bytes())
            output.unlink()
            expected.unlink()

    def test_a_job_that_fails_before_its_first_checkpoint_leaves_nothing(self):
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c")
        for call, code in (("pwrite:d.npy.unfinished:1", -signal.SIGTERM), ("pwrite:d.npy.unfinished:2", RESOURCES)):
            fate = "terminated" if code < 0 else "full"
            self.assertEqual(self.run_with(call, fate, *words).code, code)
            self.assertEqual(self.names(), [])

    def test_another_file_is_not_taken_for_the_finished_one(self):
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c")
        self.assertEqual(self.run_with("rename:/d.npy:1", "killed", *words).code, -signal.SIGKILL)
        (self.folder / "d.npy").write_bytes((self.folder / "d.npy").read_bytes())
        self.assertIn("is missing or has another size", self.fails(BAD_INPUT, *words, "--resume"))

    def test_a_report_that_fails_keeps_the_checkpoint(self):
        missing = self.folder / "missing"
        missing.mkdir()
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c", "--json", missing / "j.json")
        outcome = self.run_with("rename:/j.json:1", "full", *words)
        self.assertEqual((outcome.code, outcome.message), (RESOURCES, f"wayfront: error: {missing}/j.json: cannot be written: No space left on device"))
        self.assertIn("note: 61 of 61 rows are done", self.good(*words, "--resume").err)
        self.assertEqual(self.names(), ["d.npy", "missing"])

    def test_sigterm_while_results_are_written_and_reported(self):
        """The output is finished; the report is not waited for."""
        words = ("apsp", self.graph, "-o", self.folder / "d.npy", "--checkpoint", self.folder / "c", "--json", self.folder / "j.json")
        self.assertEqual(self.run_with("rename:/d.npy:1", "terminated", *words).code, 0)
        self.assertEqual(self.names(), ["d.npy", "j.json"])
        self.assertEqual(self.run_with("rename:/j.json:1", "terminated", *words).code, -signal.SIGTERM)
        self.assertIn("note: 61 of 61 rows are done", self.good(*words, "--resume").err)
        self.assertEqual(self.names(), ["d.npy", "j.json"])

    def test_full_disk(self):
        for fate in ("full", "nothing"):
            outcome = self.run_with("pwrite:.npy.part*:2", fate, "apsp", self.graph, "-o", self.folder / "d.npy")
            self.assertEqual((outcome.code, outcome.message), (RESOURCES, f"wayfront: error: {self.folder}/d.npy: cannot be written: No space left on device"))
            self.assertEqual(self.names(), [])

    def test_names_last_through_a_power_failure(self):
        """The folder is synchronised after the file has got its name."""
        self.assertEqual(self.run_with(f"fsync:{self.folder.name}:0", "counted", "apsp", self.graph, "-o", self.folder / "d.npy").code, 0)
        self.assertEqual((self.folder / "count").read_text(), "1")


if __name__ == "__main__":
    unittest.main()
