"""Edge lists whose vertices have names: each result against that of the same graph with numbers in
the order of the names, on one rank and on several, and messages."""

import csv
import gzip
import io
import json
import random
import unittest

from driver import BAD_INPUT, DriverTest

NAMES = ["7", "08", "42", "O'Hare", "New York", "Zürich", "a", "a,b", "b", "c#", 'say "x"', "x_1", "北京", "zz"]
RANKS = (1, 2, 3, 4)


def in_csv(name):
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name


class NamesTest(DriverTest):
    """A random graph, with names as CSV and with the names' positions as numbers."""

    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        numbers = sorted((name for name in NAMES if name.isdigit()), key=lambda name: (int(name), len(name)))
        self.names = numbers + sorted((name for name in NAMES if not name.isdigit()), key=str.encode)
        n = len(self.names)
        edges = [(draw.randrange(n), draw.randrange(n), draw.randrange(1, 9)) for _ in range(40)] + [(v, v, 1) for v in range(n)]
        draw.shuffle(edges)
        name = [in_csv(name) for name in self.names]
        self.named = self.file("named.csv", "from,to,km\n" + "".join(f"{name[u]},{name[v]},{w}\n" for u, v, w in edges))
        self.numbered = self.file("numbered.csv", "from,to,km\n" + "".join(f"{u},{v},{w}\n" for u, v, w in edges))
        self.source, self.target = edges[0][0], edges[1][1]

    def name(self, number):
        return "-1" if int(number) < 0 else self.names[int(number)]

    def rows(self, path):
        return list(csv.reader(io.StringIO(path.read_text())))

    def pair_of_files(self, command, *options, ranks=1, form="csv"):
        """The output with names, and the one with numbers. Options are callables of what a vertex is called."""
        outputs = []
        for graph, called, flags in ((self.named, self.name, ("--names",)), (self.numbered, str, ())):
            out = self.folder / f"out-{len(outputs)}.{form}"
            self.good(command, graph, *flags, *(option(called) if callable(option) else option for option in options), "-o", out, "--quiet", ranks=ranks)
            outputs.append(out)
        return outputs


class Results(NamesTest):
    def test_searches(self):
        for command in ("bfs", "sssp"):
            for ranks, options in zip(RANKS, ((), ("--undirected",), ("--reverse",), ())):
                with self.subTest(command=command, options=options, ranks=ranks):
                    named, numbered = self.pair_of_files(command, "--source", lambda called: called(self.source), "--deterministic", "--validate",
                                                         *options, ranks=ranks)
                    header, *rows = self.rows(numbered)
                    self.assertEqual(self.rows(named), [header] + [[self.name(v), value, self.name(parent)] for v, value, parent in rows])

    def test_json_and_text(self):
        named, numbered = self.pair_of_files("sssp", "--source", lambda called: called(self.source), "--deterministic", form="json")
        with_names, with_numbers = json.loads(named.read_text()), json.loads(numbered.read_text())
        self.assertEqual(with_names["source"], self.names[self.source])
        self.assertEqual(with_names["rows"], [[self.names[v], d, p if p < 0 else self.names[p]] for v, d, p in with_numbers["rows"]])
        named, numbered = self.pair_of_files("bfs", "--source", lambda called: called(self.source), "--deterministic", form="txt")
        first = list(csv.reader(io.StringIO(named.read_text()), delimiter=" "))
        self.assertEqual([row[0] for row in first[1:]], self.names)

    def test_numbers_in_npy_are_places_in_the_list(self):
        listed = self.folder / "list.txt"
        for ranks in (1, 3):
            named, numbered = self.pair_of_files("sssp", "--source", lambda called: called(self.source), "--deterministic", form="npy", ranks=ranks)
            self.assertEqual(named.read_bytes(), numbered.read_bytes())
            outcome = self.good("bfs", self.named, "--source", "a", "-o", self.folder / "r.npy", "--vertex-numbers", listed, "--names", ranks=ranks)
            self.assertEqual(listed.read_text().split("\n")[:-1], self.names)
            self.assertNotIn("order", outcome.err)
        self.assertIn("are in the order of the vertices' names, which --vertex-numbers FILE writes",
                      self.good("bfs", self.named, "--names", "--source", "a", "-o", self.folder / "r.npy").err)

    def test_sources_targets_and_files(self):
        sources = self.file("sources.txt", '"New York" a # two\n"a,b"\n')
        facts = self.folder / "facts.json"
        for ranks in (1, 3):
            outcome = self.good("sssp", self.named, "--names", "--sources", sources, "--source", "08", "--target", 'say "x"', "--undirected",
                                "--json", facts, "-o", self.folder / "r.csv", ranks=ranks)
            document = json.loads(facts.read_text())
            self.assertEqual([search["source"] for search in document["searches"]], ["08", "New York", "a", "a,b"])
            self.assertEqual(document["searches"][0]["path"][-1], 'say "x"')
            self.assertIn('"say ""x"""\n', outcome.out)
            self.assertTrue(document["graph"]["named"])
            for file in ("r.08.csv", "r.New%20York.csv", "r.a.csv", "r.a%2Cb.csv"):
                self.assertTrue((self.folder / file).exists(), file)

    def test_signs_of_comments_in_names(self):
        """A # or % begins a comment at the start of a line, and a # behind a blank in lists of vertices."""
        edges = self.file("langs.csv", 'C#,C\nC,"#1"\n"#1",a%\na%,"%b"\n"%b",C#\n')
        names = ["#1", "%b", "C", "C#", "a%"]
        for ranks in (1, 2):
            out = self.folder / "r.csv"
            self.good("bfs", edges, "--names", "--sources", self.file("sources.txt", "C# # and others\n"), "-o", out, "--quiet", ranks=ranks)
            self.assertEqual([row[:2] for row in self.rows(out)[1:]], [["#1", "2"], ["%b", "4"], ["C", "1"], ["C#", "0"], ["a%", "3"]])
            self.assertEqual([line[0] for line in out.read_text().splitlines()[1:]], ['"', '"', "C", "C", "a"])
            pairs = self.file("pairs.csv", 'C,C#\nC#,C # comment\n"#1",#1\n')
            self.good("bfs", edges, "--names", "--pairs", pairs, "-o", out, "--quiet", ranks=ranks)
            self.assertEqual([row[:3] for row in self.rows(out)[1:]], [["C", "C#", "4"], ["C#", "C", "1"], ["#1", "#1", "0"]])
            text = self.folder / "r.txt"
            self.good("bfs", edges, "--names", "--source", "C", "-o", text, "--quiet", ranks=ranks)
            rows = [row for row in csv.reader(io.StringIO(text.read_text()), delimiter=" ")][1:]
            self.assertEqual([row[0] for row in rows], names)
            self.assertIn('"%b"', text.read_text())
            # What is written can be read as an edge list of vertices and parents.
            self.assertRegex(self.good("info", text, "--names", "--target-column", 3, "--weight-column", "none", ranks=ranks).out, r"vertices +5,")

    def test_nearest(self):
        for ranks in (1, 2):
            named, numbered = self.pair_of_files("sssp", "--nearest", "--source", lambda called: called(self.source), "--source",
                                                 lambda called: called(self.target), "--deterministic", ranks=ranks)
            header, *rows = self.rows(numbered)
            self.assertEqual(self.rows(named), [header] + [[self.name(v), d, self.name(p), self.name(s)] for v, d, p, s in rows])

    def test_pairs(self):
        draw = random.Random(9)
        pairs = [(draw.randrange(len(self.names)), draw.randrange(len(self.names))) for _ in range(30)]
        listed = self.file("pairs.csv", "source,target\n" + "".join(f'"{self.names[u]}","{self.names[v]}"\n'.replace('say "x"', 'say ""x""') for u, v in pairs))
        numbers = self.file("numbers.csv", "".join(f"{u},{v}\n" for u, v in pairs))
        for ranks, form in ((1, "json"), (1, "csv"), (3, "json")):
            named, numbered = self.pair_of_files("sssp", "--undirected", "--pairs", lambda called: listed if called == self.name else numbers,
                                                 ranks=ranks, form=form)
            if form == "json":
                expected = [[self.names[u], self.names[v], d, bool(path)] for u, v, d, path in json.loads(numbered.read_text())["rows"]]
                rows = json.loads(named.read_text())["rows"]
                self.assertEqual([[u, v, d, bool(path)] for u, v, d, path in rows], expected)
                self.assertTrue(all(path[0] == u and path[-1] == v for u, v, _, path in rows if path))
            else:
                self.assertEqual([row[2] for row in self.rows(named)], [row[2] for row in self.rows(numbered)])
                paths = [next(csv.reader([row[3]], delimiter=" "), []) for row in self.rows(named)[1:]]
                self.assertTrue(all(set(path) <= set(self.names) for path in paths))

    def test_all_pairs(self):
        parents, facts = self.folder / "p.csv", self.folder / "f.json"
        for ranks in RANKS:
            tables = []
            for graph, flags in ((self.named, ("--names",)), (self.numbered, ())):
                out, figures = self.folder / "d.csv", self.folder / "v.csv"
                self.good("apsp", graph, *flags, "--algorithm", "dijkstra", "-o", out, "--predecessors", parents, "--summary", "--vertices", figures,
                          "--json", facts, "--validate", ranks=ranks)
                tables.append((self.rows(out), self.rows(parents), self.rows(figures), json.loads(facts.read_text())["summary"]))
            (out, parent, figures, summary), (out_by, parent_by, figures_by, summary_by) = tables
            self.assertEqual(out, [["source", *self.names]] + [[self.name(row[0]), *row[1:]] for row in out_by[1:]])
            self.assertEqual([row[0] for row in parent[1:]], self.names)
            self.assertEqual([row[1:] for row in figures], [row[1:] for row in figures_by])
            self.assertEqual([row[0] for row in figures[1:]], self.names)
            self.assertEqual(summary["center"], [self.names[v] for v in summary_by["center"]])
            self.assertEqual(summary["vertices"], self.names)
            if ranks == 1:
                first_parents = parent
            # Ties are broken by numbers, which are the same on any number of ranks.
            self.assertEqual(parent, first_parents)
            self.assertTrue({cell for row in parent[1:] for cell in row} <= {*self.names, "-1"})

    def test_rows_of_pairs_within_and_long(self):
        for options in (("--within", 6), ("--long",)):
            named, numbered = self.pair_of_files("apsp", *options)
            header, *rows = self.rows(numbered)
            self.assertEqual(self.rows(named), [header] + [[self.name(u), self.name(v), d] for u, v, d in rows])
        targets = self.file("targets.txt", "zz\n08\n")
        out = self.folder / "t.csv"
        self.good("apsp", self.named, "--names", "--source", "a", "--targets", targets, "-o", out)
        self.assertEqual(self.rows(out)[0], ["source", "zz", "08"])

    def test_convert(self):
        arcs, listed = self.folder / "g.gr", self.folder / "names.txt"
        outcome = self.good("convert", self.named, arcs, "--names", "--vertex-numbers", listed)
        lines = [line.split() for line in arcs.read_text().splitlines() if line.startswith("a")]
        names = listed.read_text().split("\n")
        self.assertEqual([[names[int(u) - 1], names[int(v) - 1], w] for _, u, v, w in lines], self.rows(self.named)[1:])
        self.assertNotIn("which --vertex-numbers FILE writes", outcome.err)
        self.assertIn("in the order of their names", self.good("convert", self.named, arcs, "--names").err)


class Recognised(DriverTest):
    NOTE = "are read as names, since those of the first edge are no numbers"

    def test_by_the_first_edge(self):
        for name, text in (("g.csv", "alice,bob,3\nbob,7,1\n"), ("g.csv", "source,target,weight\nalice,bob,3\n"), ("g.txt", "# who whom\nalice bob\n"),
                           ("g.tsv", "New York\tSan José\t2\n"), ("g.el", "ann bo {'weight': 2}\nbo cy {'weight': 1}\n"), ("g.txt", "æ ø\n")):
            for ranks in (1, 3):
                with self.subTest(text=text, ranks=ranks):
                    outcome = self.good("info", self.file(name, text), ranks=ranks)
                    self.assertIn(self.NOTE, outcome.err)
                    self.assertIn("named", outcome.out)
        outcome = self.good("info", self.file("g.csv", "1,2,3\n"))
        self.assertNotIn(self.NOTE, outcome.err)

    def names_of(self, text, *options, ranks=1, extension="el"):
        listed = self.folder / "names.txt"
        self.good("convert", self.file(f"g.{extension}", text), self.folder / "out.wel", "--vertex-numbers", listed, *options, ranks=ranks)
        return listed.read_text().splitlines()

    def test_quotes(self):
        for ranks in (1, 2):
            self.assertEqual(self.names_of('"Smith, J" "Doe, K"\n"Doe, K" "Poe; L"\n', ranks=ranks), ["Doe, K", "Poe; L", "Smith, J"])
            self.assertEqual(self.names_of('a""b c\n"a""b" d\n', ranks=ranks), ['a""b', 'a"b', "c", "d"])
            self.assertEqual(self.names_of('a""b,c\n"a""b",d\n', ranks=ranks, extension="csv"), ['a""b', 'a"b', "c", "d"])

    def test_dictionaries_and_columns(self):
        for text, flags in (("Ann Ben {'weight': 3}\nBen Cy {}\nCy Di {'a': 1, 'b': 2}\n", ()), ("1 2 {'weight': 3}\n2 3 {}\n3 4 {'a': 1, 'b': 2}\n", ()),
                            ("1 2 {'weight': 3}\n2 3 {}\n3 4 {'a': 1, 'b': 2}\n", ("--names",))):
            for ranks in (1, 3):
                with self.subTest(text=text, flags=flags, ranks=ranks):
                    facts = self.folder / "facts.json"
                    self.good("info", self.file("g.el", text), "--weight-column", "none", "--json", facts, *flags, ranks=ranks)
                    document = json.loads(facts.read_text())
                    self.assertIsNone(document["weights"])
                    self.assertEqual(document["graph"]["edges"], 3)
        path = self.file("g.el", "Ann Ben {'weight': 3}\nBen Cy {'weight': 4}\n")
        for column in ("3", "7"):
            self.fails(BAD_INPUT, "info", path, "--weight-column", column)

    def test_what_the_first_line_is(self):
        for text, note in (("source,target,weight\nalice,bob,3\n", "is read as the names of its columns"), ("alice,bob\nbob,cy\n", "is read as an edge"),
                           ("name,friend,2\nbob,cy,3\n", "is read as an edge"), ("name,friend,years\nbob,cy,3\n", "is read as the names of its columns")):
            for ranks, flags in ((1, ()), (2, ("--names",))):
                with self.subTest(text=text, ranks=ranks):
                    outcome = self.good("info", self.file("g.csv", text), *flags, ranks=ranks)
                    self.assertIn(f"the first line of {self.folder / 'g.csv'} {note}", outcome.err)
        self.assertNotIn("the first line of", self.good("info", self.file("n.csv", "source,target\n1,2\n")).err)
        # A line with a number is an edge, also before edges whose names are numbers.
        for text in ("Oslo Bergen 463\n7 8 5\n9 8 3\n", "p\tqq\t0.5\n7\t8\t5\n9\t8\t3\n"):
            outcome = self.good("info", self.file("h.txt", text), "--names")
            self.assertIn("is read as an edge", outcome.err)
            self.assertRegex(outcome.out, r"\nedges +3,")
        # Before an edge of numbers, names are those of columns, but a number is none.
        others = self.file("o.csv", "one,two\n1,2\n")
        self.assertIn(f"the first line of {others} is read as the names of its columns", self.good("info", others).err)
        for text, option in (("a,b,2020\n1,2,5\n", ("--weight-column", "2020")), ("source,target,2020\n1,2,5\n", ())):
            self.assertRegex(self.good("info", self.file("y.csv", text), *option).out, r"\nedges +1,")
        for name, text in (("a.el", "x9 8\n3 4\n"), ("b.el", "a b 1\n3 4 2\n"), ("c.csv", "a,7,1\n3,4,2\n")):
            path = self.file(name, text)
            self.assertIn(f"{path}:1:1: expected a vertex", self.fails(BAD_INPUT, "info", path), name)

    def test_compressed_and_from_a_pipe(self):
        edges = self.file("g.el", "a b\nb c\n")
        packed = self.folder / "g.el.gz"
        packed.write_bytes(gzip.compress(edges.read_bytes()))
        words = ("--source", "b", "--undirected", "--target", "a")
        with open(edges) as pipe:
            for outcome in (self.good("bfs", "-", "--format", "el", *words, stdin=pipe, ranks=2), self.good("bfs", packed, *words, ranks=3)):
                self.assertIn("path of 1 edge: b a\n", outcome.out)

    def test_messages(self):
        numbers = self.file("numbers.el", "1 2\n2 bob\n")
        self.assertIn(":2:3: expected a vertex", self.fails(BAD_INPUT, "info", numbers))
        self.assertIn("--names reads names", self.fails(BAD_INPUT, "info", numbers, ranks=2))
        names = self.file("names.csv", "ann,bo,3\nbo,cy,x\n")
        self.assertIn(":2:7: expected a weight", self.fails(BAD_INPUT, "info", names))
        good = self.file("good.csv", "ann,bo,3\nbo,cy,4\n")
        out = self.folder / "out.csv"
        sources = self.file("sources.txt", "ann\nbo zoe\n")
        pairs = self.file("pairs.txt", "ann bo\nann\n")
        for words, message in ((("sssp", good, "--source", "zoe"), "--source: there is no vertex 'zoe': no edge of"),
                               (("sssp", good, "--sources", sources), "sources.txt:2:4: there is no vertex 'zoe'"),
                               (("sssp", good, "--source", "ann", "--target", "Ann"), "--target: there is no vertex 'Ann'"),
                               (("sssp", good, "--pairs", pairs), "pairs.txt:2: expected a source and a target, found 1 word"),
                               (("apsp", good, "--targets", sources), "sources.txt:2:4"),
                               (("bfs", good, "--names", "--compact", "--source", "ann"), "do not go together"),
                               (("bfs", good, "--names", "--one-based", "--source", "ann"), "do not go together"),
                               (("bfs", good, "--one-based", "--source", "ann"), "--one-based: the vertices of"),
                               (("bfs", "path:5", "--names", "--source", 0), "--names: is for edge lists"),
                               (("bfs", "path:5", "--source", "ann"), "--source"),
                               (("bfs", self.file("n.el", "1 2\n"), "--source", "ann"), "--source: expected the number of a vertex, found 'ann'"),
                               (("bfs", self.file("m.el", "1 2\n"), "--source", 1, "--vertex-numbers", self.folder / "l"), "requires --compact"),
                               (("bfs", self.file("b.txt", "% bip\n% 1 1 1\na b\n"), "--names", "--source", "a"), "bipartite")):
            for ranks in (1, 2):
                with self.subTest(words=words, ranks=ranks):
                    self.assertIn(message, self.fails(BAD_INPUT, *words, "-o", out, ranks=ranks))
                    self.assertFalse(out.exists())

    def test_two_spellings_of_a_number(self):
        """The message has both spellings and the first line of each, and nothing is written."""
        many = "".join(f"n{i} m{i}\n" for i in range(200_000))
        ends = ("# comment\n\n7 ann\n", "bob 07\n")
        out = self.folder / "out.csv"
        for text, first, second in (
            ("ann 7\n7 bo\nbo 07\n", ("7", 1), ("07", 3)),
            ("# who whom\n\nann +7\n7 bo\n", ("+7", 3), ("7", 4)),
            ("-0 ann\nann 00\n", ("-0", 1), ("00", 2)),
            ("ann -12\n-012 bo\n", ("-12", 1), ("-012", 2)),
            ("7 07\n", ("7", 1), ("07", 1)),
            ("source,target,weight\r\nann,+003,1\r\n+03,bo,2\r\n", ("+003", 2), ("+03", 3)),
            (ends[0] + many + ends[1], ("7", 3), ("07", 200_004)),
            (many + ends[1] + ends[0], ("07", 200_001), ("7", 200_004)),
        ):
            path = self.file("g.csv" if "," in text else "g.el", text)
            for ranks in (1, 3):
                with self.subTest(first=first, second=second, ranks=ranks):
                    err = self.fails(BAD_INPUT, "bfs", path, "--names", "--source", "ann", "-o", out, ranks=ranks)
                    self.assertIn(f"{path}:{second[1]}: expected one spelling of each number", err)
                    self.assertIn(f"found '{second[0]}', which is '{first[0]}' in line {first[1]}", err)
                    self.assertFalse(out.exists())
        packed = self.folder / "g.el.gz"
        packed.write_bytes(gzip.compress(b"ann 7\n7 bo\nbo 07\n"))
        self.assertIn(":3: expected one spelling", self.fails(BAD_INPUT, "info", packed, "--names", ranks=2))
        self.good("info", self.file("g.el", "ann 7\n-7 bo\nbo 7.0\n1.0 1\n08 bo\n7a 07a\n+ -\n12345678901234567890123 ann\n"), "--names")


if __name__ == "__main__":
    unittest.main()
