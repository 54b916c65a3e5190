"""Breadth-first search as users run it: results in every form, on all grids and in all directions, compared with a search with a queue."""

import ast
import gzip
import json
import lzma
import os
import random
import re
import struct
import unittest

from driver import BAD_INPUT, SHARED_DATA, DriverTest, Graph, check_result, on_a_terminal, read_csv, run


def tangle(vertices=67, edges=120, directed=True, first=0):
    """A random graph with self-loops, duplicates, isolated vertices and several components; 67 is
    not a multiple of any number of ranks used here."""
    draw = random.Random(7)
    some = [first + draw.randrange(vertices - 6) for _ in range(2 * edges)]
    pairs = list(zip(some[::2], some[1::2]))
    return Graph(vertices, pairs + pairs[:10] + [(first + 3, first + 3)], directed, first)


def as_dimacs(graph):
    return f"c a comment\np sp {graph.vertices} {len(graph.edges)}\n" + "".join(f"a {u} {v} 5\n" for u, v in graph.edges)


def as_metis(graph):
    """Self-loops are left out, because METIS does not allow them; duplicates are repeated."""
    lists = {v: [] for v in graph.numbers()}
    pairs = [(u, v) for u, v in graph.edges if u != v]
    for u, v in pairs:
        lists[u].append(v)
        lists[v].append(u)
    return f"{graph.vertices} {len(pairs)}\n" + "".join(" ".join(map(str, lists[v])) + "\n" for v in graph.numbers())


class Results(DriverTest):
    def search(self, path, source, *options, ranks=1):
        output = self.folder / "out.csv"
        self.good("bfs", path, "--source", source, "-o", output, *options, ranks=ranks)
        return read_csv(output)

    def test_directed_and_undirected_over_ranks_and_grids(self):
        directed = tangle(first=1)
        path = self.file("g.gr", as_dimacs(directed))
        source = directed.edges[0][0]
        for ranks, grid in [(1, "auto"), (3, "3x1"), (3, "1x3"), (4, "2x2"), (6, "2x3")]:
            for options, graph in [((), directed), (("--undirected",), directed.undirected())]:
                with self.subTest(ranks=ranks, grid=grid, options=options):
                    check_result(self, graph, source, self.search(path, source, "--grid", grid, *options, ranks=ranks))

    def test_directions_and_exchanges(self):
        graph = tangle(first=1)
        path = self.file("g.gr", as_dimacs(graph))
        for direction in ("top-down", "bottom-up", "auto"):
            for exchange in ("bitmap", "list", "auto"):
                with self.subTest(direction=direction, exchange=exchange):
                    rows = self.search(path, 2, "--direction", direction, "--exchange", exchange, "--grid", "2x2", ranks=4)
                    check_result(self, graph, 2, rows)

    def test_dense_parts_that_few_edges_join(self):
        """A search of one rank samples that it would turn bottom-up in vain. Several ranks do so once: then their bound for another such level is
        higher."""
        cliques = [(c * 60 + a, c * 60 + b) for c in range(4) for a in range(60) for b in range(a)] + [(c * 60, c * 60 - 1) for c in range(1, 4)]
        graph = Graph(340, cliques + [(239 + v, 240 + v) for v in range(100)], False, 0)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v in graph.edges))
        report = self.folder / "report.json"
        for ranks, second in ((1, "top-down"), (3, "bottom-up")):
            check_result(self, graph, 30, self.search(path, 30, "--undirected", "--json", report, ranks=ranks))
            directions = [level["direction"] for level in json.loads(report.read_text())["searches"][0]["levels"]]
            self.assertEqual(directions[1], second)
            self.assertNotIn("bottom-up", directions[2:])

    def test_every_source(self):
        graph = tangle(vertices=23, edges=30, first=1)
        path = self.file("g.gr", as_dimacs(graph))
        sources = [option for v in graph.numbers() for option in ("--source", v)]
        for ranks in (1, 3):
            self.good("bfs", path, *sources, "-o", self.folder / "out.csv", ranks=ranks)
            for v in graph.numbers():
                check_result(self, graph, v, read_csv(self.folder / f"out.{v}.csv"))

    def test_metis_counts_from_one(self):
        graph = tangle(directed=False, first=1)
        check_result(self, graph, 5, self.search(self.file("g.graph", as_metis(graph)), 5, ranks=3))

    def test_edge_list_counts_as_written(self):
        graph = tangle(first=0)
        graph = Graph(1 + max(map(max, graph.edges)), graph.edges, True)
        for ranks in (1, 3):
            check_result(self, graph, 5, self.search(self.file("g.el", graph.as_edge_list()), 5, ranks=ranks))

    def test_deterministic_parents_are_the_smallest(self):
        graph = tangle(edges=300, first=1)
        path = self.file("g.gr", as_dimacs(graph))
        parents = graph.smallest_parents(2)
        for ranks, grid, direction in [(1, "auto", "auto"), (3, "1x3", "top-down"), (4, "2x2", "bottom-up")]:
            rows = self.search(path, 2, "--deterministic", "--grid", grid, "--direction", direction, ranks=ranks)
            check_result(self, graph, 2, rows)
            self.assertEqual({v: p for v, _, p in rows if p >= 0}, parents)

    def test_reverse(self):
        graph = tangle(first=1)
        path = self.file("g.gr", as_dimacs(graph))
        for ranks, options in ((1, ()), (3, ()), (4, ("--direction", "bottom-up")), (3, ("--deterministic",))):
            rows = self.search(path, 2, "--reverse", "--validate", *options, ranks=ranks)
            check_result(self, graph.reversed(), 2, rows)
            if options == ("--deterministic",):
                self.assertEqual({v: p for v, _, p in rows if p >= 0}, graph.reversed().smallest_parents(2))
        facts = self.folder / "facts.json"
        for options, reversed_edges in ((("--reverse",), True), ((), False), (("--reverse", "--undirected"), False)):
            outcome = self.good("bfs", path, "--source", 2, "--json", facts, *options)
            self.assertEqual(json.loads(facts.read_text())["graph"]["reversed"], reversed_edges)
            self.assertEqual("edges, directed, reversed\n" in outcome.out, reversed_edges)
            self.assertEqual(f"note: --reverse changes nothing: the edges of {path} are undirected\n" in outcome.err, "--undirected" in options)

    def test_reverse_of_generated_graphs(self):
        edges = self.folder / "g.el"
        self.good("generate", "random:60,150,directed=1", "-o", edges)
        pairs = [tuple(map(int, line.split()[:2])) for line in edges.read_text().splitlines() if not line.startswith("#")]
        for ranks in (1, 3):
            check_result(self, Graph(60, pairs, True).reversed(), 5, self.search("random:60,150,directed=1", 5, "--reverse", ranks=ranks))

    def test_cutoff(self):
        graph = tangle(first=1)
        path = self.file("g.gr", as_dimacs(graph))
        for cutoff in (0, 1, 3, 1000):
            for ranks in (1, 4):
                check_result(self, graph, 2, self.search(path, 2, "--cutoff", cutoff, ranks=ranks), cutoff)

    def test_isolated_source(self):
        graph = tangle(first=1)
        path = self.file("g.gr", as_dimacs(graph))
        for ranks in (1, 3):
            outcome = self.good("bfs", path, "--source", graph.vertices, ranks=ranks)
            self.assertRegex(outcome.out, r"source 67 +1 reached, depth 0")
            check_result(self, graph, graph.vertices, self.search(path, graph.vertices, ranks=ranks))

    def test_one_vertex(self):
        for spec in ("path:1", "random:1,0"):
            self.assertEqual(self.search(spec, 0, ranks=3), [(0, 0, 0)])

    def test_more_ranks_than_vertices(self):
        self.assertEqual(self.search("path:3", 0, ranks=6), [(0, 0, 0), (1, 1, 0), (2, 2, 1)])

    def test_missing_vertices(self):
        path = self.file("g.gr", as_dimacs(tangle(first=1)))
        for option in ("--source", "--target"):
            for vertex in (0, 68, 2**40):
                message = self.fails(BAD_INPUT, "bfs", path, "--source", 1, option, vertex)
                self.assertIn(f"{option}: there is no vertex {vertex}: those of {path} are 1 to 67", message)
        self.assertIn("no vertex 68", self.fails_alike(BAD_INPUT, "bfs", path, "--source", 68))

    def test_validation(self):
        path = self.file("g.gr", as_dimacs(tangle(first=1)))
        for options in ((), ("--undirected",), ("--deterministic",)):
            self.assertIn(", valid\n", self.good("bfs", path, "--source", 2, "--validate", *options, ranks=3).out)


class Terminal(DriverTest):
    def shown(self, *arguments):
        """The progress that a terminal received, and the lines that it shows in the end."""
        code, received = on_a_terminal(*arguments)
        text = received.decode()
        self.assertEqual(code, 0, text)
        lines = [line.split("\r\033[K") for line in text.split("\r\n")]
        return [progress for line in lines for progress in line[:-1]], [line[-1] for line in lines]

    def test_progress_is_removed(self):
        progress, lines = self.shown("bfs", "kron:6", "--sources", "random:9")
        self.assertIn("search: 0 of 9", progress)
        self.assertEqual(sum(line.startswith("source ") for line in lines), 9)
        for line in lines:
            self.assertNotRegex(line, "^(generate:|construct:|search:)|%", "no progress remains")

    def test_progress_of_loading_construction_and_converting(self):
        packed = self.folder / "g.el.gz"
        progress, lines = self.shown("convert", "grid:30x30", packed)
        self.assertLessEqual({"generate: 0%", "generate: 100%", "write: 0%", "write: 100%", f"write: complete {packed}"}, set(progress))
        self.assertEqual([line.partition(":")[0] for line in lines], [str(packed), ""])
        progress, lines = self.shown("bfs", packed, "--source", 0)
        self.assertLessEqual({"load: unpack 0%", "load: unpack 100%", "load: scan 100%", "load: read 100%", "construct: pass 1 over the edges 0%",
                              "construct: prepare the searches", "search: 0 of 1"}, set(progress))
        self.assertTrue(lines[0].startswith("graph "), lines)
        self.assertIn("generate: 100%", self.shown("generate", "path:9", self.folder / "path.el")[0])

    def test_progress_in_a_log(self):
        for ranks in (1, 3):
            outcome = self.good("graph500", "--scale", 8, "--keys", 3, "--kernel", "both", "--progress", "log", ranks=ranks)
            lines = [line.removeprefix("wayfront: progress: ") for line in outcome.err.splitlines() if line.startswith("wayfront: progress: ")]
            for expected in ("^generate: 100% after ", "^construct: ", "^graph500 bfs: 3 of 3 after ", "^graph500 sssp: 3 of 3 after "):
                self.assertEqual(sum(re.search(expected, line) is not None for line in lines), 1, (expected, lines))
            self.assertNotIn("progress:", outcome.out)
        for form in ("auto", "none"):  # the work is too short for `auto`
            self.assertNotIn("progress", self.good("bfs", "kron:6", "--source", 1, "--progress", form).err)
        self.assertNotIn("progress", self.good("bfs", "kron:6", "--source", 1, "--progress", "log", "--quiet").err)
        self.assertIn("\033[Ksearch: 0 of 1", self.good("bfs", "kron:6", "--source", 1, "--progress", "terminal").err)
        self.assertIn("--progress: expected auto, terminal, log or none, found 'x'", self.fails_alike(BAD_INPUT, "bfs", "kron:6", "--progress", "x"))

    def test_no_progress_with_quiet(self):
        self.assertEqual(self.shown("convert", "grid:30x30", self.folder / "g.sg", "--quiet"), ([], [""]))
        self.assertEqual(self.shown("bfs", self.folder / "g.sg", "--source", 0, "--quiet")[0], [])


class Sources(DriverTest):
    def test_file(self):
        sources = self.file("sources.txt", "# two lines\n3 1\n2 # a comment\n")
        outcome = self.good("bfs", "path:10", "--sources", sources, "--source", 9)
        self.assertEqual([line.split()[1] for line in outcome.out.splitlines() if line.startswith("source")], ["9", "3", "1", "2"])

    def test_bad_files(self):
        for text, expected in [("1\ntwo\n", ":2:1: expected the number of a vertex, found 'two'"), ("1 10\n", ":1:3: there is no vertex 10"),
                               ("-1\n", ":1:1: there is no vertex -1"), ("# none\n", "names no vertex")]:
            self.assertIn(expected, self.fails_alike(BAD_INPUT, "bfs", "path:10", "--sources", self.file("sources.txt", text)))
        self.assertIn("nosuch.txt", self.fails_alike(BAD_INPUT, "bfs", "path:10", "--sources", self.folder / "nosuch.txt"))

    def test_sources_from_standard_input(self):
        listed = self.file("listed.txt", "2  # a comment\n7\n")
        for ranks in (1, 3):
            with open(listed) as text:
                outcome = run("bfs", "path:10", "--sources", "-", ranks=ranks, stdin=text)
            self.assertEqual(outcome.code, 0, outcome.err)
            self.assertIn("source 2 ", outcome.out)
            self.assertIn("source 7 ", outcome.out)
        self.assertIn("GRAPH and --sources both name standard input", self.fails_alike(BAD_INPUT, "bfs", "-", "--format", "el", "--sources", "-"))

    def test_wrong_ones_are_told_before_the_work(self):
        # No machine has the memory that construction would need.
        graph = self.file("g.gr", "p sp 200000000000000 1\na 1 2 3\n")
        self.assertIn("no vertex 0", self.fails_alike(BAD_INPUT, "bfs", graph, "--source", 0))
        self.assertIn("nosuch.txt", self.fails_alike(BAD_INPUT, "bfs", graph, "--sources", self.folder / "nosuch.txt"))

    def test_random(self):
        def drawn(*options, ranks=1):
            out = self.good("bfs", "kron:8", "--sources", "random:40", *options, ranks=ranks).out
            lines = [line.split() for line in out.splitlines() if line.startswith("source")]
            self.assertTrue(all(int(line[2]) > 1 for line in lines), "random sources have edges")
            return [line[1] for line in lines]

        first = drawn()
        self.assertEqual(len(set(first)), 40)
        self.assertEqual(first, drawn(ranks=3))
        self.assertNotEqual(first, drawn("--seed", 5))
        self.assertIn("only 5 vertices", self.fails(BAD_INPUT, "bfs", "ring:5", "--sources", "random:6"))
        self.fails(BAD_INPUT, "bfs", "ring:5", "--sources", "random:x")


class Paths(DriverTest):
    def test_path(self):
        for ranks in (1, 3):
            self.assertEqual(self.good("bfs", "grid:1x6", "--source", 4, "--target", 1, "--quiet", ranks=ranks).out, "path of 3 edges: 4 3 2 1\n")
            self.assertEqual(self.good("bfs", "path:6", "--source", 4, "--target", 4, "--quiet", ranks=ranks).out, "path of 0 edges: 4\n")

    def test_path_follows_edges_in_the_files_numbers(self):
        graph = tangle(edges=200, first=1)
        path = self.file("g.gr", as_dimacs(graph))
        levels = graph.levels(2)
        farthest = max(levels, key=lambda v: (levels[v], v))
        words = self.good("bfs", path, "--source", 2, "--target", farthest, "--quiet", ranks=3).out.split(": ")[1].split()
        found = list(map(int, words))
        self.assertEqual((found[0], found[-1], len(found) - 1), (2, farthest, levels[farthest]))
        self.assertTrue(all(v in graph.out[u] for u, v in zip(found, found[1:])))

    def test_no_path(self):
        path = self.file("g.el", "0 1\n2 3\n")
        self.assertEqual(self.good("bfs", path, "--source", 0, "--target", 3, "--quiet", ranks=3).out, "no path from 0 to 3\n")

    def test_a_path_to_the_source_follows_the_edges(self):
        path = self.file("g.el", "0 1\n1 2\n2 3\n3 1\n")
        facts = self.folder / "facts.json"
        for ranks in (1, 3):
            self.assertEqual(self.good("bfs", path, "--source", 3, "--target", 0, "--reverse", "--quiet", "--json", facts, ranks=ranks).out,
                             "path of 3 edges: 0 1 2 3\n")
            self.assertEqual(json.loads(facts.read_text())["searches"][0]["path"], [0, 1, 2, 3])
        self.assertEqual(self.good("bfs", path, "--source", 0, "--target", 3, "--reverse", "--quiet").out, "no path from 3 to 0\n")

    def test_no_path_within_a_cutoff(self):
        for cutoff, expected in ((2, "no path from 0 to 4 within 2 levels (--cutoff 2)\n"), (1, "no path from 0 to 4 within 1 level (--cutoff 1)\n"),
                                 (4, "path of 4 edges: 0 1 2 3 4\n")):
            self.assertEqual(self.good("bfs", "path:5", "--source", 0, "--target", 4, "--cutoff", cutoff, "--quiet").out, expected)


class Forms(DriverTest):
    """The same result in every form of output."""

    def setUp(self):
        super().setUp()
        self.graph = tangle(first=1)
        self.path = self.file("g.gr", as_dimacs(self.graph))

    def written(self, name, ranks):
        output = self.folder / name
        self.good("bfs", self.path, "--source", 2, "-o", output, "--quiet", ranks=ranks)
        return output

    def test_csv_and_txt(self):
        for ranks in (1, 3):
            rows = read_csv(self.written("out.csv", ranks))
            check_result(self, self.graph, 2, rows)
            header, *lines = self.written("out.txt", ranks).read_text().splitlines()
            self.assertEqual(header, "# vertex level parent")
            self.assertEqual([tuple(map(int, line.split())) for line in lines], rows)

    def test_npy(self):
        for ranks in (1, 3):
            data = self.written("out.npy", ranks).read_bytes()
            self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
            (length,) = struct.unpack("<H", data[8:10])
            self.assertEqual((10 + length) % 64, 0)
            header = ast.literal_eval(data[10:10 + length].decode())
            self.assertEqual(header, {"descr": "<i8", "fortran_order": False, "shape": (67, 2)})
            values = struct.unpack(f"<{2 * 67}q", data[10 + length:])
            check_result(self, self.graph, 2, [(v, values[2 * i], values[2 * i + 1]) for i, v in enumerate(self.graph.numbers())])

    def test_json(self):
        for ranks in (1, 3):
            document = json.loads(self.written("out.json", ranks).read_text())
            self.assertEqual((document["source"], document["vertices"], document["columns"]), (2, 67, ["vertex", "level", "parent"]))
            check_result(self, self.graph, 2, [tuple(row) for row in document["rows"]])

    def test_unknown_extension(self):
        self.assertIn(".txt, .csv, .npy or .json", self.fails_alike(BAD_INPUT, "bfs", self.path, "--source", 2, "-o", self.folder / "out.bin"))

    def test_facts_as_json(self):
        facts = self.folder / "facts.json"
        self.good("bfs", self.path, "--source", 2, "--target", 2, "--json", facts, ranks=3)
        document = json.loads(facts.read_text())
        self.assertEqual(document["graph"]["vertices"], 67)
        self.assertEqual((document["search"]["ranks"], document["search"]["grid"]), (3, "3x1"))
        (search,) = document["searches"]
        levels = self.graph.levels(2)
        self.assertEqual((search["source"], search["reached"], search["depth"], search["path"]), (2, len(levels), max(levels.values()), [2]))
        self.assertEqual(sum(level["frontier"] for level in search["levels"]), len(levels))

    def test_trace(self):
        trace = self.folder / "trace.json"
        self.good("bfs", self.path, "--source", 2, "--trace", trace, "--quiet", "--validate", "-o", self.folder / "out.csv", ranks=3)
        spans = self.spans(trace)
        self.assertEqual({span["pid"] for span in spans}, {0, 1, 2})
        self.assertEqual({span["path"] for span in spans},
                         {"load", "construct", "bfs", "bfs/level", "bfs/level/counts", "bfs/level/counts/all-gather", "bfs/level/expand",
                          "bfs/level/expand/all-gather", "bfs/level/search", "bfs/level/fold", "bfs/output", "validate", "write"})

    def test_searches_in_a_trace(self):
        trace = self.folder / "trace.json"
        self.good("bfs", "path:5", "--source", 2, "--source", 4, "--trace", trace, "--quiet")
        spans = self.spans(trace)
        searches = [span["args"] for span in spans if span["name"] == "bfs"]
        self.assertEqual(searches, [{"search": 1, "source": 2}, {"search": 2, "source": 4}])
        levels = [span["args"]["level"] for span in spans if span["path"] == "bfs/level"]
        self.assertEqual(levels, [1, 2, 3, 4, 1, 2, 3, 4, 5, 6], "each search ends with the level of an empty frontier")
        for span in spans:
            self.assertEqual("level" in span["args"], span["path"].startswith("bfs/level"), span)

    def test_sizes_of_levels(self):
        out = self.good("bfs", "path:40", "--source", 1, "--source", 0).out
        self.assertRegex(out, r"source 1 +40 reached, depth 38, \S+ s, \S+ edges/s\n  levels       1 2( 1){14} \.\.\. \(39 levels")
        self.assertRegex(self.good("bfs", "path:10", "--source", 3, "--cutoff", 2).out, r"5 reached, depth 2, \S+ s\n  levels       1 2 2\n")

    def test_quiet(self):
        out = self.good("bfs", "path:5", "--source", 2, "--source", 4, "--quiet").out
        self.assertRegex(out, r"^source 2 .*5 reached.*\nsource 4 .*5 reached.*\n$")

    def test_messages_in_a_trace(self):
        """Every call of MPI is inside the span of its step."""
        trace = self.folder / "trace.json"
        of_grids = {"counts/all-gather", "expand/all-gather", "fold/all-reduce", "fold/all-to-all", "output/all-to-all"}
        for ranks, options, expected in (
                (1, (), set()), (2, ("--grid", "1x2"), of_grids),
                (4, ("--grid", "2x2", "--exchange", "list"), of_grids),
                (4, ("--grid", "2x2", "--exchange", "bitmap", "--deterministic"),
                 of_grids | {"output/all-gather", "output/reduce"})):
            with self.subTest(ranks=ranks, options=options):
                self.good("bfs", self.path, "--source", 2, "--alpha", 10, "--trace", trace, "--quiet", *options, ranks=ranks)
                found = {span["path"] for span in self.spans(trace) if span["name"].startswith("all-") or span["name"] in ("broadcast", "reduce")}
                self.assertEqual({path.removeprefix("bfs/").removeprefix("level/") for path in found}, expected)


@unittest.skipUnless(SHARED_DATA.is_dir(), "the larger graphs (WAYFRONT_SHARED_DATA) are not here")
class RealGraphs(DriverTest):
    def check(self, name, graph, sources, options=(), layouts=((1, "auto"), (3, "3x1"), (4, "2x2"))):
        for ranks, grid in layouts:
            for source in sources:
                with self.subTest(name=name, ranks=ranks, source=source, options=options):
                    output = self.folder / "out.csv"
                    self.good("bfs", SHARED_DATA / name, "--source", source, "-o", output, "--grid", grid, "--validate", *options, ranks=ranks)
                    check_result(self, graph, source, read_csv(output))

    def edge_list(self, name):
        with gzip.open(SHARED_DATA / name, "rt") as lines:
            edges = [tuple(map(int, line.split())) for line in lines if not line.startswith("#")]
        return Graph(1 + max(map(max, edges)), edges, True)

    def test_social_networks(self):
        for name in ("soc-Slashdot0902.txt.gz", "p2p-Gnutella31.txt.gz"):
            graph = self.edge_list(name)
            self.check(name, graph, [0])
            self.check(name, graph, [12345], layouts=((4, "2x2"),))
            self.check(name, graph.undirected(), [0], options=("--undirected",), layouts=((1, "auto"), (3, "1x3")))

    def test_road_network(self):
        name = "USA-road-d.NY.gr.gz"
        with gzip.open(SHARED_DATA / name, "rt") as lines:
            edges = [tuple(map(int, line.split()[1:3])) for line in lines if line.startswith("a")]
        self.check(name, Graph(264346, edges, True, first=1), [1], layouts=((1, "auto"), (3, "1x3")))

    @unittest.skipIf(os.environ.get("WAYFRONT_SANITIZE"), "takes long; other tests read such files and search roads")
    def test_road_network_without_weights(self):
        name = "NE.gr.xz"
        with lzma.open(SHARED_DATA / name, "rt") as lines:
            edges = [tuple(map(int, line.split())) for line in lines if line[0].isdigit()]
        self.check(name, Graph(1524453, edges, False, first=1), [77], layouts=((2, "auto"),))


if __name__ == "__main__":
    unittest.main()
