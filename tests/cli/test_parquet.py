"""Results as .parquet, read by PyArrow, against those as .csv."""

import csv
import os
import struct
import unittest

from driver import BAD_INPUT, GOOD, DriverTest, run

try:
    import pyarrow.parquet
except ImportError:
    pyarrow = None


class WithoutArrow(DriverTest):
    def setUp(self):
        super().setUp()
        if run("bfs", "grid:3x3", "--source", 0, "-o", self.folder / "r.parquet").code == GOOD:
            self.skipTest("the build writes Parquet")

    def test_words(self):
        """The message says what is missing, before the search."""
        path = self.folder / "r.parquet"
        words = f"{path}: this build does not write Parquet; install Apache Arrow's C++ library with Parquet and build again, or write .csv"
        for ranks in (1, 3):
            for command, option, *others in (("bfs", "--output", "--source", 0), ("sssp", "--output", "--source", 0),
                                             ("sssp", "--output", "--source", 0, "--nearest"), ("apsp", "--output"), ("apsp", "--predecessors")):
                self.assertEqual(self.fails(BAD_INPUT, command, "grid:3x3", *others, option, path, ranks=ranks), f"wayfront: error: {option}: {words}")
                self.assertFalse(path.exists())


def number(text):
    return None if text == "inf" else float(text) if set(text) & set(".e") else int(text)


def float32(text):
    """The number of 32 bits that the text is the shortest one of."""
    return None if text == "inf" else struct.unpack("f", struct.pack("f", float(text)))[0]


@unittest.skipIf(pyarrow is None, "PyArrow is missing")
class Parquet(DriverTest):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "r.parquet"
        outcome = run("bfs", "grid:3x3", "--source", 0, "-o", self.path)
        if outcome.code != GOOD:
            if os.environ.get("WAYFRONT_REQUIRE_PARQUET"):
                self.fail(outcome)
            self.skipTest("the build does not write Parquet")

    def both(self, command, *options, ranks=1, file="-o"):
        """The columns and rows of the table, and those of .csv, in which null is inf or -1."""
        text = self.folder / "r.csv"
        self.good(command, *options, file, self.path, "--quiet", ranks=ranks)
        self.good(command, *options, *(("--long",) if command == "apsp" else ()), file, text, "--quiet", ranks=ranks)
        table = pyarrow.parquet.read_table(self.path)
        with open(text, newline="") as lines:
            header, *rows = csv.reader(lines)
        self.assertEqual(table.column_names, header)
        return table, rows

    def compare(self, table, rows, values):
        """`values`: what the cells of each column are in text; numbers that are not reached are null."""
        for name, column, value in zip(table.column_names, zip(*rows), values, strict=True):
            self.assertEqual(table[name].to_pylist(), [value(cell) for cell in column], name)

    @staticmethod
    def vertex(text):
        return None if text == "-1" else int(text)

    @staticmethod
    def name(text):
        return None if text == "-1" else text

    def test_searches(self):
        vertex = self.vertex
        for ranks in (1, 2, 3):
            self.compare(*self.both("bfs", "random:90,100,seed=2,directed=1", "--source", 3, "--deterministic", ranks=ranks), [vertex] * 3)
            for weights in ("uniform:0..9", "float"):
                table, rows = self.both("sssp", "random:90,100,seed=2,directed=1", "--weights", weights, "--source", 3, "--deterministic", ranks=ranks)
                self.assertEqual(str(table.schema.field("distance").type), "int64" if weights != "float" else "double")
                self.assertEqual(table["distance"].null_count, sum(row[1] == "inf" for row in rows))
                self.assertGreater(table["distance"].null_count, 0)
                self.compare(table, rows, [vertex, number if weights != "float" else float32, vertex])
            nearest = ("--nearest", "--source", 3, "--source", 70, "--deterministic")
            self.compare(*self.both("sssp", "grid:9x9", "--weights", "uniform:1..9", *nearest, ranks=ranks), [vertex, number, vertex, vertex])

    def test_names(self):
        graph = self.file("g.csv", "from,to,km\nOslo,Bergen,463\nBergen,Stavanger,210\nNarvik,Bodø,300\n")
        self.compare(*self.both("sssp", graph, "--source", "Oslo", "--deterministic"), [self.name, number, self.name])
        self.compare(*self.both("apsp", graph), [str, str, number])
        self.compare(*self.both("apsp", graph, file="--predecessors"), [str, str, self.name])

    def test_pairs(self):
        for ranks in (1, 3):
            for options in ((), ("--weights", "uniform:1..9"), ("--weights", "uniform:1..9", "--dtype", "float64"), ("--target", 7, "--target", 2)):
                for algorithm in ("auto", "floyd-warshall"):
                    self.compare(*self.both("apsp", "random:60,70,seed=4,directed=1", *options, "--algorithm", algorithm, ranks=ranks),
                                 [int, int, number])
            self.compare(*self.both("apsp", self.file("g.gr", "p sp 4 2\na 1 2 5\na 2 3 1\n"), file="--predecessors", ranks=ranks), [int, int, self.vertex])

    def test_several_groups_of_rows(self):
        """A group has 2^17 rows."""
        table, rows = self.both("bfs", "grid:600x500", "--source", 7, "--deterministic", ranks=2)
        self.assertEqual(pyarrow.parquet.ParquetFile(self.path).num_row_groups, 3)
        self.compare(table, rows, [int] * 3)
        table, rows = self.both("apsp", "grid:20x20")
        self.assertEqual(pyarrow.parquet.ParquetFile(self.path).num_row_groups, 2)
        self.compare(table, rows, [int] * 3)

    def test_checkpoint(self):
        self.good("apsp", "grid:9x9", "-o", self.path, "--checkpoint", self.folder / "c", "--checkpoint-every", 0, "--quiet")
        self.good("apsp", "grid:9x9", "-o", self.path, "--checkpoint", self.folder / "c", "--resume", "--quiet")
        self.assertEqual(pyarrow.parquet.read_table(self.path).num_rows, 81 * 81)

    def test_facts(self):
        facts = self.folder / "f.json"
        for command, options in (("bfs", ("--source", 0)), ("sssp", ("--source", 0)), ("apsp", ())):
            self.good(command, "grid:3x3", *options, "-o", self.path, "--json", facts)
            self.assertIn('"not_reached": null', facts.read_text())


if __name__ == "__main__":
    unittest.main()
