"""Files as people have them: columns in any order and under any name, headers that do not agree with the rest, contents under other names, and numbers
as other programs write them. Each is read as it was meant, or refused with a message that says what is wrong; on one rank and on three."""

import bz2
import gzip
import json
import lzma
import subprocess
import unittest

from driver import BAD_INPUT, DriverTest
from weighted_graph import read_csv


class WildFiles(DriverTest):
    def distances(self, name, content, *options, source=0, notes=(), ranks=(1, 3)):
        """The distances from a vertex; None if it is not reached. Checks the notes about the file."""
        path, output = self.file(name, content), self.folder / "out.csv"
        for number in ranks:
            outcome = self.good("sssp", path, "--source", source, "-o", output, "--algorithm", "bellman-ford", *options, ranks=number)
            for note in notes:
                self.assertEqual(outcome.err.count(note), 1, (note, outcome))
            if not notes:
                self.assertNotIn(str(path), outcome.err.replace(f"{path} has no weights", ""))
            found = [None if row[1] == float("inf") or row[1] == -1 else row[1] for row in read_csv(output)]
            if number == ranks[0]:
                first = found
            self.assertEqual(found, first)
        return first

    def refused(self, name, content, *words, options=()):
        path = self.file(name, content)
        message = self.fails_alike(BAD_INPUT, "sssp", path, "--source", 0, *options)
        self.assertTrue(message.startswith(f"wayfront: error: {path}"), message)
        self.assertTrue(message.isprintable(), message)
        for word in words:
            self.assertIn(word, message)


class Columns(WildFiles):
    ROWS = ((0, 1, 12.5), (1, 2, 7.25), (0, 2, 30.0))
    RIGHT = [0, 12.5, 19.75]

    def test_names_in_any_order(self):
        for name in ("weight", "w", "length", "cost", "distance", "dist", "value", "capacity", "travel_time", "Travel Time"):
            text = f"u,v,key,{name}\n" + "".join(f"{u},{v},0,{w}\n" for u, v, w in self.ROWS)
            self.assertEqual(self.distances("g.csv", text), self.RIGHT, name)
        for separator, end in ((",", "\n"), (";", "\n"), ("\t", "\r\n")):
            lines = [("weight", "to", "id", "from")] + [(w, v, 7, u) for u, v, w in self.ROWS]
            text = "".join(separator.join(map(str, line)) + end for line in lines)
            self.assertEqual(self.distances("g.csv", text), self.RIGHT, separator)
            self.assertEqual(self.distances("g.tsv", text), self.RIGHT, separator)
        self.assertEqual(self.distances("g.el", "source target weight\n0 1 12.5\n1   2 7.25\n0\t2 30\n"), self.RIGHT)
        self.assertEqual(self.distances("g.csv", ",source,target,weight\n0,0,1,12.5\n1,1,2,7.25\n"), self.RIGHT)

    def test_columns_that_are_chosen(self):
        text = "a,b,length,cost\n0,1,12.5,1\n1,2,7.25,1\n0,2,30.0,1\n"
        self.assertEqual(self.distances("g.csv", text, "--weight-column", "length"), self.RIGHT)
        self.assertEqual(self.distances("g.csv", text, "--weight-column", 4), [0, 1, 1])
        self.assertEqual(self.distances("g.csv", text, "--weight-column", "none"), [0, 1, 1])
        self.assertEqual(self.distances("g.csv", text, "--source-column", "b", "--target-column", "a", "--weight-column", "length", source=2),
                         [19.75, 7.25, 0])
        self.assertEqual(self.distances("g.el", "7 0 1 12.5\n7 1 2 7.25\n", "--source-column", 2, "--target-column", 3, "--weight-column", 4), self.RIGHT)
        self.refused("g.csv", text, ":1:1: expected one column of this kind, or --weight-column NAME, found 'length' and 'cost'")
        self.refused("g.csv", text, "a column 'speed', as --weight-column says", options=("--weight-column", "speed"))
        self.refused("g.el", "0 1\n", "--weight-column says", options=("--weight-column", "length"))
        self.assertIn("--source-column, --target-column and --weight-column are for edge lists",
                      self.fails(BAD_INPUT, "sssp", "path:3", "--source", 0, "--weight-column", 3))

    def test_one_separator(self):
        self.refused("g.tsv", "source\ttarget\tweight\n0\t1\t0,5\n1\t2\t1,25\n", ":2:5: expected a number with a decimal point, not a comma, found '0,5'")
        self.refused("g.csv", "source;target;weight\n0;1;0,5\n", "a number with a decimal point")
        self.refused("g.csv", "source;target;weight\n0;1;5\n1;2\n", ":3:1: expected 3 columns, as in the first line, found 2")

    def test_one_separator_without_names(self):
        self.assertEqual(self.distances("g.el", "0;1;12.5\n1;2;7.25\n0;2;30\n"), self.RIGHT)
        self.assertEqual(self.distances("g.el", "0;1;5;1600000000\n1;2;6;1600000001\n", notes=["the column of timestamps of"]), [0, 5, 11])
        self.assertEqual(self.distances("g.el", "0, 1, 12.5\n1 ,2,7.25\n0,2,30\n"), self.RIGHT)
        self.assertEqual(self.distances("g.el", "0 \t1  12.5\n1\t2 7.25\n0 2\t30\n"), self.RIGHT)
        self.refused("g.el", "0 1 5\n1,2,6\n", ":2:2: expected numbers with blanks between them, as in the first edge, found ','")
        self.refused("g.el", "0 1\n" * 50 + "1,2\n", ":51:2: expected numbers with blanks between them")
        self.refused("g.el", "0 1 5\n1 2 0,6\n", ":2:6: expected numbers with blanks between them")
        self.refused("g.csv", "0,1,5\n" * 50 + "1 2 6\n", ":51:1: expected numbers with commas between them, as in the first edge, found '1 2 6'")
        self.refused("g.csv", "0,1,5\n1,2;6\n", ":2:3: expected")

    def test_quotes(self):
        self.assertEqual(self.distances("g.csv", '"source","target","weight"\n"0","1","5"\n"1","2","6"\n'), [0, 5, 11])
        self.assertEqual(self.distances("g.csv", '"0","1","5"\n"1","2","6"\n'), [0, 5, 11])

    def test_times_are_no_weights(self):
        note = "the column of timestamps of "
        self.assertEqual(self.distances("t.txt", "# SRC DST UNIXTS\n0 1 1217567877\n1 2 1217573801\n", notes=[note]), [0, 1, 2])
        self.assertEqual(self.distances("t.csv", "source,target,timestamp\n0,1,1217567877\n1,2,1217573801\n", notes=[note]), [0, 1, 2])
        self.assertEqual(self.distances("t.txt", "0 1 1217567877\n1 2 1217573801\n", notes=["holds UNIX times, as it seems"]), [0, 1217567877, 2435141678])
        self.assertEqual(self.distances("t.txt", "0 1 1217567877\n1 2 1217573801\n", "--weight-column", "none"), [0, 1, 2])


class Counts(WildFiles):
    def test_headers_that_say_more_than_there_is(self):
        self.refused("g.el", "# Undirected graph: a path\n# Nodes: 6 Edges: 5\n0 1\n1 2\n2 3\n", ":2: expected 5 edges, as the header says, found 3")
        self.refused("g.el", "# Nodes: 6 Edges: 1\n0 1\n1 2\n", ":1: expected 1 edge, as the header says, found 2")
        self.refused("out.k", "% sym unweighted\n% 3 3 3\n1 2\n2 3\n", ":2: expected 3 edges, as the header says, found 2")
        self.refused("g.graph", "3 2 100\n2\n1 3\n2\n", "found 1 behind the sizes (FORMAT 1xx) and weights (FORMAT x1x) of vertices")

    def test_a_first_line_with_the_counts(self):
        note = "is taken as its numbers of vertices and edges"
        self.assertEqual(self.distances("g.el", "5 3\n0 1\n1 2\n2 3\n", notes=[note]), [0, 1, 2, 3, None])
        self.assertEqual(self.distances("g.el", "4 3\n1 2\n2 3\n3 4\n".replace("1 2", "2 1"), source=2, notes=[note]), [None, 1, 0, 1, 2])
        # Other lines do not agree: it is an edge.
        self.assertEqual(self.distances("g.el", "5 3\n0 1\n1 2\n2 3\n3 4\n"), [0, 1, 2, 3, 4, None])
        self.assertEqual(self.distances("g.el", "2 3\n0 1\n1 2\n0 9\n", source=1, ranks=(1, 3))[:4], [None, 0, 1, 2])
        self.assertEqual(self.distances("g.el", "# edges\n4 3\n0 1\n1 2\n2 3\n", source=4), [None, None, None, 1, 0])
        self.assertEqual(self.distances("g.el", "5 3\n1 2\n2 3\n3 4\n", "--one-based", source=1, notes=[note]), [0, 1, 2, 3, None])
        # The other lines have weights.
        self.assertEqual(self.distances("g.el", "5 3\n0 1 2.5\n1 2 2\n2 3 2\n", notes=[note]), [0, 2.5, 4.5, 6.5, None])
        self.assertEqual(self.distances("g.el", "3 1\n0 1 7\n", notes=[note]), [0, 7, None])
        self.refused("g.el", "2 3\n0 1 2.5\n1 2 2\n2 9 2\n", ":1: expected an edge with a weight, as the other lines have it, or the numbers of vertices")
        self.refused("g.el", "5 4\n0 1 2.5\n1 2 2\n2 3 2\n", ":2:5: expected the end of the line")
        # So few lines that they may agree by chance.
        few = "'# Nodes: 3 Edges: 2' in its place would make it the numbers of vertices and edges"
        self.assertEqual(self.distances("g.el", "3 2\n0 1\n1 2\n", notes=[few]), [0, 1, 2, None])
        self.assertEqual(self.distances("g.el", "1 2\n0 1\n2 3\n"), [0, 1, 2, 3])
        # Rows, columns and entries, as in a Matrix Market file without its banner.
        self.assertEqual(self.distances("g.el", "3 3 4\n1 2\n2 3\n1 3\n2 1\n", source=1, notes=[note]), [None, 0, 1, 1])
        self.refused("g.el", "2 2 4\n1 2\n2 3\n1 3\n2 1\n", ":1: expected an edge without a weight, as the other lines have it, or the numbers of vertices")
        four = few.replace("2", "4")
        self.assertEqual(self.distances("g.el", "3 3 4\n1 2 5\n2 3 7\n1 3 2\n2 1 4\n", source=1, notes=[four]), [None, 0, 5, 2])
        self.assertEqual(self.distances("g.el", "3 3 5\n1 2 5\n2 3 7\n1 3 2\n2 1 4\n", source=1), [None, 0, 5, 2])
        self.assertEqual(self.distances("g.el", "2 2 4\n1 2 5\n2 3 7\n1 3 2\n2 1 4\n", source=1), [None, 0, 5, 2])
        # Both agree.
        self.refused("g.el", "4 3\n3 2\n2 1\n1 0\n", ":1: the line is an edge, or it has the numbers of vertices and edges")

    def test_matrices(self):
        note = "has as many lines as columns and is symmetric"
        self.distances("g.txt", "0 5 3\n5 0 2\n3 2 0\n", notes=[note])
        self.distances("g.txt", "0 5 3\n5 0 2\n3 4 0\n")
        self.refused("g.csv", "0,1,5,\n1,2,7,\n", ":1:6: expected")

    def test_a_list_without_edges(self):
        for name, text in (("g.el", "# nothing\n"), ("g.csv", "source,target\n")):
            self.assertIn("vertices       0\n", self.good("info", self.file(name, text)).out)
        self.refused("g.el", "\n \n", "expected an edge")


class Contents(WildFiles):
    MATRIX = "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 6\n"

    def test_packed_under_other_names(self):
        for packed in (gzip.compress(self.MATRIX.encode()), lzma.compress(self.MATRIX.encode())):
            self.assertEqual(self.distances("g.mtx", packed, source=1), [0, 5, 11])

    def test_packed_standard_input(self):
        path = self.file("packed", gzip.compress(self.MATRIX.encode()))
        for name in ("mtx", "mtx.gz"):
            with path.open("rb") as file:
                self.assertIn("format         Matrix Market", self.good("info", "-", "--format", name, stdin=file).out)

    def test_what_is_no_text(self):
        tar = b"g.el".ljust(257, b"\0") + b"ustar\x0000" + bytes(300)
        for content, words in ((b"PK\x03\x04\x14\x00", "a ZIP archive; unpack it first"), (tar, "a TAR archive; unpack it first"),
                               (bz2.compress(b"0 1\n"), "compressed by bzip2"), ("0 1\n".encode("utf-16"), "UTF-16; convert it first"),
                               ("0 1\n".encode("utf-32"), "UTF-32; convert it first"), (b'{"nodes": [], "links": []}\n', "JSON"),
                               (b">>graph6<<A_\n", "graph6"),
                               (b"\x01\x00\x00\x00\x00\x00\x00\x00\x05", "binary data"), (b"<!DOCTYPE html>\n<html>", "an HTML page"),
                               (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS")):
            for name in ("g.el", "g.mtx", "g.gr", "g.csv", "g.graph", "name"):
                self.refused(name, content, words)

    def test_formats_without_their_extensions(self):
        self.assertEqual(self.distances("out.moreno", "% sym unweighted\n1 2\n2 3\n", source=1), [0, 1, 2])
        self.assertEqual(self.distances("matrix", self.MATRIX, source=1), [0, 5, 11])
        self.assertEqual(self.distances("roads.dat", "c roads\np sp 3 2\na 1 2 5\na 2 3 6\n", source=1), [0, 5, 11])
        self.refused("data", "0 1\n", "unknown file extension", "--format EXT reads a file as if its extension were EXT")
        self.refused("g.txt", self.MATRIX, "found the header of Matrix Market; read it with --format mtx")

    def test_ends_of_lines_and_marks(self):
        for text in (self.MATRIX, "p sp 3 2\na 1 2 5\na 2 3 6\n", "% asym positive\n1 2 5\n2 3 6\n", "3 2 1\n2 5\n1 5 3 6\n2 6\n"):
            name = {"%%": "g.mtx", "p ": "g.gr", "% ": "g.txt", "3 ": "g.graph"}[text[:2]]
            for content in (text.replace("\n", "\r"), text.replace("\n", "\r\n"), "\ufeff" + text):
                self.assertEqual(self.distances(name, content, source=1), [0, 5, 11], (name, content))

    def test_banners_and_lines_of_other_programs(self):
        self.assertEqual(self.distances("g.mtx", self.MATRIX[1:], source=1), [0, 5, 11])
        self.assertEqual(self.distances("g.gr", "p col 4 2\nn 1 4\ne 1 2\nn 2 1\ne 2 3\n", source=1, notes=["lines of ", "about vertices (n) are skipped"]),
                         [0, 1, 2, None])


class Numbers(WildFiles):
    def test_signs_and_exponents(self):
        for text in ("+5.0", "5", "+5", "0.5D1", "5.0d+00", "+50E-1", '"5"'):
            for name, content in (("g.mtx", f"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 {text}\n2 3 1.5\n"), ("g.el", f"1 2 {text}\n2 3 1.5\n")):
                self.assertEqual(self.distances(name, content, source=1)[-2:], [5, 6.5], (name, text))
        self.assertEqual(self.distances("g.gr", "p sp 2 1\na +1 2 +5\n", source=1), [0, 5])

    def test_weights_that_become_0(self):
        matrix = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1e-46\n2 3 1e-50\n"
        self.refused("g.mtx", matrix, ":3:5: expected a weight that is not rounded to 0 (--precision double has smaller ones), found '1e-46'")
        self.assertEqual(self.distances("g.mtx", matrix, "--precision", "double", source=1)[1], 1e-46)
        self.refused("g.mtx", matrix.replace("1e-46", "1e-400"), "not rounded to 0", options=("--precision", "double"))

    def test_digits(self):
        text = "0 1 0.1234567890123456\n1 2 123456789.125\n"
        note = "have more digits than 32-bit floats, and are rounded; --precision double keeps them"
        self.distances("g.el", text, notes=[note])
        self.distances("g.el", "0 1 0.1234567\n1 2 0.500000000000\n1 2 1e-10\n1 2 16777216\n")
        self.distances("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 16777217\n2 3 0.5\n", source=1, notes=[note])
        # Whole weights beside floats, on the same rank or on another.
        self.distances("g.wel", "0 1 16777217\n1 2 0.5\n" + "2 3 0.5\n" * 20, notes=[note])
        whole = "0 1 9007199254740993\n"
        rounded = "have more digits than 64-bit floats, and are rounded"
        for lines in (whole + "1 2 0.5\n" * 20, "1 2 0.5\n" * 20 + whole, "0 1 9007199254740993.5\n", "0 1 0.12345678901234567890\n"):
            self.distances("g.wel", lines, "--precision", "double", notes=[rounded])
            for ranks in (1, 3):
                outcome = self.good("convert", self.folder / "g.wel", self.folder / "h.wel", ranks=ranks)
                self.assertEqual(outcome.err.count(rounded), 1, outcome)
        self.distances("g.wel", "0 1 9007199254740992\n1 2 0.30000000000000004\n", "--precision", "double")
        self.good("convert", self.file("g.wel", whole + "1 2 9007199254740995\n"), self.folder / "h.wel")
        self.assertIn("9007199254740993", (self.folder / "h.wel").read_text())
        self.distances("g.el", text, notes=[note])
        self.assertEqual(self.distances("g.el", text, "--precision", "double")[1], 0.1234567890123456)
        for name in ("h.el", "h.mtx", "h.csv"):
            self.good("convert", self.folder / "g.el", self.folder / name, "--quiet")
            self.assertIn("0.1234567890123456", (self.folder / name).read_text())

    def test_sources_that_are_no_text(self):
        graph = self.file("g.el", "0 1\n1 2\n")
        for content, word in ((gzip.compress(b"0\n1\n"), "compressed data; unpack it first"), ("0\n1\n".encode("utf-16"), "UTF-16"),
                              ("0\n1\n".encode("utf-32"), "UTF-32")):
            path = self.folder / "sources"
            path.write_bytes(content)
            self.assertIn(f"expected a text, found {word}", self.fails_alike(BAD_INPUT, "bfs", graph, "--sources", path))

    def test_networkx_with_other_attributes(self):
        self.refused("g.edges", "0 1 {'weight': 2, 'c': 'r'}\n", "nx.write_edgelist(G, path, data=['weight'])")

    def test_gexf(self):
        """The command that is printed keeps weights, directions and vertices without edges."""
        for extension, writer in ((".gexf", "write_gexf"),):
            path = self.file("g" + extension, "x")
            message = self.fails(BAD_INPUT, "info", path)
            self.assertIn("graph\\n# Nodes: %d Edges: %d\\n", message)
            try:
                import networkx
            except ImportError:
                continue
            for kind in (networkx.Graph, networkx.DiGraph):
                for weight, others in (("weight", {}), ("length", {}), ("length", {"name": "x", "lanes": 2}), ("speed", {})):
                    graph = kind()
                    graph.add_nodes_from("abcd")
                    graph.add_edge("a", "b", **{weight: 1.5}, **others)
                    graph.add_edge("b", "c", **{weight: 2.25}, **others)
                    getattr(networkx, writer)(graph, path)
                    subprocess.run(message[message.index("python3 -c"):], shell=True, check=True, cwd=self.folder)
                    facts, output = self.folder / "facts.json", self.folder / "out.csv"
                    self.good("info", self.folder / "graph.wel", "--json", facts)
                    found = json.loads(facts.read_text())
                    self.assertEqual((found["graph"]["vertices"], found["graph"]["edges"], found["graph"]["directed"], found["weights"]["kind"]),
                                     (4, 2, kind is networkx.DiGraph, "float32"))
                    self.good("sssp", self.folder / "graph.wel", "--source", 0, "-o", output)
                    self.assertEqual([row[1] for row in read_csv(output)], [0, 1.5, 3.75, float("inf")])


if __name__ == "__main__":
    unittest.main()
