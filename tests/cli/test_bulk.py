"""Many graphs in one call: bulk equals one by one, over ranks; names, lists, and graphs that fail."""

import json
import unittest

from driver import BAD_INPUT, GOOD, NO_GPU, RESOURCES, WRONG_RESULT, DriverTest, run


class Bulk(DriverTest):
    def setUp(self):
        super().setUp()
        self.graphs = self.folder / "graphs"
        self.graphs.mkdir()

    def graph(self, name, *words):
        path = self.graphs / name
        self.good("generate", *words, path, "--quiet")
        return path

    def edges(self, name, *edges):
        (self.graphs / name).write_text("".join(edge + "\n" for edge in edges))

    def names(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def test_bulk_equals_one_by_one(self):
        for n in (2, 31, 64, 300):
            self.graph(f"whole{n}.gr", f"random:{n},{4 * n}", "--weights", "uniform:1..50")
        self.graph("zipped.wel.gz", "random:70,300", "--weights", "uniform:1..9")
        self.graph("floats.mtx", "random:200,900", "--weights", "float")
        self.graph("levels.mtx", "ring:90")
        self.graph("large.gr", "random:2500,4000", "--weights", "uniform:1..5")  # more vertices than a thread computes alone
        self.edges("whole1.gr", "p sp 1 0")
        self.edges("negative.wel", "0 1 5", "1 2 -3", "0 2 4")
        (self.graphs / "readme.md").write_text("no graph")
        (self.graphs / ".hidden.gr").write_text("no graph")
        facts = self.folder / "facts.json"
        inputs = {path.name: path for path in sorted(self.graphs.iterdir()) if path.name not in ("readme.md", ".hidden.gr")}
        expected = {}
        for name, path in inputs.items():
            one = [self.folder / f"one-{kind}.npy" for kind in "dp"]
            self.good("apsp", path, "-o", one[0], "--predecessors", one[1], "--json", facts, "--summary", "--quiet")
            expected[name] = [path.read_bytes() for path in one] + [json.loads(facts.read_text())]
        for ranks in (1, 3):
            outcome = self.good("apsp", "--bulk", self.graphs, "-o", self.folder / f"d{ranks}", "--predecessors", self.folder / f"p{ranks}", "--json", facts,
                                "--validate", "--threads", 2, ranks=ranks)
            stems = {name: name.removesuffix(".gz").rsplit(".", 1)[0] for name in inputs}
            self.assertEqual(self.names(f"d{ranks}"), sorted(f"{stem}.npy" for stem in stems.values()))
            document = json.loads(facts.read_text())
            self.assertEqual([each["graph"]["name"] for each in document["graphs"]], [str(path) for path in inputs.values()])
            for (name, (distances, parents, one)), found, line in zip(expected.items(), document["graphs"], outcome.out.splitlines()[1:]):
                self.assertEqual((self.folder / f"d{ranks}" / f"{stems[name]}.npy").read_bytes(), distances, (name, ranks))
                self.assertEqual((self.folder / f"p{ranks}" / f"{stems[name]}.npy").read_bytes(), parents, (name, ranks))
                self.assertEqual(found["summary"], one["summary"], (name, ranks))
                self.assertEqual(found["graph"], one["graph"])
                self.assertEqual([found["search"][key] for key in ("algorithm", "dtype")], [one["search"][key] for key in ("algorithm", "dtype")])
                self.assertEqual(found["validated_rows"], one["graph"]["vertices"])
                self.assertTrue(found["notes"])
                diameter = one["summary"]["diameter"]
                words = line.split()
                self.assertEqual((words[0], words[1], words[3]), (str(inputs[name]), str(one["graph"]["vertices"]), str(one["summary"]["reachable_pairs"])))
                self.assertEqual(words[5], "-" if diameter is None else f"{diameter:.6g}" if isinstance(diameter, float) else str(diameter))
            self.assertRegex(outcome.out, r"\ncomputed 10 graphs by one thread for each graph of up to 2048 vertices, 2 threads for a larger one in ")

    def test_lists_and_sources(self):
        path = self.graph("a#b.gr", "random:20,60")
        lines = self.file("list.txt", f"\ufeff# specs and files\nring:9\n\n  {path}  # a file\ncomplete:5\n")
        outcome = self.good("apsp", "--bulk", lines, "--sources", "random:4", "-o", self.folder / "d", "--summary")
        self.assertRegex(outcome.out.splitlines()[0], "largest eccentricity  smallest eccentricity$")
        self.assertEqual([line.split()[0] for line in outcome.out.splitlines()[1:-1]], ["ring:9", str(path), "complete:5"])
        self.assertEqual(self.names("d"), ["a#b.npy", "complete:5.npy", "ring:9.npy"])
        for name, graph in (("ring:9", "ring:9"), ("a#b", path)):
            one = self.folder / "one.npy"
            self.good("apsp", graph, "--sources", "random:4", "-o", one)
            self.assertEqual((self.folder / "d" / f"{name}.npy").read_bytes(), one.read_bytes())
        self.assertEqual(self.good("apsp", "--bulk", lines, "--quiet", "-o", self.folder / "e").out, "")
        facts = self.folder / "facts.json"
        self.assertEqual(self.good("apsp", "--bulk", lines, "--quiet", "--json", facts).out, "")
        self.assertRegex(self.good("apsp", "--bulk", lines).out.splitlines()[0], "diameter  radius$")

    def test_reverse(self):
        path = self.graph("directed.gr", "random:40,120,directed=1", "--weights", "uniform:1..9")
        lines = self.file("list.txt", f"{path}\ngrid:4x4\nrandom:30,90,directed=1\n")
        facts, one = self.folder / "facts.json", self.folder / "one.npy"
        for ranks in (1, 3):
            self.good("apsp", "--bulk", lines, "--reverse", "-o", self.folder / "d", "--json", facts, "--validate", ranks=ranks)
            graphs = json.loads(facts.read_text())["graphs"]
            self.assertEqual([graph["graph"]["reversed"] for graph in graphs], [True, False, True])
            self.assertEqual(["--reverse changes nothing" in note for note in graphs[1]["notes"]].count(True), 1)
            for name, graph in (("directed", path), ("random:30,90,directed=1", "random:30,90,directed=1")):
                self.good("apsp", graph, "--reverse", "-o", one)
                self.assertEqual((self.folder / "d" / f"{name}.npy").read_bytes(), one.read_bytes())

    def test_graphs_that_fail(self):
        """The other graphs are computed, and the exit code is that of the first failure."""
        self.edges("a.wel", "0 1 5", "1 2 3")
        self.edges("b.wel", "0 1 5", "1 x 3")
        self.edges("c.wel", "0 1 5", "1 0 -6")
        self.edges("d.wel", "0 1 60000", "1 2 5536")
        self.edges("e.wel", "0 1 7")
        facts = self.folder / "facts.json"
        for ranks in (1, 3):
            outcome = run("apsp", "--bulk", self.graphs, "-o", self.folder / "d", "--dtype", "uint16", "--json", facts, ranks=ranks)
            self.assertEqual(outcome.code, BAD_INPUT, outcome)
            self.assertEqual(self.names("d"), ["a.npy", "e.npy"])
            first, second, third, last = (line for line in outcome.err.splitlines() if line.startswith("wayfront: error"))
            self.assertRegex(first, rf"{self.graphs}/b\.wel:2:3: expected")
            self.assertRegex(second, rf"there are no shortest paths: {self.graphs}/c\.wel has a cycle of negative length \(")
            self.assertRegex(third, rf"error: .*{self.graphs}/d\.wel.*a distance of 65536")
            self.assertEqual(last, "wayfront: error: 3 of 5 graphs failed")
            self.assertEqual([each.get("exit_code") for each in json.loads(facts.read_text())["graphs"]], [None, BAD_INPUT, WRONG_RESULT, BAD_INPUT, None])
            self.assertRegex(outcome.out, rf"\n{self.graphs}/b\.wel +failed\n")
            self.assertIn("\ncomputed 2 of 5 graphs by ", outcome.out)
        self.assertEqual(run("apsp", "--bulk", self.file("list", f"ring:5\n{self.graphs}/c.wel\n{self.graphs}/b.wel\n")).code, WRONG_RESULT)
        (self.folder / "d" / "a.npy").unlink()
        (self.folder / "d" / "a.npy").mkdir()
        outcome = run("apsp", "--bulk", self.file("list", f"{self.graphs}/a.wel\nring:5\n"), "-o", self.folder / "d")
        self.assertEqual(outcome.code, RESOURCES, outcome)
        self.assertIn("ring:5.npy", self.names("d"))

    def test_bad_usage(self):
        def fails(message, *words):
            self.assertEqual(self.fails(BAD_INPUT, "apsp", *words), "wayfront: error: " + message)

        self.edges("a.wel", "0 1 5")
        (self.graphs / "empty").mkdir()
        bulk = ("--bulk", self.graphs)
        self.edges("a.el", "0 1")
        name = self.folder / "d" / "a.npy"
        fails(f"--output: the results of {self.graphs}/a.el and of {self.graphs}/a.wel would have the same name, {name}", *bulk, "-o", self.folder / "d")
        self.good("apsp", *bulk)
        (self.graphs / "a.el").unlink()
        fails(f"--output and --predecessors are the same folder, {self.folder}/d/", *bulk, "-o", self.folder / "d", "--predecessors", f"{self.folder}/d/")
        fails(f"--json and --output name the same file, {name}", *bulk, "-o", self.folder / "d", "--json", name)
        graph = self.graphs / "a.wel"
        fails(f"--json: {graph} is the same file as a graph of --bulk, which is read; writing would destroy it", *bulk, "--json", graph)
        file = self.file("d.npy", "")
        self.assertIn("d.npy: with --bulk, a folder is expected, which gets a file for each graph", self.fails(BAD_INPUT, "apsp", *bulk, "-o", file))
        fails("--bulk: ring:5 is listed twice", "--bulk", self.file("list", "ring:5\nring:5\n"), "-o", self.folder / "d")
        fails(f"--bulk: {self.graphs}/empty has no file with the extension of a graph format", "--bulk", self.graphs / "empty")
        fails(f"--bulk: {self.folder}/list lists no graph", "--bulk", self.file("list", "# nothing\n"))
        fails(f"--bulk: {self.folder}/missing: No such file or directory", "--bulk", self.folder / "missing")
        fails(f"--bulk {self.graphs} takes the place of GRAPH, ring:5", "ring:5", *bulk)
        fails("--bulk and --checkpoint do not go together", *bulk, "--checkpoint", self.folder / "c")
        fails("--bulk and --resume do not go together", *bulk, "--resume")
        fails("--directed and --undirected do not go together", *bulk, "--directed", "--undirected")
        for options in (("--engine", "gpu"), ("--algorithm", "block")):
            alone = self.fails(RESOURCES, "apsp", f"{self.graphs}/a.wel", *options, env=NO_GPU)
            self.assertEqual(self.fails(RESOURCES, "apsp", *bulk, *options, env=NO_GPU), alone)
        fails("--engine cpu: --algorithm block runs on a GPU alone", *bulk, "--algorithm", "block", "--engine", "cpu")
        fails("GRAPH is missing: wayfront apsp GRAPH|--bulk DIR|FILE [options]")
        self.assertEqual(run("apsp", *bulk, "--format", "el").code, GOOD)


if __name__ == "__main__":
    unittest.main()
