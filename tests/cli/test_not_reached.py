"""What stands for "not reached" in each file, in --json and in the notes: the table of docs/formats.md."""

import json
import math
import struct
import unittest

from driver import BAD_INPUT, DriverTest
from test_compact import read_npy

WHOLE, FLOATS, LARGE = "# Directed graph\n0 1 2\n1 2 3\n", "# Directed graph\n0 1 0.5\n1 2 3\n", "# Directed graph\n0 1 2\n1 2 300000\n"


class NotReached(DriverTest):
    """From vertex 1, vertex 0 is not reached."""

    def told(self, *arguments, ranks=1):
        facts = self.folder / "facts.json"
        outcome = self.good(*arguments, "--json", facts, ranks=ranks)
        return json.loads(facts.read_text())["not_reached"], outcome

    def test_results_of_one_source(self):
        for command, content, more in (("bfs", WHOLE, ()), ("sssp", WHOLE, ()), ("sssp", FLOATS, ()), ("sssp", FLOATS, ("--precision", "double"))):
            graph = self.file("g.wel", content)
            in_text = "-1" if command == "bfs" else "inf"
            for extension in ("csv", "txt", "npy", "json"):
                for ranks in (1, 3):
                    with self.subTest(command=command, content=content, more=more, extension=extension, ranks=ranks):
                        path = self.folder / f"out.{extension}"
                        told, _ = self.told(command, graph, "--source", 1, "-o", path, *more, ranks=ranks)
                        if extension in ("csv", "txt"):
                            line = path.read_text().splitlines()[1]
                            self.assertEqual(line, f"0,{in_text},-1" if extension == "csv" else f"0 {in_text} -1")
                            self.assertEqual(str(told), in_text)
                        elif extension == "json":
                            row = json.loads(path.read_text())["rows"][0]
                            self.assertEqual(row, [0, -1 if command == "bfs" else None, -1])
                            self.assertEqual(told, row[1])
                        else:
                            kind, rows = read_npy(path)
                            self.assertEqual((kind, rows[0]), ("<f8", (math.inf, -1.0)) if content is FLOATS else ("<i8", (-1, -1)))
                            self.assertEqual(told, "inf" if content is FLOATS else -1)

    def test_matrices(self):
        for content, dtype, kind, missing in ((WHOLE, "auto", "H", 65535), (LARGE, "auto", "i", 2**31 - 1), (WHOLE, "int32", "i", 2**31 - 1),
                                              (WHOLE, "float32", "f", math.inf), (FLOATS, "auto", "f", math.inf), (FLOATS, "float64", "d", math.inf)):
            graph = self.file("g.wel", content)
            expected = "inf" if missing == math.inf else missing
            for extension in ("npy", "raw", "csv"):
                with self.subTest(content=content, dtype=dtype, extension=extension):
                    path, parents = self.folder / f"out.{extension}", self.folder / f"parents.{extension}"
                    told, outcome = self.told("apsp", graph, "--dtype", dtype, "-o", path, "--predecessors", parents)
                    note = f"{path} has {json.dumps(expected)} as the distance of a vertex that is not reached"
                    self.assertEqual(outcome.err.count(note), 0 if extension == "csv" else 1, outcome)
                    if extension == "csv":
                        self.assertEqual(path.read_text().splitlines()[2][:8], "1,inf,0,")
                        self.assertEqual(parents.read_text().splitlines()[2], "1,-1,1,1")
                        self.assertEqual(told, "inf")
                        continue
                    elements = struct.unpack(f"<9{kind}", path.read_bytes()[-9 * struct.calcsize(kind):])
                    self.assertEqual((elements[3], elements[6], elements[7]), (missing, missing, missing))
                    self.assertEqual(told, expected)
                    self.assertEqual(struct.unpack("<9i", parents.read_bytes()[-36:])[3], -1)

    def test_a_matrix_on_standard_output(self):
        graph = self.file("g.wel", FLOATS)
        for ranks in (1, 3):
            outcome = self.good("apsp", graph, "-o", "-", "--summary", ranks=ranks)
            self.assertEqual(outcome.out, "source,0,1,2\n0,0,0.5,3.5\n1,inf,0,3\n2,inf,inf,0\n")
            self.assertIn("diameter", outcome.err)
        self.assertEqual(self.good("apsp", graph, "--predecessors", "-", "--quiet").out, "source,0,1,2\n0,0,0,1\n1,-1,1,1\n2,-1,-1,2\n")
        self.assertIn("--checkpoint needs a regular file", self.fails(BAD_INPUT, "apsp", graph, "-o", "-", "--checkpoint", self.folder / "c"))


if __name__ == "__main__":
    unittest.main()
