"""Edge lists whose numbers of vertices have gaps, with --compact: each result against that of the
same graph numbered without gaps, and messages."""

import ast
import json
import random
import struct
import unittest

from driver import BAD_INPUT, RESOURCES, DriverTest, read_csv
from weighted_graph import read_csv as read_distances

LARGEST = 2**63 - 1


def read_npy(path):
    """The elements of a file, as tuples of a row."""
    content = path.read_bytes()
    begin = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:begin].decode())
    rows, columns = header["shape"]
    kind = {"<i8": "q", "<f8": "d", "<i4": "i", "<u2": "H"}[header["descr"]]
    elements = struct.unpack(f"<{rows * columns}{kind}", content[begin:])
    return header["descr"], [elements[i * columns:(i + 1) * columns] for i in range(rows)]


class CompactTest(DriverTest):
    """The same random graph with gaps and without, as text of any kind."""

    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        # Around those that a pair of vertices in memory can hold, too.
        self.numbers = sorted({0, LARGEST, 1000000000007, *(draw.randrange(LARGEST) for _ in range(20)), *range(300, 320), *range(2**47 - 2, 2**47 + 2),
                               *range(2**48 - 2, 2**48 + 2)})
        n = len(self.numbers)
        self.edges = [(draw.randrange(n), draw.randrange(n), draw.randrange(1, 9)) for _ in range(90)]
        self.edges += [(v, v, 3) for v in range(n)]  # every number is named
        draw.shuffle(self.edges)
        self.source, self.target = self.edges[0][0], self.edges[1][1]

    def pair(self, line, header="", extension="wel"):
        """The file with gaps, and the one without. `line` makes the text of an edge."""
        gaps = header + "".join(line(self.numbers[u], self.numbers[v], w) for u, v, w in self.edges)
        dense = header + "".join(line(u, v, w) for u, v, w in self.edges)
        return self.file(f"gaps.{extension}", gaps), self.file(f"dense.{extension}", dense)

    def number(self, v):
        return v if v < 0 else self.numbers[v]

    def outside(self, rows):
        return [(self.number(v), value, self.number(parent)) for v, value, parent in rows]


class Results(CompactTest):
    def test_searches(self):
        forms = {"el": (lambda u, v, w: f"{u}\t{v}\n", ""), "wel": (lambda u, v, w: f"{u} {v} {w}\n", ""),
                 "csv": (lambda u, v, w: f"{w},{v},{u}\n", "cost,to,from\n")}
        out = self.folder / "out.csv"
        for extension, (line, header) in forms.items():
            gaps, dense = self.pair(line, header, extension)
            for command, read in (("bfs", read_csv), ("sssp", read_distances)):
                for options in ((), ("--undirected",), ("--reverse",)):
                    with self.subTest(extension=extension, command=command, options=options):
                        words = ("--deterministic", "--validate", "--quiet", *options, "-o", out)
                        self.good(command, dense, "--source", self.source, *words)
                        expected = self.outside(read(out))
                        for ranks in (1, 3):
                            self.good(command, gaps, "--compact", "--source", self.numbers[self.source], *words, ranks=ranks)
                            self.assertEqual(read(out), expected)

    def test_paths_sources_and_names_of_files(self):
        gaps, dense = self.pair(lambda u, v, w: f"{u} {v} {w}\n")
        sources = self.file("sources.txt", f"{LARGEST} 0 # two\n")
        facts = self.folder / "facts.json"
        last = len(self.numbers) - 1
        for ranks in (1, 3):
            plain = self.good("sssp", dense, "--source", last, "--source", 0, "--target", self.target, "--quiet", "--deterministic", "--json", facts)
            paths = [search["path"] for search in json.loads(facts.read_text())["searches"]]
            outcome = self.good("sssp", gaps, "--compact", "--sources", sources, "--target", self.numbers[self.target], "--quiet", "--deterministic",
                                "--json", facts, "-o", self.folder / "r.txt", ranks=ranks)
            document = json.loads(facts.read_text())
            self.assertEqual([search["path"] for search in document["searches"]], [[self.numbers[v] for v in path] for path in paths])
            self.assertEqual([search["source"] for search in document["searches"]], [LARGEST, 0])
            self.assertEqual(outcome.out.split(":")[0], plain.out.split(":")[0])
            self.assertTrue((self.folder / f"r.{LARGEST}.txt").exists() and (self.folder / "r.0.txt").exists())
            self.assertEqual((document["graph"]["compact"], document["graph"]["vertices"], document["graph"]["first_vertex"]), (True, last + 1, 0))

    def test_entries_of_npy_have_the_order_of_the_numbers(self):
        gaps, dense = self.pair(lambda u, v, w: f"{u} {v} {w}\n")
        out, numbers = self.folder / "out.npy", self.folder / "numbers.txt"
        self.good("sssp", dense, "--source", self.source, "--deterministic", "-o", out)
        expected = [(distance, self.number(parent)) for distance, parent in read_npy(out)[1]]
        for ranks in (1, 3):
            words = ("sssp", gaps, "--compact", "--source", self.numbers[self.source], "--deterministic", "-o", out)
            outcome = self.good(*words, "--vertex-numbers", numbers, ranks=ranks)
            self.assertEqual(read_npy(out)[1], expected)
            self.assertEqual([int(line) for line in numbers.read_text().splitlines()], self.numbers)
            self.assertNotIn("ascending order", outcome.err)
            self.assertIn(f"note: the entries of {out} are in ascending order of the vertices' numbers, which --vertex-numbers FILE writes\n",
                          self.good(*words, ranks=ranks).err)

    def all_pairs(self, path, form, *options, ranks=1):
        """The distances, the predecessors and the summary."""
        distances, parents, facts = self.folder / f"d.{form}", self.folder / f"p.{form}", self.folder / "facts.json"
        self.good("apsp", path, "-o", distances, "--predecessors", parents, "--json", facts, "--summary", "--validate", *options, ranks=ranks)
        read = read_npy if form == "npy" else lambda csv: [line.split(",") for line in csv.read_text().splitlines()]
        return read(distances), read(parents), json.loads(facts.read_text())["summary"]

    def test_all_pairs(self):
        gaps, dense = self.pair(lambda u, v, w: f"{u} {v} {w}\n")
        for algorithm in ("dijkstra", "floyd-warshall"):
            words = ("--algorithm", algorithm)
            distances, (_, parents), summary = self.all_pairs(dense, "npy", *words)
            summary["vertices"] = self.numbers
            for key in ("center", "periphery"):
                summary[key] = [self.numbers[vertex] for vertex in summary[key]]
            text = self.all_pairs(dense, "csv", *words)
            rows = text[0][1:]
            distances_as_text = [["source", *map(str, self.numbers)], *([str(self.numbers[int(row[0])]), *row[1:]] for row in rows)]
            parents_as_text = [distances_as_text[0], *([str(self.number(int(each))) for each in row] for row in text[1][1:])]
            for ranks in (1, 3):
                found = self.all_pairs(gaps, "npy", "--compact", *words, ranks=ranks)
                self.assertEqual(found, (distances, ("<i8", [tuple(map(self.number, row)) for row in parents]), summary))
                self.assertEqual(self.all_pairs(gaps, "csv", "--compact", *words, ranks=ranks), (distances_as_text, parents_as_text, summary))
        small = self.file("small.wel", "7 300 2\n300 9 1\n")  # predecessors of 32 bits
        self.assertEqual(self.all_pairs(small, "npy", "--compact")[1], ("<i4", [(7, 300, 7), (-1, 9, -1), (-1, 300, 300)]))

    def test_many_graphs(self):
        gaps, dense = self.pair(lambda u, v, w: f"{u} {v} {w}\n")
        facts = self.folder / "facts.json"
        self.good("apsp", dense, "-o", self.folder / "dense.npy")
        self.good("apsp", "--bulk", self.file("list.txt", f"{gaps}\n"), "--compact", "-o", self.folder / "d", "--json", facts, ranks=3)
        self.assertEqual((self.folder / "d" / "gaps.npy").read_bytes(), (self.folder / "dense.npy").read_bytes())
        self.assertEqual(json.loads(facts.read_text())["graphs"][0]["summary"]["vertices"], self.numbers)

    def test_info_and_convert(self):
        gaps, dense = self.pair(lambda u, v, w: f"{u} {v} {w}\n")
        facts, numbers = self.folder / "facts.json", self.folder / "numbers.txt"
        expected, converted = self.folder / "expected.wel", self.folder / "converted.wel"
        for ranks in (1, 3):
            out = self.good("info", gaps, "--compact", "--json", facts, ranks=ranks).out
            self.assertIn(f"vertices       {len(self.numbers)}, numbered 0 to {LARGEST} with gaps\n", out)
            for options in ((), ("--one-based",)):
                # With --one-based, the file must not name vertex 0.
                shifted = self.file("shifted.wel", "".join(f"{self.numbers[u] or 2} {self.numbers[v] or 2} {w}\n" for u, v, w in self.edges))
                one = self.file("one.wel", "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in self.edges))
                graph, plain = (shifted, one) if options else (gaps, dense)
                self.good("convert", plain, expected, *options)
                outcome = self.good("convert", graph, converted, "--compact", *options, ranks=ranks)
                self.assertEqual(converted.read_text(), expected.read_text())
                self.assertIn(f"note: {converted} numbers the vertices from {len(options)} without gaps, in ascending order of their numbers in {graph}, "
                              "which --vertex-numbers FILE writes\n", outcome.err)
            outcome = self.good("convert", gaps, self.folder / "o.sg", "--compact", "--no-weights", "--vertex-numbers", numbers, ranks=ranks)
            self.assertNotIn("note", outcome.err)
            self.assertEqual([int(line) for line in numbers.read_text().splitlines()], self.numbers)

    def test_weights_and_headers(self):
        out = self.folder / "out.csv"
        # The header's number of vertices does not count; n is that of the vertices with edges.
        path = self.file("g.el", "# Undirected graph\n# Nodes: 900 Edges: 2\n# Vertices are numbered from 1\n70 800\n800 90000\n")
        for ranks in (1, 3):
            self.good("sssp", path, "--compact", "--source", 800, "-o", out, "--weights", "uniform:3..n", ranks=ranks)
            self.assertEqual(read_distances(out), [(70, 3, 800), (800, 0, 800), (90000, 3, 800)])
        empty = self.file("empty.el", "# Nodes: 9 Edges: 0\n")
        for ranks in (1, 3):
            self.assertIn("vertices       0\n", self.good("info", empty, "--compact", ranks=ranks).out)
        self.assertIn("there is no vertex 0: ", self.fails(BAD_INPUT, "bfs", empty, "--compact", "--source", 0))


class Messages(CompactTest):
    def test_large_numbers_are_named(self):
        path = self.file("g.el", "0 1000000000007\n1000000000007 5\n")
        advice = "; its largest vertex is 1000000000007, although it has only 2 edges: --compact leaves out the vertices that no edge names"
        for code, words in ((RESOURCES, ("bfs", path, "--source", 0)), (RESOURCES, ("sssp", path, "--source", 0)), (BAD_INPUT, ("apsp", path)),
                            (RESOURCES, ("info", path)), (BAD_INPUT, ("convert", path, self.folder / "o.sg"))):
            for ranks in (1, 3):
                message = self.fails(code, *words, ranks=ranks)
                self.assertTrue(message.endswith(advice), message)
        # Other graphs that are too large do not get this advice.
        for words in (("info", self.file("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n99999999999 99999999999 1\n1 2\n")),
                      ("info", "path:99999999999")):
            self.assertNotIn("--compact", self.fails(RESOURCES, *words))

    def test_vertices_without_edges(self):
        path = self.file("g.el", "70 90\n")
        for option in ("--source", "--target"):
            message = self.fails(BAD_INPUT, "bfs", path, "--compact", "--source", 70, option, 80)
            self.assertIn(f"{option}: there is no vertex 80: no edge of {path} names it, and --compact leaves out such vertices", message)

    def test_floats_beside_parents_must_be_exact(self):
        whole, real = (self.file(name, f"0 {LARGEST} {weight}\n") for name, weight in (("whole.wel", 3), ("real.wel", 0.5)))
        out = self.folder / "out.npy"
        words = ("--compact", "--source", 0, "-o", out)
        self.assertIn(f"--output: {out}: parents beside distances that are floats are float64, which rounds vertex {LARGEST}; .csv keeps it",
                      self.fails_alike(BAD_INPUT, "sssp", real, *words))
        self.good("sssp", whole, *words)
        self.assertEqual(read_npy(out)[1], [(0, 0), (3, 0)])

    def test_numbers_beyond_the_largest(self):
        path = self.file("g.el", f"0 1\n5 {LARGEST + 1}\n")
        self.assertIn(f":2:3: expected a vertex from 0 to {LARGEST}, found '{LARGEST + 1}'", self.fails_alike(BAD_INPUT, "info", path, "--compact"))

    def test_a_first_line_of_counts(self):
        for first, vertices, noted in ((9, 4, True), (2**47 + 5, 6, False), (LARGEST, 6, False)):
            path = self.file("g.el", f"{first} 3\n1 5\n5 7\n7 8\n")
            for ranks in (1, 3):
                outcome = self.good("info", path, "--compact", ranks=ranks)
                self.assertIn(f"vertices       {vertices}, ", outcome.out)
                self.assertEqual("taken as its numbers of vertices and edges" in outcome.err, noted)

    def test_cycles(self):
        path = self.file("g.wel", "5 1000000000007 -3\n1000000000007 5 1\n")
        message = self.fails_alike(1, "apsp", path, "--compact")
        self.assertRegex(message, r" has a cycle of negative length \(-2\), (5 -> 1000000000007 -> 5|1000000000007 -> 5 -> 1000000000007)$")

    def test_bad_usage(self):
        graph = self.file("g.gr", "p sp 2 1\na 1 2 3\n")
        edges = self.file("g.el", "0 1\n")
        numbers = self.folder / "n.txt"
        words = "--compact: is for edge lists (.txt, .el, .csv, ...); "
        self.assertIn(words + f"{graph} is of a format that numbers vertices without gaps", self.fails(BAD_INPUT, "info", graph, "--compact"))
        self.assertIn(words + "grid:3x3 has vertices without gaps", self.fails(BAD_INPUT, "info", "grid:3x3", "--compact"))
        self.assertIn("--vertex-numbers: requires --compact", self.fails(BAD_INPUT, "info", edges, "--vertex-numbers", numbers))
        self.assertIn("--bulk and --vertex-numbers do not go together",
                      self.fails(BAD_INPUT, "apsp", "--bulk", self.folder, "--compact", "--vertex-numbers", numbers))
        self.assertIn("--vertex-numbers", self.fails(BAD_INPUT, "bfs", edges, "--source", 0, "--compact", "--vertex-numbers", edges))


if __name__ == "__main__":
    unittest.main()
