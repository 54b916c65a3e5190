"""Pairs within a limit (apsp --within): against Dijkstra's algorithm with a heap, cut at the limit, and
with SciPy."""

import ast
import json
import os
import random
import struct
import subprocess
import sys
import unittest
import zipfile

from driver import BAD_INPUT, RESOURCES, DriverTest, WithFailingCalls
from weighted_graph import WeightedGraph, float32, tangle

TYPES = {"<u2": "H", "<i4": "i", "<f4": "f", "<f8": "d", "<i8": "q"}


def read_array(content):
    """The type and the elements of an array of one dimension in NumPy's format."""
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    begin = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:begin].decode())
    if header["shape"] == ():
        return header["descr"], content[begin:]
    count = header["shape"][0]
    return header["descr"], list(struct.unpack(f"<{count}{TYPES[header['descr']]}", content[begin:]))


def read_npz(path):
    """The type, the shape and the entries (row, column, distance) of a sparse array."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        arrays = {name.removesuffix(".npy"): read_array(archive.read(name)) for name in archive.namelist()}
    assert arrays["format"] == ("|S3", b"csr"), arrays["format"]
    indptr, indices, data = (arrays[name][1] for name in ("indptr", "indices", "data"))
    rows, columns = arrays["shape"][1]
    assert len(arrays["sources"][1]) == rows and len(arrays["targets"][1]) == columns
    assert (indptr[0], len(indptr), indptr[-1]) == (0, rows + 1, len(data)) and len(indices) == len(data)
    return arrays["data"][0], (rows, columns), [(row, indices[i], data[i]) for row in range(rows) for i in range(indptr[row], indptr[row + 1])]


def read_mtx(path):
    """The field, the shape and the entries, counted from 0."""
    banner, sizes, *lines = path.read_text().splitlines()
    _, kind, form, field, symmetry = banner.split()
    assert (kind, form, symmetry) == ("matrix", "coordinate", "general"), banner
    rows, columns, entries = map(int, sizes.split())
    assert entries == len(lines)
    return field, (rows, columns), [(int(row) - 1, int(column) - 1, float(distance)) for row, column, distance in map(str.split, lines)]


def read_csv(path):
    header, *lines = path.read_text().splitlines()
    assert header == "source,target,distance", header
    return [(int(source), int(target), float(distance)) for source, target, distance in (line.split(",") for line in lines)]


def expected_entries(graph, sources, limit):
    """By source: (number of the source, number of the target, distance)."""
    return [(source, target, distance) for source in sources for target, distance in sorted(graph.distances(source).items()) if distance <= limit]


class Results(DriverTest):
    def check_files(self, path, graph, sources, limit, kind, options=(), ranks=1):
        expected = expected_entries(graph, sources, limit)
        shape = (len(sources), graph.vertices)
        # A source may be listed more than once.
        rows = [(row, target - graph.first, distance) for row, source in enumerate(sources) for _, target, distance in expected_entries(graph, [source], limit)]
        npz, mtx, csv = (self.folder / f"w.{end}" for end in ("npz", "mtx", "csv"))
        for output in (npz, mtx, csv):
            self.good("apsp", path, *options, "--within", limit, "-o", output, "--quiet", ranks=ranks)
        self.assertEqual(read_npz(npz), (kind, shape, rows))
        field, sizes, entries = read_mtx(mtx)
        self.assertEqual((field, sizes), ("real" if graph.rounded is float32 else "integer", shape))
        self.assertEqual([(row, column, graph.rounded(d)) for row, column, d in entries], rows)
        self.assertEqual([(s, t, graph.rounded(d)) for s, t, d in read_csv(csv)], expected)
        return [output.read_bytes() for output in (npz, mtx, csv)]

    def test_forms_and_ranks(self):
        for directed in (True, False):
            graph = tangle(directed, first=1 if directed else 0)
            path = self.file("g.gr", graph.as_dimacs()) if directed else self.file("g.wel", graph.as_edge_list())
            options = () if directed else ("--undirected",)
            for limit in (0, 1, 6.5, 13):
                files = [self.check_files(path, graph, list(graph.numbers()), limit, "<u2", options, ranks) for ranks in (1, 2, 3, 4)]
                self.assertEqual(files, [files[0]] * 4)

    def test_reverse_and_sources(self):
        graph = tangle(True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        self.check_files(path, graph.reversed(), list(graph.numbers()), 9, "<u2", ("--reverse",), 2)
        sources = self.file("sources.txt", "9 3 61 # two\n9\n")
        self.check_files(path, graph, [9, 3, 61, 9], 9, "<u2", ("--sources", sources), 3)
        self.check_files(path, graph, [9, 3, 61, 9], 9, "<i4", ("--sources", sources, "--dtype", "int32"))
        drawn = self.folder / "drawn.csv"
        for ranks in (1, 3):
            self.good("apsp", path, "--sources", "random:5", "--within", 7, "-o", drawn, ranks=ranks)
            entries = read_csv(drawn)
            self.assertEqual(entries, expected_entries(graph, list(dict.fromkeys(source for source, _, _ in entries)), 7))
        self.assertEqual(len({source for source, _, _ in entries}), 5)

    def test_without_weights_and_floats(self):
        draw = random.Random(3)
        graph = WeightedGraph(90, [(draw.randrange(80), draw.randrange(90), 1) for _ in range(140)] + [(0, 89, 1)], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
        for limit in (0, 2, 3.99, 1000):
            self.check_files(path, graph, list(graph.numbers()), limit, "<u2", ranks=1 + int(limit) % 3)
        graph = tangle(True, weight=lambda draw: float32(draw.random() / 4 if draw.randrange(9) else 0.0), rounded=float32)
        self.check_files(self.file("f.wel", graph.as_edge_list()), graph, list(graph.numbers()), 0.25, "<f4", ranks=2)

    def test_zero_distances_are_entries(self):
        path = self.file("g.wel", "0 1 0\n1 2 0\n2 3 1\n")
        self.good("apsp", path, "--within", 0, "-o", self.folder / "w.npz")
        self.assertEqual(read_npz(self.folder / "w.npz")[2], [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 0), (1, 2, 0), (2, 2, 0), (3, 3, 0)])

    def test_wide_distances(self):
        path = self.file("g.wel", "0 1 5000000000\n1 2 9007199254740991\n")
        self.good("apsp", path, "--within", 5000000000, "-o", self.folder / "w.npz")
        self.assertEqual(read_npz(self.folder / "w.npz"), ("<f8", (3, 3), [(0, 0, 0), (0, 1, 5000000000), (1, 1, 0), (2, 2, 0)]))
        self.assertIn("may not fit any type", self.fails(RESOURCES, "apsp", path, "--within", 1e17, "-o", self.folder / "x.npz"))
        self.assertIn("a distance of 5000000000", self.fails_alike(BAD_INPUT, "apsp", path, "--within", 5000000000, "-o", self.folder / "x.npz", "--dtype", "int32"))
        self.assert_nothing_left("x.npz")

    def test_limits_against_the_whole_matrix(self):
        """Random graphs, whose rows apsp --output gives without a limit."""
        draw = random.Random(7)
        for number in range(40):
            directed = bool(number % 2)
            vertices = draw.randrange(2, 50)
            edges = [(draw.randrange(vertices), draw.randrange(vertices), draw.choice((0, 1, 2, 5, 9, 70000))) for _ in range(draw.randrange(1, 4 * vertices))]
            graph = WeightedGraph(vertices, [*edges, (0, vertices - 1, 3)], directed)
            path = self.file("g.wel", graph.as_edge_list())
            limit = draw.choice((0, 1, 3, 8, 20, 70000, 10**6))
            output = self.folder / "w.csv"
            self.good("apsp", path, "--directed" if directed else "--undirected", "--within", limit, "-o", output, ranks=1 + number % 2)
            self.assertEqual(read_csv(output), expected_entries(graph, list(graph.numbers()), limit))

    def test_standard_output_and_report(self):
        graph = tangle(True)
        path, facts = self.file("g.wel", graph.as_edge_list()), self.folder / "facts.json"
        self.good("apsp", path, "--within", 5, "-o", self.folder / "w.csv")
        for ranks in (1, 3):
            outcome = self.good("apsp", path, "--within", 5, "-o", "-", "--json", facts, ranks=ranks)
            self.assertEqual(outcome.out, (self.folder / "w.csv").read_text())
        entries = len(read_csv(self.folder / "w.csv"))
        found = json.loads(facts.read_text())
        self.assertEqual((found["within"], found["sources"], found["entries"]), (5, graph.vertices, entries))
        outcome = self.good("apsp", path, "--within", 5, "-o", self.folder / "w.npz")
        self.assertIn(f"\nfound    {entries} vertices at distances up to 5 from {graph.vertices} sources, themselves included, by Dijkstra's algorithm", outcome.out)
        self.assertIn("by breadth-first search from each source up to the limit", self.good("apsp", "ring:9", "--within", 2, "-o", self.folder / "w.npz").out)
        pipe = self.folder / "pipe.npz"
        os.mkfifo(pipe)
        self.assertIn("a sparse array can be written to a regular file only", self.fails(BAD_INPUT, "apsp", path, "--within", 5, "-o", pipe))

    def test_compact(self):
        path = self.file("g.wel", "1000000 5 2\n5 70 3\n")
        self.good("apsp", path, "--compact", "--within", 4, "-o", self.folder / "w.csv")
        self.assertEqual(read_csv(self.folder / "w.csv"), [(5, 5, 0), (5, 70, 3), (70, 70, 0), (1000000, 5, 2), (1000000, 1000000, 0)])
        outcome = self.good("apsp", path, "--compact", "--within", 4, "-o", self.folder / "w.mtx")
        self.assertIn("are in ascending order of the vertices' numbers", outcome.err)
        self.good("apsp", path, "--compact", "--within", 4, "--source", 70, "-o", self.folder / "w.npz")
        with zipfile.ZipFile(self.folder / "w.npz") as archive:
            self.assertEqual([read_array(archive.read(f"{name}.npy"))[1] for name in ("sources", "targets")], [[70], [5, 70, 1000000]])

    def test_bad_input(self):
        path = self.file("g.wel", "0 1 7\n")
        output = ("-o", self.folder / "w.npz")
        for limit in ("-1", "nan", "inf", "x", "-0.5"):
            self.assertIn(f"--within: expected a finite number from 0 on, found '{limit}'", self.fails(BAD_INPUT, "apsp", path, f"--within={limit}", *output))
        for options, message in (((), "--within: requires --output FILE"), (("-o", self.folder / "w.npy"), "expected a file extension of .npz, .mtx or .csv"),
                                 ((*output, "--engine", "gpu"), "--within: the searches run on the CPU's cores; --engine gpu is not possible"),
                                 ((*output, "--algorithm", "floyd-warshall"), "--algorithm floyd-warshall makes whole rows"),
                                 *(((*output, *others), f"--within and {others[0]} do not go together") for others in
                                   (("--targets", "random:1"), ("--predecessors", self.folder / "p.npy"), ("--summary",), ("--validate",), ("--vertices", self.folder / "f.csv"),
                                    ("--checkpoint", self.folder / "c")))):
            self.assertIn(message, self.fails(BAD_INPUT, "apsp", path, "--within", 5, *options))
        self.assertIn("has negative weights", self.fails_alike(BAD_INPUT, "apsp", self.file("n.wel", "0 1 -7\n"), "--within", 5, *output))
        self.assertIn("expected a file extension of .npy", self.fails(BAD_INPUT, "apsp", path, "-o", self.folder / "w.mtx"))
        self.assert_nothing_left("w.")


class FullDisks(WithFailingCalls):
    def test_no_half_file_and_the_old_one_stays(self):
        graph = tangle(True)
        path = self.file("g.wel", graph.as_edge_list())
        for name in ("w.npz", "w.csv", "w.mtx"):
            for call in (f"pwrite:{name}.part-*:1", f"pwrite:{name}.part-*:2", f"fsync:{name}.part-*:1"):
                for old in (False, True):
                    if old:
                        self.file(name, "old")
                    for ranks in (1, 3) if old else (1,):
                        outcome = self.run_with(call, "full", "apsp", path, "--within", 9, "-o", self.folder / name, ranks=ranks)
                        self.assertEqual((outcome.code, len(outcome.messages)), (RESOURCES, 1), outcome)
                        self.assertIn(name, outcome.message)
                        self.assertEqual([each.name for each in self.folder.iterdir() if each.name.startswith(name)], [name] if old else [])
                (self.folder / name).unlink()
        outcome = self.run_with(f"statvfs:{self.folder}:2", "full", "apsp", path, "--within", 9, "-o", self.folder / "w.npz")
        self.assertIn((outcome.code, bool(outcome.messages)), ((RESOURCES, True), (0, False)))


class SciPy(DriverTest):
    LOAD = """import json, sys, numpy, scipy.io, scipy.sparse, scipy.sparse.csgraph
array = scipy.sparse.load_npz(sys.argv[1])
other = scipy.io.mmread(sys.argv[2]).tocsr()
listed = scipy.io.mmread(sys.argv[3])
lightest = {}  # SciPy would add up parallel edges
for u, v, weight in zip(listed.row, listed.col, listed.data):
    lightest[u, v] = min(weight, lightest.get((u, v), weight))
graph = scipy.sparse.csr_matrix((list(lightest.values()), tuple(zip(*lightest))), shape=listed.shape)
limit = float(sys.argv[4])
expected = scipy.sparse.csgraph.dijkstra(graph, limit=limit)
found = numpy.full(array.shape, numpy.inf)
rows = numpy.repeat(numpy.arange(array.shape[0]), numpy.diff(array.indptr))
found[rows, array.indices] = array.data
print(json.dumps([bool((found == expected).all()), bool((other != array).nnz == 0), int(array.nnz), bool(array.has_canonical_format), str(array.dtype)]))"""

    def test_loads_and_agrees(self):
        for interpreter in (os.environ.get("WAYFRONT_NETWORKX", sys.executable), "/usr/bin/python3"):
            if subprocess.run([interpreter, "-c", "import scipy.sparse.csgraph, scipy.io"], capture_output=True, check=False).returncode == 0:
                break
        else:
            self.skipTest("SciPy is not installed")
        for spec, weights, limit, kind in (("random:300,1200", "uniform:1..50", 60, "uint16"), ("grid:15x20", "uniform:1..90000", 200000, "int32"),
                                           ("rmat:8", None, 2, "uint16")):
            graph = self.folder / "g.mtx"
            self.good("generate", spec, graph, *(("--weights", weights) if weights else ()))
            if weights is None:
                text = graph.read_text()
                graph.write_text(self.with_ones(text))
            npz, mtx = self.folder / "w.npz", self.folder / "w.mtx"
            for output in (npz, mtx):
                self.good("apsp", graph, "--within", limit, "-o", output, ranks=2)
            answer = subprocess.run([interpreter, "-c", self.LOAD, npz, mtx, graph, str(limit)], capture_output=True, text=True, check=False)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            equal, same, entries, canonical, dtype = json.loads(answer.stdout)
            self.assertEqual((equal, same, canonical, dtype), (True, True, True, kind), spec)
            self.assertEqual(entries, len(read_npz(npz)[2]))

    @staticmethod
    def with_ones(text):
        banner, *lines = text.splitlines()
        first = next(i for i, line in enumerate(lines) if not line.startswith("%"))
        return "\n".join([banner.replace("pattern", "integer"), *lines[:first + 1], *(f"{line} 1" for line in lines[first + 1:])]) + "\n"


if __name__ == "__main__":
    unittest.main()
